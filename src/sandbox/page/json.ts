/**
 * Reading of JSON that nobody has promised anything about. An app chooses the blocks of its messages, so the page reads them
 * member by member and a wrong shape is an empty text or list: it can look odd, but it can never stop the page.
 */
export type Bag = Readonly<Record<string, unknown>>

const nothing: Bag = {}

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as an object; an empty one when it is something else. */
export function bag(value: unknown): Bag {
  return isBag(value) ? value : nothing
}

/** The value as text; empty when it is something else. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The value as a list; empty when it is something else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as a finite number, or nothing. */
export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
