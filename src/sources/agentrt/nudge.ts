/**
 * `POST /sources/{name}/runs/{run}/watch`: an agent's own process says that a run of its waits. A nudge carries nothing to
 * decide and nothing to believe: it makes us look at the run over the channel, as we would have done later. It passes the
 * channel's gate, under a secret of its source that decides nothing here.
 */
import { randomBytes } from 'node:crypto'
import { canonical } from '../../approval/canonical.ts'
import type { SignatureBook } from '../../approval/ports.ts'
import { failure, type RawAnswer, type RefusedEvent, stopAnswer, success } from '../../approval-channel/answer.ts'
import { GATE_BOUNDS, gate, type NamedSecret, type RawRequest, type Segments } from '../../approval-channel/gate.ts'
import { channelSecret } from '../../approval-channel/signature.ts'

/** Looks at a run soon, and goes on looking. Watching a run that is watched already is no more than another look. */
export type Watch = (source: string, run: string) => Promise<'watching' | 'full'>

export interface Nudging {
  readonly sources: readonly NamedSecret[]
  readonly watch: Watch
  readonly signatures: SignatureBook
  readonly now: () => Date
}

/** As the channel's (approval-channel section 8): nothing is told of a 400 or a 404. */
export type NudgeEvent =
  | {
      readonly event: 'nudge.taken'
      readonly source: string
      readonly run: string
      readonly remote: string
      readonly status: number
    }
  | RefusedEvent<'nudge.refused'>

/** As every id here is bounded, in UTF-16 units. */
const MOST_RUN_LENGTH = 256

export function nudgeServer({
  sources,
  watch,
  signatures,
  now,
}: Nudging): (request: RawRequest) => Promise<RawAnswer<NudgeEvent>> {
  // A source that does not exist is judged by a secret that nobody has, so that no answer tells which sources there are.
  const nobody = { name: 'nudge/', secret: channelSecret(randomBytes(32)) }
  // By the source that is named, not by any: a secret nudges its own source only, and two sources may share one.
  const secretsOf = ([, source]: Segments): readonly NamedSecret[] => {
    const named = sources.filter(({ name }) => name === source)
    return named.length === 0 ? [nobody] : named.map(({ name, secret }) => ({ name: `nudge/${name}`, secret }))
  }
  const pass = gate({ secretsOf, signatures, now, bounds: GATE_BOUNDS })
  return async (request) => {
    const passed = await pass(request)
    if (!passed.ok) return stopAnswer('nudge.refused', request, passed)
    const named = request.method === 'POST' ? runOf(passed.segments) : undefined
    if (named === undefined) return failure('not_found', 'no such route')
    if (passed.body.length > 0) return failure('bad_request', 'a nudge has no body')
    const { source, run } = named
    const watched = await watch(source, run)
    if (watched === 'full') {
      const error = 'too many runs are watched'
      return stopAnswer('nudge.refused', request, { code: 'rate_limited', error, reason: error, close: false })
    }
    const answer = success(202, `${canonical(new Map(Object.entries({ run_id: run, status: watched })))}\n`)
    return { ...answer, event: { event: 'nudge.taken', source, run, remote: request.remote, status: answer.status } }
  }
}

function runOf(segments: Segments): { readonly source: string; readonly run: string } | undefined {
  const [first, source, runs, run, verb] = segments
  if (segments.length !== 5 || first !== 'sources' || runs !== 'runs' || verb !== 'watch') return undefined
  if (source === undefined || run === undefined || run === '' || run.length > MOST_RUN_LENGTH) return undefined
  return { source, run }
}
