// A stand-in for the agent platform: calls hooks as its page "Tool approval hooks" says, parks runs, and takes resolutions on
// loopback. It shares nothing with the bot that it is there to test.
import { setMaxListeners } from 'node:events'
import { parseAnswer } from './answer.ts'
import type { Fault } from './fault.ts'
import { queueFaults } from './fault.ts'
import type { Interaction, Ledger, OnHookError, Run } from './ledger.ts'
import { openLedger } from './ledger.ts'
import { startJudge } from './resolve.ts'
import type { Preview } from './review.ts'
import { jsonText, reviewText } from './review.ts'
import type { RawRequest, RawResponse } from './send.ts'
import { send, TimedOut } from './send.ts'
import type { Resolution } from './server.ts'
import { startServer } from './server.ts'
import { sign } from './signature.ts'
import { startWatch } from './watch.ts'

export interface PlatformOptions {
  /** 0 or absent: any free one. */
  readonly port?: number
  /** What `Authorization: Bearer` must carry. */
  readonly apiKey: string
  readonly now?: () => Date
  /** Path of the resolve address, with `{id}` in it. */
  readonly resolvePath?: string
  /** What a second POST with one Idempotency-Key gets: the first answer again (default), or 409. */
  readonly replay?: 'same' | 'conflict'
}

/** A registered hook, as far as calling it goes. */
export interface Hook {
  readonly url: string
  readonly secret: string
  readonly onHookError?: OnHookError
  /** Default and ceiling 790 000, as on the page. */
  readonly requestTimeoutMs?: number
}

/** A tool call. What is absent gets a counted value (`tar_1`, `run_1`, `tc_1`), and a call without a run starts one. */
export type Call = {
  readonly hook: Hook
  readonly tool: string
  readonly preview?: Preview
  readonly run?: string
  readonly rootRun?: string
  readonly workerRef?: string
  readonly agent?: string
  readonly thread?: string
  readonly step?: number
  readonly toolCall?: string
  readonly id?: string
  /** More members of the review. One with a known name replaces it; undefined leaves it out. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** What the tool does when it may. Its text is the call's result. */
  readonly effect?: () => string
  /** Told once the call has its ids, before anything is sent. */
  readonly asked?: (interaction: Interaction) => void
} & ({ readonly input: unknown } | { readonly inputText: string })

export interface Platform {
  readonly port: number
  /** The origin, `http://127.0.0.1:PORT`. */
  readonly url: string
  /** Asks the hook, once, and does what it says. The answer is the interaction as it stands then. */
  call(call: Call): Promise<Interaction>
  /** Sends bytes as they are, for input that no platform would send. */
  send(raw: RawRequest): Promise<RawResponse>
  interaction(id: string): Interaction | undefined
  run(id: string): Run | undefined
  /** The agent has nothing more to do in this run. */
  complete(run: string): Run
  /** How often this call's tool ran or was denied for the model; never more than 1. */
  effects(id: string): number
  /** Every POST to a resolve address, oldest first. */
  resolutions(id?: string): readonly Resolution[]
  /** Spoils the next answers to resolutions, in the order in which this was said. */
  answerNext(fault: Fault): void
  /** Forgets what `answerNext` still has to spoil. */
  clearFaults(): void
  /** Answers every resolution that hangs. */
  release(): void
  /** The resolve addresses refuse connections until `comeBack`, on the same port; hooks can still be called. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  /** From now on only this key resolves. */
  rotateKey(apiKey: string): void
  /** Asks the predicate now and after every change here; rejects with the description when the time is over. Infinity: no end. */
  until(description: string, predicate: () => boolean, timeoutMs?: number): Promise<void>
  /** Ends every wait and every call that has no answer yet. */
  close(): Promise<void>
}

/** Milliseconds; the page's default and ceiling. */
const REQUEST_TIMEOUT_MS = 790_000

/** Listens on 127.0.0.1. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const now = options.now ?? (() => new Date())
  const resolvePath = options.resolvePath ?? '/v1/interactions/{id}/resolve'
  const watch = startWatch(() => `${ledger.state()}, ${server.resolutions().length} resolutions posted`)
  const ledger = openLedger(watch.changed)
  const judge = startJudge(ledger, options.apiKey, options.replay ?? 'same')
  const faults = queueFaults()
  const server = await startServer({ port: options.port ?? 0, resolvePath, judge, faults, now, changed: watch.changed })
  const url = `http://127.0.0.1:${server.port}`
  const over = new AbortController()
  // Every call that is on its way listens.
  setMaxListeners(0, over.signal)
  const next = counting()

  /** Everything about a call but its answer. Throws on a call that this platform would never make. */
  const ask = (call: Call): string => {
    const id = call.id ?? next('tar', (one) => ledger.interaction(one) !== undefined)
    const run = call.run ?? next('run', (one) => ledger.run(one) !== undefined)
    const rootRun = call.rootRun ?? ledger.run(run)?.rootRun ?? run
    const resolveUrl = url + resolvePath.replace('{id}', () => encodeURIComponent(id))
    const body = reviewText(
      {
        id,
        runId: run,
        rootRunId: rootRun,
        workerRef: call.workerRef,
        threadId: call.thread ?? 'thread_1',
        agentId: call.agent ?? 'agent_1',
        stepNumber: call.step ?? ledger.run(run)?.interactions.length ?? 0,
        toolName: call.tool,
        toolCallId: call.toolCall ?? next('tc', () => false),
        inputText: 'inputText' in call ? call.inputText : jsonText(call.input),
        preview: call.preview,
        resolveUrl,
      },
      call.extra,
    )
    const signature = sign(call.hook.secret, body, Math.floor(now().getTime() / 1000))
    const headers = { 'content-type': 'application/json', 'novo-signature': signature }
    const request = { url: call.hook.url, body, headers }
    ledger.ask({ id, run, rootRun, tool: call.tool, resolveUrl, request }, call.effect ?? (() => `${call.tool} ran`))
    return id
  }

  return {
    port: server.port,
    url,
    async call(call) {
      const id = ask(call)
      const present = (): Interaction => {
        const interaction = ledger.interaction(id)
        if (interaction === undefined) throw new Error(`${id} is lost`)
        return interaction
      }
      call.asked?.(present())
      await deliver(ledger, id, present().request, call.hook, over.signal)
      return present()
    },
    send,
    interaction: ledger.interaction,
    run: ledger.run,
    complete: ledger.complete,
    effects: ledger.effects,
    resolutions: server.resolutions,
    answerNext: faults.add,
    clearFaults: faults.clear,
    release: server.release,
    goDown: server.goDown,
    comeBack: server.comeBack,
    rotateKey: judge.rotateKey,
    until: watch.until,
    async close() {
      over.abort()
      watch.close()
      await server.close()
    },
  }
}

/** Sends once. Whatever goes wrong is the hook's failure, for which its `onHookError` stands. */
async function deliver(ledger: Ledger, id: string, request: RawRequest, hook: Hook, signal: AbortSignal): Promise<void> {
  const onHookError = hook.onHookError ?? 'deny'
  const timeoutMs = Math.min(hook.requestTimeoutMs ?? REQUEST_TIMEOUT_MS, REQUEST_TIMEOUT_MS)
  let response: RawResponse
  try {
    response = await send({ ...request, timeoutMs, signal })
  } catch (error) {
    return ledger.troubled(id, null, error instanceof TimedOut ? 'timeout' : 'unreachable', onHookError)
  }
  const { status, body } = response
  if (status < 200 || status > 299) return ledger.troubled(id, status, 'status', onHookError)
  const answer = parseAnswer(body)
  if (answer === null) return ledger.troubled(id, status, 'body', onHookError)
  ledger.answered(id, status, answer)
}

/** Readable ids, counted for each prefix; one that a test chose itself is passed over. */
function counting(): (prefix: string, taken: (id: string) => boolean) => string {
  const counts = new Map<string, number>()
  return (prefix, taken) => {
    let n = counts.get(prefix) ?? 0
    do n += 1
    while (taken(`${prefix}_${n}`))
    counts.set(prefix, n)
    return `${prefix}_${n}`
  }
}
