/** Settings file and environment, read once into one value. All faults are told together, with their places and without a value. */
import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import type { ApproverSet, Policy, Rule } from '../policy/rules.ts'
import { Environment } from './environment.ts'
import { type Fault, Unfit } from './fault.ts'
import { checkReferences, type Variables } from './references.ts'
import { LATER, type ResolutionBody, Settings } from './settings.ts'
import { printed, readSource } from './source.ts'

export interface HookConfig {
  readonly name: string
  readonly secrets: readonly Uint8Array[]
  readonly key: string
  readonly keySetting: string
  readonly origins: readonly string[]
  readonly resolvePath: string
  readonly resolution: { readonly approve: ResolutionBody; readonly deny: ResolutionBody }
  readonly windowSeconds: number
  readonly maxBodyBytes: number
  readonly giveUpAfterMs: number
}

/** One agent with a signed channel of its own: a source that is asked, where a hook is told. */
export interface ChannelConfig {
  readonly name: string
  /** What stands before `/runs` in the address, without a trailing slash. */
  readonly url: string
  /** What stands there in the signed path. */
  readonly signedPath: string
  readonly secret: string
  /** The variable that holds it, for words on what to mend. */
  readonly secretSetting: string
  /** The source's secret, unless it was given one of its own. */
  readonly nudgeSecret: string
  readonly watchRuns: readonly string[]
  /** How long a run is watched without an approval. */
  readonly watchForMs: number
  readonly giveUpAfterMs: number
}

/** One holder of our own signed channel. */
export interface ServedConfig {
  readonly name: string
  readonly secret: string
  /** The sets that its holder may decide for. */
  readonly decides: readonly string[]
}

export interface SlackConfig {
  readonly botToken: string
  /** How what people do reaches us: Slack calls us, or we keep a connection open. */
  readonly ingress:
    | { readonly mode: 'http'; readonly signingSecret: string }
    | { readonly mode: 'socket'; readonly appToken: string }
  readonly apiUrl: string
  readonly conversation: string
  readonly fallback: string | undefined
  readonly home: string | undefined
}

export interface Config {
  readonly listen: { readonly host: string; readonly port: number }
  readonly admin: { readonly host: string; readonly port: number }
  readonly databasePath: string
  readonly logLevel: Environment['LOG_LEVEL']
  readonly slack: SlackConfig
  /** Sources of both kinds share one name space. One of the two lists may be empty. */
  readonly hooks: readonly HookConfig[]
  readonly channels: readonly ChannelConfig[]
  readonly serve: readonly ServedConfig[]
  readonly operators: readonly string[]
  readonly policy: Policy
}

/** @throws Unfit with every fault found. */
export function loadConfig(
  variables: Variables,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Config {
  const faults: Fault[] = []
  const environment = readEnvironment(variables, faults)
  const settings = readSettings(variables, readFile, faults)
  if (faults.length > 0 || environment === undefined || settings === undefined) throw new Unfit(faults)
  return join(environment, settings, variables)
}

/** Where the database is, for commands that need nothing else. @throws Unfit */
export function databasePath(variables: Variables): string {
  const parsed = Environment.shape.DATABASE_URL.safeParse(variables.DATABASE_URL)
  if (!parsed.success)
    throw new Unfit(parsed.error.issues.map((issue) => ({ where: 'environment: DATABASE_URL', what: issue.message })))
  return parsed.data
}

/** The names of the sources that are asked, for commands that need no secret. @throws Unfit */
export function channelNames(
  variables: Variables,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): readonly string[] {
  const faults: Fault[] = []
  const source = readSource(variables.COUNTERSIGN_CONFIG ?? 'countersign.yml', readFile, faults)
  const parsed = source === undefined ? undefined : Settings.safeParse(source.value)
  for (const issue of parsed?.error?.issues ?? [])
    faults.push(...described(issue).map(({ path, what }) => ({ where: source?.at(path) ?? '', what })))
  if (parsed?.data === undefined) throw new Unfit(faults)
  return parsed.data.channels.map(({ name }) => name)
}

function readEnvironment(variables: Variables, faults: Fault[]): Environment | undefined {
  const parsed = Environment.safeParse(variables)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) faults.push({ where: `environment: ${issue.path.join('.')}`, what: issue.message })
  return undefined
}

function readSettings(variables: Variables, readFile: (path: string) => string, faults: Fault[]): Settings | undefined {
  const source = readSource(variables.COUNTERSIGN_CONFIG ?? 'countersign.yml', readFile, faults)
  if (source === undefined) return undefined
  const parsed = Settings.safeParse(source.value)
  for (const issue of parsed.error?.issues ?? [])
    faults.push(...described(issue).map(({ path, what }) => ({ where: source.at(path), what })))
  checkReferences(source, variables, faults)
  return parsed.data
}

function described(issue: z.core.$ZodIssue): { readonly path: readonly PropertyKey[]; readonly what: string }[] {
  if (issue.code === 'unrecognized_keys') {
    const later = LATER.filter(({ place }) => place.test(printed(issue.path) === 'settings' ? '' : printed(issue.path))).flatMap(
      ({ keys }) => keys,
    )
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      what: later.includes(key) ? 'is not supported yet' : 'is not a setting',
    }))
  }
  if (issue.code === 'invalid_key') return [{ path: issue.path, what: issue.issues[0]?.message ?? issue.message }]
  if (issue.code === 'invalid_union')
    return [
      {
        path: issue.path,
        what: issue.errors.flat().find((inner) => inner.code === 'custom')?.message ?? 'has a value of the wrong kind',
      },
    ]
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
  return [{ path: issue.path, what: missing ? 'is required' : issue.message.replace(/^Invalid input: /, '') }]
}

/** Puts the parts together. Called when no fault was found: every name exists, and every secret is there. */
function join(environment: Environment, settings: Settings, variables: Variables): Config {
  const sets = new Map<string, ApproverSet>(
    Object.entries(settings.approvers).map(([setName, set]) => [
      setName,
      { users: set.users ?? [], groups: set.groups ?? [], conversation: set.conversation ?? false, open: set.open ?? false },
    ]),
  )
  const { approvers } = settings.defaults
  const rules = settings.rules.map(({ name, tools, deny, ask }): Rule => {
    if (deny !== undefined) return { name, tools, verdict: { ruling: 'deny', reason: deny.reason } }
    if (ask === undefined) return { name, tools, verdict: { ruling: 'allow' } }
    return { name, tools, verdict: { ruling: 'ask', approvers: ask.approvers ?? approvers, reason: ask.reason } }
  })
  const hooks = settings.hooks.map(
    ({ window, giveUpAfter, key, secrets, ...rest }): HookConfig => ({
      ...rest,
      secrets: secrets.map((variable) => Buffer.from(held(variables, variable), 'utf8')),
      key: held(variables, key),
      keySetting: key,
      windowSeconds: window / 1000,
      giveUpAfterMs: giveUpAfter,
    }),
  )
  const channels = settings.channels.map(
    ({ secret, nudgeSecret, watch, giveUpAfter, ...rest }): ChannelConfig => ({
      ...rest,
      secret: held(variables, secret),
      secretSetting: secret,
      nudgeSecret: held(variables, nudgeSecret ?? secret),
      watchRuns: watch.runs,
      watchForMs: watch.for,
      giveUpAfterMs: giveUpAfter,
    }),
  )
  return {
    listen: { host: environment.HOST, port: environment.PORT },
    admin: { host: environment.ADMIN_HOST, port: environment.ADMIN_PORT },
    databasePath: environment.DATABASE_URL,
    logLevel: environment.LOG_LEVEL,
    slack: {
      botToken: environment.SLACK_BOT_TOKEN,
      ingress:
        environment.SLACK_APP_TOKEN === undefined
          ? { mode: 'http', signingSecret: environment.SLACK_SIGNING_SECRET ?? '' }
          : { mode: 'socket', appToken: environment.SLACK_APP_TOKEN },
      apiUrl: environment.SLACK_API_URL,
      conversation: settings.slack.conversation,
      fallback: settings.slack.fallback,
      home: settings.slack.home,
    },
    hooks,
    channels,
    serve: settings.serve.map(({ name, secret, decides }) => ({
      name,
      secret: held(variables, secret),
      decides: decides === 'none' ? [] : decides,
    })),
    operators: settings.operators?.users ?? [],
    policy: { rules, defaults: { approvers }, sets },
  }
}

function held(variables: Variables, name: string): string {
  const value = variables[name]
  if (value === undefined || value === '') throw new Error(`the environment variable ${name} was not checked`)
  return value
}
