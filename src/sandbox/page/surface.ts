import type { Names } from './names.ts'

/** What a block needs from the message or modal that it stands in. */
export interface Surface {
  readonly names: Names
  /** Whether a press of this button is under way. */
  busy(block: string, action: string): boolean
  /** @param chosen the value of the option that was picked, for a list */
  press(block: string, action: string, chosen?: string): void
}
