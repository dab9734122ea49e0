/** Settings file and environment, read once into one value. All faults are told together, with their places and without a value. */
import { readFileSync } from 'node:fs'
import { LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import type { ApproverSet, Policy, Rule } from '../policy/rules.ts'
import { Environment } from './environment.ts'
import { type Fault, Unfit } from './fault.ts'
import { LATER, type ResolutionBody, Settings } from './settings.ts'

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

export interface SlackConfig {
  readonly botToken: string
  readonly signingSecret: string
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
  readonly hooks: readonly HookConfig[]
  readonly operators: readonly string[]
  readonly policy: Policy
}

type Variables = Readonly<Record<string, string | undefined>>

/** @throws Unfit with every fault found. */
export function loadConfig(
  variables: Variables,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Config {
  const file = variables.COUNTERSIGN_CONFIG ?? 'countersign.yml'
  const faults: Fault[] = []
  const environment = readEnvironment(variables, faults)
  const settings = readSettings(file, readFile, faults)
  const config =
    settings === undefined
      ? undefined
      : join(environment, settings, variables, (path, what) => faults.push({ where: `${file}: ${path}`, what }))
  if (faults.length > 0 || environment === undefined || config === undefined) throw new Unfit(faults)
  return { ...config, ...ownPart(environment), slack: { ...ownSlack(environment), ...config.slack } }
}

/** Where the database is, for commands that need nothing else. @throws Unfit */
export function databasePath(variables: Variables): string {
  const parsed = Environment.shape.DATABASE_URL.safeParse(variables.DATABASE_URL)
  if (!parsed.success)
    throw new Unfit(parsed.error.issues.map((issue) => ({ where: 'environment: DATABASE_URL', what: issue.message })))
  return parsed.data
}

function ownPart(environment: Environment): Pick<Config, 'listen' | 'admin' | 'databasePath' | 'logLevel'> {
  return {
    listen: { host: environment.HOST, port: environment.PORT },
    admin: { host: environment.ADMIN_HOST, port: environment.ADMIN_PORT },
    databasePath: environment.DATABASE_URL,
    logLevel: environment.LOG_LEVEL,
  }
}

function ownSlack(environment: Environment): Pick<SlackConfig, 'botToken' | 'signingSecret' | 'apiUrl'> {
  return {
    botToken: environment.SLACK_BOT_TOKEN,
    signingSecret: environment.SLACK_SIGNING_SECRET,
    apiUrl: environment.SLACK_API_URL,
  }
}

function readEnvironment(variables: Variables, faults: Fault[]): Environment | undefined {
  const parsed = Environment.safeParse(variables)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) faults.push({ where: `environment: ${issue.path.join('.')}`, what: issue.message })
  return undefined
}

function readSettings(file: string, readFile: (path: string) => string, faults: Fault[]): Settings | undefined {
  let text: string
  try {
    text = readFile(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    faults.push({ where: file, what: `cannot be read (${code}); COUNTERSIGN_CONFIG names the settings file` })
    return undefined
  }
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0) {
    for (const error of document.errors)
      faults.push({ where: `${file}:${lines.linePos(error.pos[0]).line}`, what: `is not valid YAML (${error.code})` })
    return undefined
  }
  const parsed = Settings.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {})
  if (parsed.success) return parsed.data
  const lineOf = (path: readonly PropertyKey[]): string => {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true)
      if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
        return `:${lines.linePos(node.range[0]).line}`
    }
    return ''
  }
  for (const issue of parsed.error.issues)
    faults.push(...described(issue).map(({ path, what }) => ({ where: `${file}${lineOf(path)}: ${printed(path)}`, what })))
  return undefined
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

function printed(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'settings'
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`))
    .join('')
}

type Tell = (path: string, what: string) => void
type Joined = Pick<Config, 'hooks' | 'operators' | 'policy'> & {
  readonly slack: Pick<SlackConfig, 'conversation' | 'fallback' | 'home'>
}

/** What only shows when the parts are seen together: names that must exist, secrets that must differ. */
function join(environment: Environment | undefined, settings: Settings, variables: Variables, tell: Tell): Joined {
  const secrets = new SecretsInUse(variables, tell)
  secrets.own('SLACK_BOT_TOKEN', environment?.SLACK_BOT_TOKEN)
  secrets.own('SLACK_SIGNING_SECRET', environment?.SLACK_SIGNING_SECRET)
  unique(settings.hooks, 'hooks', tell)
  unique(settings.rules, 'rules', tell)
  const sets = new Map<string, ApproverSet>(
    Object.entries(settings.approvers).map(([setName, set]) => [
      setName,
      { users: set.users ?? [], groups: set.groups ?? [], conversation: set.conversation ?? false, open: set.open ?? false },
    ]),
  )
  const mustExist = (setName: string, path: string): string => {
    if (!sets.has(setName)) tell(path, 'names a set that does not stand under approvers')
    return setName
  }
  const fallbackSet = mustExist(settings.defaults.approvers, 'defaults.approvers')
  const rules = settings.rules.map((rule, index): Rule => {
    if (rule.deny !== undefined)
      return { name: rule.name, tools: rule.tools, verdict: { ruling: 'deny', reason: rule.deny.reason } }
    if (rule.ask === undefined) return { name: rule.name, tools: rule.tools, verdict: { ruling: 'allow' } }
    const approvers =
      rule.ask.approvers === undefined ? fallbackSet : mustExist(rule.ask.approvers, `rules[${index}].ask.approvers`)
    return { name: rule.name, tools: rule.tools, verdict: { ruling: 'ask', approvers, reason: rule.ask.reason } }
  })
  const hooks = settings.hooks.map((hook, index): HookConfig => {
    const { window, giveUpAfter, key, secrets: names, ...rest } = hook
    return {
      ...rest,
      secrets: names.map((variable, nth) => Buffer.from(secrets.take(variable, `hooks[${index}].secrets[${nth}]`, 16), 'utf8')),
      key: secrets.take(key, `hooks[${index}].key`, 1),
      keySetting: key,
      windowSeconds: window / 1000,
      giveUpAfterMs: giveUpAfter,
    }
  })
  return {
    hooks,
    operators: settings.operators?.users ?? [],
    policy: { rules, defaults: { approvers: fallbackSet }, sets },
    slack: { conversation: settings.slack.conversation, fallback: settings.slack.fallback, home: settings.slack.home },
  }
}

function unique(named: readonly { readonly name: string }[], path: string, tell: Tell): void {
  const seen = new Set<string>()
  for (const [index, { name }] of named.entries()) {
    if (seen.has(name)) tell(`${path}[${index}].name`, 'is used twice')
    seen.add(name)
  }
}

/** One secret for two things is a fault: whoever holds it for the one could act as the other. */
class SecretsInUse {
  readonly #places = new Map<string, string>()
  readonly #variables: Variables
  readonly #tell: Tell
  constructor(variables: Variables, tell: Tell) {
    this.#variables = variables
    this.#tell = tell
  }

  own(name: string, value: string | undefined): void {
    if (value !== undefined) this.#use(value, name)
  }

  take(variable: string, path: string, leastBytes: number): string {
    const value = this.#variables[variable]
    if (value === undefined || value === '') {
      this.#tell(path, `needs the environment variable ${variable}, which is ${value === undefined ? 'not set' : 'empty'}`)
      return ''
    }
    if (Buffer.byteLength(value, 'utf8') < leastBytes) this.#tell(path, `${variable} is too short: at least ${leastBytes} bytes`)
    if (/[\r\n\0]/.test(value)) this.#tell(path, `${variable} holds a line break`)
    this.#use(value, path)
    return value
  }

  #use(value: string, path: string): void {
    const before = this.#places.get(value)
    if (before !== undefined) this.#tell(path, `is the same secret as ${before}; each needs its own`)
    else this.#places.set(value, path)
  }
}
