import type { Changes } from './changes.ts'
import type { JsonObject } from './json.ts'

/** One call that the bot made: a Web API method, or `response_url`. */
export interface Call {
  readonly n: number
  readonly method: string
  /** As they came, without the token; nested JSON is parsed. */
  readonly args: JsonObject
  readonly at: Date
  /** Null until an answer with a verdict was sent; a reset or hung call never gets one. */
  ok: boolean | null
  error: string | null
  /** The HTTP status that was sent; null when none was. */
  status: number | null
}

/** Every call in the order of arrival. */
export class Calls {
  readonly #calls: Call[] = []
  readonly #now: () => Date
  readonly #changes: Changes

  constructor(now: () => Date, changes: Changes) {
    this.#now = now
    this.#changes = changes
  }

  begin(method: string, args: JsonObject): Call {
    const call: Call = { n: this.#calls.length + 1, method, args, at: this.#now(), ok: null, error: null, status: null }
    this.#calls.push(call)
    this.#changes.touch()
    return call
  }

  end(call: Call, status: number, answer: JsonObject): void {
    call.status = status
    call.ok = status < 300 && answer.ok === true
    call.error = typeof answer.error === 'string' ? answer.error : null
    this.#changes.touch()
  }

  of(method?: string): readonly Call[] {
    return this.#calls.filter((call) => method === undefined || call.method === method)
  }
}
