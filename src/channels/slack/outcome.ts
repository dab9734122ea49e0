/** How an approval ended, as a line in its card's thread. */
import type { OutcomeLine } from '../../approval/approval.ts'
import { richText } from './block.ts'
import { type Card, type CardSettings, titleOf } from './card.ts'
import { fromSettings } from './safe-text.ts'
import { decided } from './status.ts'
import { ended } from './status-channel.ts'

export function outcomeLine(of: OutcomeLine['of'], settings: CardSettings): Card {
  const words = of.status === 'closed' ? ended(of) : decided(of, fromSettings(settings.keySetting(of.source))).slice(0, 1)
  return { text: titleOf(of), blocks: [richText([...words])] }
}
