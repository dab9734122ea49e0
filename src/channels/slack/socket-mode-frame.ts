/** What travels on a Socket Mode connection. Source: docs.slack.dev/apis/events-api/using-socket-mode; slack-facts.md, B3. */
import { z } from 'zod'

/** Fields that we do not use are ignored: Slack adds some. */
const Hello = z.object({ type: z.literal('hello'), num_connections: z.number().optional() })
const Goodbye = z.object({ type: z.literal('disconnect'), reason: z.string().optional() })
const Envelope = z.object({
  type: z.string(),
  envelope_id: z.string().min(1).max(255),
  payload: z.record(z.string(), z.unknown()),
  accepts_response_payload: z.boolean().optional(),
  retry_attempt: z.number().optional(),
  retry_reason: z.string().optional(),
})
export type Envelope = z.infer<typeof Envelope>

export type Frame =
  | { readonly kind: 'hello'; readonly connections: number | undefined }
  | { readonly kind: 'goodbye'; readonly reason: string }
  | { readonly kind: 'envelope'; readonly envelope: Envelope }

/** Undefined for what nobody needs to answer: not JSON, or of a shape that we do not know. */
export function frameOf(text: string): Frame | undefined {
  const json = parsed(text)
  const hello = Hello.safeParse(json)
  if (hello.success) return { kind: 'hello', connections: hello.data.num_connections }
  const goodbye = Goodbye.safeParse(json)
  if (goodbye.success) return { kind: 'goodbye', reason: goodbye.data.reason ?? 'unknown' }
  const envelope = Envelope.safeParse(json)
  return envelope.success ? { kind: 'envelope', envelope: envelope.data } : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Slack ends a connection on which a longer frame comes, 20,480 bytes (field report A21). */
const MAX_BYTES = 20_000

/** The acknowledgement's frame; undefined when what it says is longer than Slack takes. */
export function ackOf({ envelope_id, accepts_response_payload }: Envelope, said: unknown): string | undefined {
  const payload = typeof said === 'string' ? { text: said } : said
  const mute = payload === undefined || payload === null || accepts_response_payload === false
  const text = JSON.stringify(mute ? { envelope_id } : { envelope_id, payload })
  return Buffer.byteLength(text) <= MAX_BYTES ? text : undefined
}
