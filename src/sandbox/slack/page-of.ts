import { no, type Refused } from './answer.ts'
import { wordAt } from './arguments.ts'
import type { JsonObject } from './json.ts'

/** One page of a list, and what `response_metadata` says of the next one. */
export interface PageOf<T> {
  readonly items: readonly T[]
  readonly more: boolean
  readonly response_metadata: { readonly next_cursor: string }
}

/** Cuts a list by `cursor` and `limit`. Source: docs.slack.dev/apis/web-api/pagination. */
export function pageOf<T>(all: readonly T[], args: JsonObject, usual = 100, most = 1000): PageOf<T> | Refused {
  const limit = Number(wordAt(args, 'limit') ?? usual)
  if (!Number.isInteger(limit) || limit < 0 || limit > most) return no('invalid_limit')
  const cursor = wordAt(args, 'cursor')
  const from = cursor === undefined ? 0 : position(cursor)
  if (from === undefined) return no('invalid_cursor')
  const to = from + (limit === 0 ? usual : limit)
  const more = to < all.length
  return { items: all.slice(from, to), more, response_metadata: { next_cursor: more ? cursorAt(to) : '' } }
}

function cursorAt(position: number): string {
  return Buffer.from(`next:${position}`).toString('base64')
}

function position(cursor: string): number | undefined {
  const digits = /^next:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64').toString())?.[1]
  return digits === undefined ? undefined : Number(digits)
}
