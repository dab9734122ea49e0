/** What the conformance suite needs of an implementation. */

/** The tool call that a run pauses on. JSON comes as text. An implementation may choose the ids itself. */
export interface Pause {
  readonly run?: string
  readonly approval?: string
  readonly tool?: string
  readonly args?: string
  readonly kind?: string
  readonly presentation?: string
  readonly capability?: string
  readonly reason?: string
}

export interface Paused {
  readonly run: string
  readonly approval: string
  readonly hash: string
}

/** An event of the channel's own observer. */
export interface Observed {
  readonly type: string
  readonly run: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** How a behaviour would like its channel. What an implementation cannot give it leaves out, and then says so in its members. */
export interface Wish {
  /** The channel's clock stands here until `advance`. */
  readonly at?: Date
  readonly rate?: number
  readonly burst?: number
  readonly maxBody?: number
  readonly limit?: number
  readonly approvalTtlMs?: number
  /** Mounted behind this path, which is sent and not signed. */
  readonly prefix?: string
}

/** The protocol's own defaults stand for what is absent. */
interface Bounds {
  readonly rate?: number
  readonly burst?: number
  readonly maxBody?: number
  readonly limit?: number
  readonly skewSeconds?: number
}

interface Hooks {
  /** The channel's clock, when it stands still. */
  readonly now: () => Date
  readonly advance: (ms: number) => void
  /** The owner resumes a granted run, which then ends. */
  readonly resume: (run: string) => unknown
  /** Same id, another presentation; the new hash. */
  readonly represent: (approval: string, presentation: string) => string | Promise<string>
  /** The stored presentation is edited, and the hash is not. */
  readonly corrupt: (approval: string, presentation: string) => unknown
  /** The approval's expiry has passed. */
  readonly expire: (approval: string) => unknown
  /** How often the approval's tool ran. */
  readonly effects: (approval: string) => number | Promise<number>
  readonly events: () => readonly Observed[] | Promise<readonly Observed[]>
}

export interface ChannelUnderTest extends Partial<Hooks> {
  /** What `/runs/…` is appended to. */
  readonly url: string
  /** What stands before `/runs/…` in the signed path; empty when absent. */
  readonly signedPath?: string
  readonly secret: string
  readonly bounds?: Bounds
  pause(pause?: Pause): Paused | Promise<Paused>
  close(): unknown
}

export type Hook = keyof Hooks
export type Need = <K extends Hook>(hook: K) => NonNullable<ChannelUnderTest[K]>

/** One behaviour. */
export interface Case {
  /** A sentence of what must hold. */
  readonly name: string
  readonly wish?: Wish
  /** It asks nothing of the approval but that it is pending, and leaves it so. */
  readonly untouched?: true
  run(stage: Stage): Promise<void>
}

export interface Stage {
  readonly channel: ChannelUnderTest
  /** True: where the protocol leaves a choice, the stricter one must have been made. */
  readonly strict: boolean
  readonly bounds: Required<Bounds>
  /** Skips the behaviour when the implementation lacks this hook. */
  readonly need: Need
  /** Skips the behaviour, saying what it would need. */
  skip(what: string): never
}
