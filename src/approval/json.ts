/**
 * Reads JSON without losing a digit and without a second meaning. A repeated key, a lone surrogate, bytes that are not
 * UTF-8 and absurd nesting are refused, because two readers could see two different calls in them (novo-hook section 3).
 * One pass, so that what is checked is what is read.
 */

/** A number as its literal was written: `1.0` and `1` are different calls to us. */
export class JsonNumber {
  readonly literal: string
  constructor(literal: string) {
    this.literal = literal
  }
}

/** A Map, not an object: `__proto__` is a key like any other, and the order of keys is the sender's. */
export type JsonObject = ReadonlyMap<string, Json>
export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject

export type Unreadable =
  /** Not JSON at all. */
  | { readonly code: 'not_json'; readonly at: number }
  /** JSON that two readers could read differently. `why` is ours and never quotes the text. */
  | {
      readonly code: 'ambiguous_json'
      readonly at: number
      readonly why: 'repeated key' | 'lone surrogate' | 'not UTF-8' | 'too deep'
    }

/** Levels of arrays and objects. The platform's calls need a handful; the bound keeps every reader off its stack's end. */
export const MAX_DEPTH = 256

class Refused extends Error {
  readonly unreadable: Unreadable
  constructor(unreadable: Unreadable) {
    super(unreadable.code)
    this.unreadable = unreadable
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
/** The longest stretch of a string that needs no look: no quote, no backslash, no control, no surrogate. */
const PLAIN = /[^"\\\u0000-\u001F\uD800-\uDFFF]*/y
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Reads bytes as strict JSON. Positions are in UTF-16 units of the decoded text, 0 where the bytes did not decode. */
export function readJson(
  bytes: Uint8Array,
): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly refusal: Unreadable } {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { ok: false, refusal: { code: 'ambiguous_json', at: 0, why: 'not UTF-8' } }
  }
  try {
    return { ok: true, value: new Reader(text).document() }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, refusal: error.unreadable }
    throw error
  }
}

/** Reads JSON text that we wrote ourselves. @throws Error when it does not hold: the record was changed behind our back. */
export function parseJson(text: string): Json {
  return new Reader(text).document()
}

class Reader {
  readonly #text: string
  #at = 0
  constructor(text: string) {
    this.#text = text
  }

  document(): Json {
    this.#blanks()
    const value = this.#value(0)
    this.#blanks()
    if (this.#at < this.#text.length) this.#malformed()
    return value
  }

  #value(depth: number): Json {
    const char = this.#text[this.#at]
    if (char === '"') return this.#string()
    if (char === '{') return this.#object(depth + 1)
    if (char === '[') return this.#array(depth + 1)
    if (char === 't') return this.#word('true', true)
    if (char === 'f') return this.#word('false', false)
    if (char === 'n') return this.#word('null', null)
    return this.#number()
  }

  #object(depth: number): JsonObject {
    this.#deep(depth)
    this.#at += 1
    const members = new Map<string, Json>()
    this.#blanks()
    if (this.#take('}')) return members
    for (;;) {
      const keyAt = this.#at
      if (this.#text[this.#at] !== '"') this.#malformed()
      const key = this.#string()
      if (members.has(key)) throw new Refused({ code: 'ambiguous_json', at: keyAt, why: 'repeated key' })
      this.#blanks()
      if (!this.#take(':')) this.#malformed()
      this.#blanks()
      members.set(key, this.#value(depth))
      this.#blanks()
      if (this.#take('}')) return members
      if (!this.#take(',')) this.#malformed()
      this.#blanks()
    }
  }

  #array(depth: number): readonly Json[] {
    this.#deep(depth)
    this.#at += 1
    const items: Json[] = []
    this.#blanks()
    if (this.#take(']')) return items
    for (;;) {
      items.push(this.#value(depth))
      this.#blanks()
      if (this.#take(']')) return items
      if (!this.#take(',')) this.#malformed()
      this.#blanks()
    }
  }

  #string(): string {
    this.#at += 1
    let out = ''
    for (;;) {
      PLAIN.lastIndex = this.#at
      out += PLAIN.exec(this.#text)?.[0] ?? ''
      this.#at = PLAIN.lastIndex
      const char = this.#text[this.#at]
      if (char === '"') {
        this.#at += 1
        return out
      }
      if (char === '\\') out += this.#escape()
      else if (char !== undefined && char >= '\uD800') out += this.#pair()
      else this.#malformed()
    }
  }

  #escape(): string {
    const at = this.#at
    const letter = this.#text[at + 1] ?? ''
    if (letter !== 'u') {
      const plain = ESCAPES[letter]
      if (plain === undefined) this.#malformed()
      this.#at += 2
      return plain
    }
    const high = this.#hex(at + 2)
    this.#at += 6
    if (high < 0xd800 || high > 0xdfff) return String.fromCharCode(high)
    if (high < 0xdc00 && this.#text.startsWith('\\u', this.#at)) {
      const low = this.#hex(this.#at + 2)
      if (low >= 0xdc00 && low <= 0xdfff) {
        this.#at += 6
        return String.fromCharCode(high, low)
      }
    }
    throw new Refused({ code: 'ambiguous_json', at, why: 'lone surrogate' })
  }

  /** UTF-8 that decoded holds no lone surrogate, but text that reached us as a string may. */
  #pair(): string {
    const point = this.#text.codePointAt(this.#at) ?? 0
    if (point < 0x10000) throw new Refused({ code: 'ambiguous_json', at: this.#at, why: 'lone surrogate' })
    this.#at += 2
    return String.fromCodePoint(point)
  }

  #hex(at: number): number {
    const digits = this.#text.slice(at, at + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#malformed()
    return Number.parseInt(digits, 16)
  }

  #number(): JsonNumber {
    NUMBER.lastIndex = this.#at
    const literal = NUMBER.exec(this.#text)?.[0]
    if (literal === undefined) this.#malformed()
    this.#at += literal.length
    return new JsonNumber(literal)
  }

  #word<T extends Json>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#malformed()
    this.#at += word.length
    return value
  }

  #blanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at += 1
    }
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false
    this.#at += 1
    return true
  }

  #deep(depth: number): void {
    if (depth > MAX_DEPTH) throw new Refused({ code: 'ambiguous_json', at: this.#at, why: 'too deep' })
  }

  #malformed(): never {
    throw new Refused({ code: 'not_json', at: this.#at })
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof Map
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
