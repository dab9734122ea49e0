/** The shape of `countersign.yml` (contract, "Settings file"). What a later version will know is refused by name, never ignored. */
import { z } from 'zod'
import { ASK_REASON } from '../policy/rules.ts'
import { Duration } from './duration.ts'

/** Keys of the contract that this version does not act on yet, by the place they stand in. */
export const LATER: readonly { readonly place: RegExp; readonly keys: readonly string[] }[] = [
  { place: /^$/, keys: ['redact', 'journal', 'retention', 'owners'] },
  { place: /^rules\[\d+\]$/, keys: ['when', 'sources'] },
  {
    place: /^(rules\[\d+\]\.ask|defaults)$/,
    keys: [
      'quorum',
      'conversation',
      'note',
      'confirm',
      'expires',
      'remind',
      'warn',
      'escalate',
      'grant',
      'self',
      'owners',
      'thread',
      'dm',
    ],
  },
  { place: /^approvers\./, keys: ['sets', 'self'] },
]

const name = (what: string) =>
  z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, `must be a ${what} of lower-case letters, digits, _ and -`)
const userId = z.string().regex(/^[UW][A-Z0-9]{1,30}$/, 'must be a Slack user id such as U0ANA')
const groupId = z.string().regex(/^S[A-Z0-9]{1,30}$/, 'must be a Slack user group id such as S0ONCALL')
const conversationId = z
  .string()
  .regex(/^[CGD][A-Z0-9]{1,30}$/, 'must be a Slack conversation id such as C0APPROVALS, not a name')
const people = z.array(userId).min(1, 'names nobody')

/** `env:NAME`. The file holds no secret. */
export const secretName = z
  .string('must name an environment variable as env:NAME; secrets do not stand in this file')
  .regex(/^env:[A-Za-z_][A-Za-z0-9_]*$/, 'must name an environment variable as env:NAME; secrets do not stand in this file')
  .transform((text) => text.slice('env:'.length))

/** An https origin, or plain http to this machine itself. */
const origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const loopback = url !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  if (url === undefined || (text !== url.origin && text !== `${url.origin}/`)) {
    context.addIssue({ code: 'custom', message: 'must be an origin such as https://api.novoagents.ai, without a path' })
    return z.NEVER
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    context.addIssue({ code: 'custom', message: 'must be https (plain http only for 127.0.0.1, localhost or [::1])' })
    return z.NEVER
  }
  return url.origin
})

/** Whether a URL leaves a path as it is. */
const isPlain = (path: string): boolean => URL.canParse(`https://host${path}`) && new URL(`https://host${path}`).pathname === path

const resolvePath = z
  .string()
  .refine((path) => path.startsWith('/') && path.split('{id}').length === 2, {
    error: 'must be a path that holds {id} once',
    abort: true,
  })
  .refine(
    (path) => !path.includes('//') && isPlain(path.replace('{id}', 'id')),
    'must be plain: no query, fragment, dot segments, or what a URL writes otherwise',
  )

type Template = string | number | boolean | null | readonly Template[] | { readonly [key: string]: Template }
const template: z.ZodType<Template> = z.lazy(() =>
  z.union([
    z
      .string()
      .refine((text) => text === '{note}' || !text.includes('{note}'), '{note} fills a whole value; no text may stand around it'),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(template),
    z.record(z.string(), template),
  ]),
)
/** The body of a resolution, with `{note}` where the person's note goes. */
export type ResolutionBody = Readonly<Record<string, Template>>
const resolutionBody = z.record(z.string(), template, 'must be a mapping')

const DAY_MS = 86_400_000

const hook = z.strictObject({
  name: name('name'),
  secrets: z.array(secretName).min(1, 'needs at least one secret'),
  key: secretName,
  origins: z.array(origin).min(1).default(['https://api.novoagents.ai']),
  resolvePath: resolvePath.default('/v1/interactions/{id}/resolve'),
  resolution: z
    .strictObject({
      approve: resolutionBody.default({ decision: 'allow' }),
      deny: resolutionBody.default({ decision: 'deny', reason: '{note}' }),
    })
    .prefault({}),
  window: Duration.default(300_000),
  maxBodyBytes: z
    .int()
    .min(1024)
    .max(16 * 1024 * 1024)
    .default(1024 * 1024),
  giveUpAfter: Duration.default(DAY_MS),
})

/** Where a channel is called. Stored without a trailing slash: `/runs` is put behind it. */
const channelUrl = z.string().transform((text, context) => {
  const fault = channelUrlFault(text)
  if (fault !== undefined) {
    context.addIssue({ code: 'custom', message: fault })
    return z.NEVER
  }
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, '')
})

/** The text does not repeat the address: what stands in it may be a password. */
function channelUrlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be an address such as https://steward.internal/hooks'
  const url = new URL(text)
  // An empty query or fragment is left out of what URL tells, so these two are looked for in the text.
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text))
    return 'holds a user, a query or a fragment: take it out, the secret is a setting of its own'
  const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))
    return 'must be https, for decisions would travel in the open (plain http only for 127.0.0.0/8, localhost or [::1])'
  return undefined
}

/** Runs to watch from the start. Bounded as in a nudge, and named once: a second mention would be a slip of the pen. */
const watchedRuns = z
  .array(
    z
      .string()
      .min(1)
      .max(256)
      .regex(/^\P{Cs}*$/u, 'is no text that an address can carry'),
  )
  .superRefine((runs, context) => {
    for (const [index, run] of runs.entries())
      if (runs.indexOf(run) !== index) context.addIssue({ code: 'custom', path: [index], message: 'is used twice' })
  })

/** One agent whose approvals we list, show and decide over its signed channel. */
const channel = z.strictObject({
  name: name('name'),
  url: channelUrl,
  /** Decoded, as the other end sees it; it differs from the path of `url` where a proxy between us takes a prefix away. */
  signedPath: z
    .string()
    .regex(/^(?:\/[^?#]*[^?#/])?$/, 'must be nothing, or a path that starts with / and does not end with it, without a query')
    .default(''),
  secret: secretName,
  nudgeSecret: secretName.optional(),
  watch: z
    .strictObject({
      runs: watchedRuns.default([]),
      for: Duration.refine((ms) => ms >= 60_000, 'must be at least 1m').default(DAY_MS),
    })
    .prefault({}),
  giveUpAfter: Duration.default(DAY_MS),
})

const reason = z.string().min(1).max(1000)
const ruleName = z.string().min(1).max(64)
const glob = z.string().min(1).max(128)

const rule = z
  .strictObject({
    name: ruleName,
    tools: z.array(glob).min(1, 'needs at least one tool name or glob'),
    allow: z.strictObject({}).optional(),
    deny: z.strictObject({ reason }).optional(),
    ask: z.strictObject({ approvers: z.string().optional(), reason: reason.default(ASK_REASON) }).optional(),
  })
  .refine(
    (one) => [one.allow, one.deny, one.ask].filter((part) => part !== undefined).length === 1,
    'needs exactly one of allow, deny and ask',
  )

const set = z
  .strictObject({
    users: people.optional(),
    groups: z.array(groupId).min(1, 'names no group').optional(),
    conversation: z.literal(true, 'can only be true').optional(),
    open: z.boolean().optional(),
  })
  .refine(
    (one) => one.users !== undefined || one.groups !== undefined || one.conversation !== undefined,
    'names nobody: needs users, groups or conversation',
  )
  .refine((one) => one.open === undefined || one.conversation === true, 'open says something only beside conversation: true')

/** One secret of our own signed channel, and what its holder may decide. */
const served = z.strictObject({
  name: name('name'),
  secret: secretName,
  decides: z
    .union([z.literal('none'), z.array(z.string()).min(1)], 'must be none, or the names of the sets that it may decide for')
    .default('none'),
})

export const Settings = z.strictObject({
  slack: z.strictObject({
    conversation: conversationId,
    fallback: conversationId.optional(),
    home: z
      .string()
      .regex(/^[TE][A-Z0-9]{1,30}$/, 'must be a workspace or enterprise id such as T0ACME')
      .optional(),
  }),
  // That there is a source at all is looked at with the references: neither list can tell alone.
  hooks: z.array(hook).default([]),
  channels: z.array(channel).default([]),
  serve: z.array(served).default([]),
  operators: z.strictObject({ users: people }).optional(),
  approvers: z.record(name('name'), set),
  rules: z.array(rule).default([]),
  defaults: z.strictObject({ approvers: z.string('is required: it names the set that is asked when no rule says otherwise') }),
})
export type Settings = z.infer<typeof Settings>
