/**
 * Slack's pace (slack-facts B2): about one message a second in a conversation, fifty rewrites a minute for the whole app, and
 * whatever pause it asks for. Who comes too early is told when to come again, and that turn is kept for them.
 */
export interface SlackPace {
  /** Between two posts in one conversation. Milliseconds. */
  readonly postMs: number
  /** Between two rewrites, once the burst is used up. Milliseconds. */
  readonly rewriteMs: number
  /** Rewrites that may leave at once after a quiet time. */
  readonly rewriteBurst: number
}

export const SLACK_PACE: SlackPace = { postMs: 1000, rewriteMs: 1250, rewriteBurst: 10 }

/** How long all of Slack is left alone when it does not answer: doubled each time, up to the most. Milliseconds. */
const DOWN_MS = 1000
const LONGEST_DOWN_MS = 15_000

/** Slack asks for less. Milliseconds. */
const LONGEST_PAUSE_MS = 600_000
/** Turns kept beyond which those that nobody came for are forgotten. */
const MANY = 1000

export interface Turns {
  /** Milliseconds until this one may write; zero takes the turn. */
  take(who: string, conversation: string, what: 'post' | 'rewrite', now: number): number
  /** Slack asked us to leave a conversation alone until then. */
  pause(conversation: string, until: number): void
  /** Slack did not answer at all. */
  down(now: number): void
  /** Slack answered. */
  up(): void
}

export function turns(pace: SlackPace): Turns {
  /** When the next turn of a lane is free. */
  const free = new Map<string, number>()
  const kept = new Map<string, number>()
  const paused = new Map<string, number>()
  let downUntil = 0
  let downs = 0

  /** Who has not come for a turn does not need it any more. */
  function forget(now: number): void {
    if (kept.size < MANY) return
    for (const [key, at] of kept) if (at < now - LONGEST_PAUSE_MS) kept.delete(key)
  }

  return {
    take(who, conversation, what, now) {
      const lane = what === 'post' ? `post ${conversation}` : 'rewrite'
      const key = `${lane} ${who}`
      const barred = Math.min(now + LONGEST_PAUSE_MS, Math.max(downUntil, paused.get(conversation) ?? 0))
      const own = kept.get(key)
      if (own !== undefined && own <= now && barred <= now) {
        kept.delete(key)
        return 0
      }
      if (own !== undefined && own >= barred && own > now) return own - now
      const [gap, burst] = what === 'post' ? [pace.postMs, 1] : [pace.rewriteMs, pace.rewriteBurst]
      forget(now)
      // Each turn ahead is kept for somebody; further ahead than that, the clock was set back.
      const next = Math.min(free.get(lane) ?? 0, now + gap * (kept.size + 1) + Math.max(0, barred - now))
      // A lane that was quiet has saved up its burst, less the one that is taken now.
      const at = Math.max(next, now - gap * (burst - 1), barred - gap * (burst - 1))
      free.set(lane, at + gap)
      const wait = Math.max(at, barred) - now
      if (wait <= 0) {
        kept.delete(key)
        return 0
      }
      kept.set(key, now + wait)
      return wait
    },
    pause(conversation, until) {
      paused.set(conversation, until)
    },
    down(now) {
      if (downUntil > now) return
      downUntil = now + Math.min(LONGEST_DOWN_MS, DOWN_MS * 2 ** Math.min(downs, 10))
      downs += 1
    },
    up() {
      downUntil = 0
      downs = 0
    },
  }
}
