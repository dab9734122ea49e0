/** The calling end of a nudge: an agent's own process tells the bot that a run of its waits, so that nobody has to name the run by hand. */
import { z } from 'zod'
import { type Answered, type ChannelEnd, caller, parsed } from './client.ts'

export interface NudgeClient {
  /**
   * Has the bot watch this run of the source that has our secret. Safe to repeat. @throws Failure when the bot did not answer
   * for good, and RangeError for a name or an id that no address can carry.
   */
  nudge(source: string, run: string): Promise<Answered<'watching'>>
  close(): Promise<void>
}

const NudgeAnswer = z.preprocess(
  (json) => (json instanceof Map ? Object.fromEntries(json) : json),
  z.object({ run_id: z.string(), status: z.literal('watching') }),
)

/** @param bot its public address, and the source's nudge secret. @throws RangeError for an address that must not be called. */
export function nudgeClient(bot: ChannelEnd): NudgeClient {
  const { call, close } = caller(bot)
  return {
    nudge: (source, run) =>
      call({
        method: 'POST',
        segments: ['sources', source, 'runs', run, 'watch'],
        body: '',
        yes: [202],
        read: (bytes) => {
          const answer = parsed(NudgeAnswer, bytes)
          return answer?.run_id === run ? answer.status : undefined
        },
      }),
    close,
  }
}
