/** The environment's part of the settings (contract, "Environment"). Secrets stand here only. */
import { z } from 'zod'

const port = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .refine((number) => number <= 65_535, 'must be a port number')
    .default(fallback)

const later = (what: string) => z.undefined(`${what} is not supported yet; unset it`).optional()

const slackApiUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const loopback = url !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  if (
    url === undefined ||
    !(url.protocol === 'https:' || (url.protocol === 'http:' && loopback)) ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    context.addIssue({
      code: 'custom',
      message: 'must be an https address that ends in /api/ (plain http only for this machine)',
    })
    return z.NEVER
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`
})

export const Environment = z
  .object({
    PORT: port(3000),
    HOST: z.string().min(1).default('0.0.0.0'),
    ADMIN_PORT: port(9464),
    ADMIN_HOST: z.string().min(1).default('127.0.0.1'),
    DATABASE_URL: z
      .string()
      .regex(/^sqlite:.+$/, 'must be sqlite:PATH (postgres is not supported yet)')
      .transform((url) => url.slice('sqlite:'.length))
      .default('countersign.db'),
    SLACK_BOT_TOKEN: z
      .string('is missing: the bot token of the Slack app (xoxb-…)')
      .regex(/^xoxb-[A-Za-z0-9-]{8,}$/, 'must be a bot token (xoxb-…)'),
    SLACK_SIGNING_SECRET: z
      .string()
      .regex(/^[\x21-\x7E]{16,}$/, 'must be the signing secret of the Slack app: at least 16 characters, no blanks')
      .optional(),
    SLACK_APP_TOKEN: z
      .string()
      .regex(/^xapp-[A-Za-z0-9-]{8,}$/, 'must be an app-level token (xapp-…)')
      .optional(),
    SLACK_API_URL: slackApiUrl.default('https://slack.com/api/'),
    CACHE_URL: later('a shared cache'),
    COUNTERSIGN_RECEIPT_KEY: later('signing receipts'),
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], "must be one of pino's levels")
      .default('info'),
  })
  .superRefine((env, context) => {
    const [signing, socket] = [env.SLACK_SIGNING_SECRET !== undefined, env.SLACK_APP_TOKEN !== undefined]
    if (signing === socket) {
      context.addIssue({
        code: 'custom',
        path: [signing ? 'SLACK_APP_TOKEN' : 'SLACK_SIGNING_SECRET'],
        message: signing
          ? 'and SLACK_SIGNING_SECRET are both set: keep the app token for Socket Mode, or the signing secret for HTTP'
          : 'is missing, and so is SLACK_APP_TOKEN: set the app token (xapp-…) for Socket Mode, or the signing secret for HTTP',
      })
    }
  })
  .refine(
    (env) => !env.SLACK_APP_TOKEN?.startsWith('xapp-sandbox-') || !new URL(env.SLACK_API_URL).hostname.endsWith('slack.com'),
    {
      path: ['SLACK_APP_TOKEN'],
      message: 'is a token of the stand-in Slack, and SLACK_API_URL is the real one',
    },
  )
  .refine(
    (env) => !env.SLACK_BOT_TOKEN.startsWith('xoxb-sandbox-') || !new URL(env.SLACK_API_URL).hostname.endsWith('slack.com'),
    {
      path: ['SLACK_BOT_TOKEN'],
      message: 'is a token of the stand-in Slack, and SLACK_API_URL is the real one',
    },
  )
export type Environment = z.infer<typeof Environment>
