// JSON with nothing lost: numbers as they were written, members in their order, repeated ones too.

/** A number as it was written. */
export interface Digits {
  readonly digits: string
}

export interface Members {
  readonly members: readonly (readonly [string, Json])[]
}

export type Json = null | boolean | string | Digits | Json[] | Members

/** Levels of nesting that stored JSON may have. A decision's body is held to the same: nothing honest comes near. */
const MAX_DEPTH = 256
/** Characters of one number. */
const MAX_DIGITS = 10_000
/** Either way. */
const MAX_EXPONENT = 10_000

const BLANK = /[ \t\r\n]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y
const WORD = /true|false|null/y

class NotJson extends Error {}

/** The value, or undefined when the text is no JSON. Half surrogates stay as they are. */
export function parseJson(text: string): Json | undefined {
  const scanner = scan(text)
  try {
    const json = readValue(scanner, 1)
    scanner.take(BLANK)
    return scanner.ended() ? json : undefined
  } catch (error) {
    if (error instanceof NotJson) return undefined
    throw error
  }
}

/** As `parseJson`, under the rules for what may enter the runtime: no repeated member, no half surrogate, no monstrous number. */
export function admitJson(text: string): Json | undefined {
  const json = parseJson(text)
  return json !== undefined && isSound(json) ? json : undefined
}

/** The last member of this name. */
export function member(json: Json | undefined, name: string): Json | undefined {
  return json !== undefined && isMembers(json) ? json.members.findLast(([key]) => key === name)?.[1] : undefined
}

export function isMembers(json: Json): json is Members {
  return typeof json === 'object' && json !== null && 'members' in json
}

interface Scanner {
  /** What stands here, passed over; undefined when something else does. */
  take(what: RegExp): string | undefined
  /** Passes over this one character, after blanks. */
  skip(character: string): boolean
  ended(): boolean
}

function scan(text: string): Scanner {
  let at = 0
  const take = (what: RegExp) => {
    what.lastIndex = at
    const found = what.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  return {
    take,
    skip(character) {
      take(BLANK)
      if (text[at] !== character) return false
      at += 1
      return true
    },
    ended: () => at === text.length,
  }
}

function readValue(scanner: Scanner, depth: number): Json {
  if (scanner.skip('{')) return { members: readList(scanner, '}', depth, () => readMember(scanner, depth + 1)) }
  if (scanner.skip('[')) return readList(scanner, ']', depth, () => readValue(scanner, depth + 1))
  const text = scanner.take(STRING)
  if (text !== undefined) return readString(text)
  const digits = scanner.take(NUMBER)
  if (digits !== undefined) return { digits }
  switch (scanner.take(WORD)) {
    case 'true':
      return true
    case 'false':
      return false
    case 'null':
      return null
    default:
      throw new NotJson()
  }
}

function readMember(scanner: Scanner, depth: number): [string, Json] {
  scanner.take(BLANK)
  const name = scanner.take(STRING)
  if (name === undefined || !scanner.skip(':')) throw new NotJson()
  return [readString(name), readValue(scanner, depth)]
}

function readList<T>(scanner: Scanner, end: string, depth: number, read: () => T): T[] {
  if (depth > MAX_DEPTH) throw new NotJson()
  if (scanner.skip(end)) return []
  const list = [read()]
  while (scanner.skip(',')) list.push(read())
  if (!scanner.skip(end)) throw new NotJson()
  return list
}

function readString(text: string): string {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'string') throw new NotJson()
  return value
}

function isSound(json: Json): boolean {
  if (typeof json === 'string') return !/\p{Cs}/u.test(json)
  if (typeof json !== 'object' || json === null) return true
  if (Array.isArray(json)) return json.every(isSound)
  if ('digits' in json) {
    const exponent = /e(.*)$/i.exec(json.digits)?.[1] ?? '0'
    return json.digits.length <= MAX_DIGITS && Math.abs(Number(exponent)) <= MAX_EXPONENT
  }
  const names = json.members.map(([name]) => name)
  return new Set(names).size === names.length && names.every(isSound) && json.members.every(([, value]) => isSound(value))
}
