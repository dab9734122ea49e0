/**
 * What the parts of the settings say of one another: names that must exist and be used once, and the secrets behind them. Read
 * from the file as it stands, so that a fault of shape in one place hides none of these in another.
 */
import { z } from 'zod'
import type { Fault } from './fault.ts'
import { secretName } from './settings.ts'
import { type Path, printed, type SettingsSource } from './source.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** What has not the right shape counts as not there: its own fault is told elsewhere. */
const known = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
/** A list that has not the right shape may hold any source: only one that is empty or not there holds none. */
const sources = <T extends z.ZodType>(schema: T) => z.array(known(schema)).default([]).catch([undefined])
const Mentions = z
  .object({
    hooks: sources(z.object({ name: known(z.string()), secrets: known(z.array(known(secretName))), key: known(secretName) })),
    channels: sources(z.object({ name: known(z.string()), secret: known(secretName), nudgeSecret: known(secretName) })),
    serve: known(
      z.array(
        known(z.object({ name: known(z.string()), secret: known(secretName), decides: known(z.array(known(z.string()))) })),
      ),
    ),
    approvers: known(z.record(z.string(), z.unknown())),
    rules: known(z.array(known(z.object({ name: known(z.string()), ask: known(z.object({ approvers: known(z.string()) })) })))),
    defaults: known(z.object({ approvers: known(z.string()) })),
  })
  .catch({ hooks: [undefined], channels: [undefined] })

/** Bytes of a hook's secret, and of a channel's (contract, "Environment"). */
const LEAST_HOOK_SECRET = 16
const LEAST_CHANNEL_SECRET = 32

export function checkReferences(source: SettingsSource, variables: Variables, faults: Fault[]): void {
  const { hooks, channels, serve = [], approvers, rules = [], defaults } = Mentions.parse(source.value)
  const tell: Tell = (path, what) => faults.push({ where: source.at(path), what })
  if (hooks.length + channels.length === 0) tell([], 'needs at least one source: hooks or channels')
  // An approval is kept under its source's name alone, whatever the kind.
  const sourceNames = new Set<string>()
  unique(hooks, 'hooks', tell, sourceNames)
  unique(channels, 'channels', tell, sourceNames)
  unique(rules, 'rules', tell)
  unique(serve, 'serve', tell)
  const mustExist = (set: string | undefined, path: Path): void => {
    if (set !== undefined && approvers !== undefined && !Object.hasOwn(approvers, set))
      tell(path, 'names a set that does not stand under approvers')
  }
  mustExist(defaults?.approvers, ['defaults', 'approvers'])
  for (const [index, rule] of rules.entries()) mustExist(rule?.ask?.approvers, ['rules', index, 'ask', 'approvers'])
  for (const [index, served] of serve.entries())
    for (const [nth, set] of (served?.decides ?? []).entries()) mustExist(set, ['serve', index, 'decides', nth])

  const used = new Map<string, { readonly place: string; readonly thing: string }>()
  const use = (value: string, place: string, where: string, thing = place): void => {
    const before = used.get(value)
    if (before === undefined) used.set(value, { place, thing })
    else if (before.thing !== thing) faults.push({ where, what: `is the same secret as ${before.place}; each needs its own` })
  }
  for (const name of ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'SLACK_APP_TOKEN'])
    if (variables[name]) use(variables[name], name, `environment: ${name}`)
  const take = (
    variable: string | undefined,
    path: Path,
    faultOf: (value: string) => string | undefined,
    thing?: string,
  ): void => {
    if (variable === undefined) return
    const value = variables[variable]
    if (value === undefined || value === '') {
      tell(path, `needs the environment variable ${variable}, which is ${value === undefined ? 'not set' : 'empty'}`)
      return
    }
    const fault = faultOf(value)
    if (fault !== undefined) tell(path, `${variable} ${fault}`)
    use(value, printed(path), source.at(path), thing)
  }
  for (const [index, hook] of hooks.entries()) {
    for (const [nth, variable] of (hook?.secrets ?? []).entries())
      take(variable, ['hooks', index, 'secrets', nth], secretFault(LEAST_HOOK_SECRET))
    // Two hooks of one account resolve under one key: that is one thing.
    take(hook?.key, ['hooks', index, 'key'], keyFault, 'api key')
  }
  for (const [index, channel] of channels.entries()) {
    // A nudge may be signed as its source's channel is: that is one thing too.
    const thing = printed(['channels', index])
    for (const key of ['secret', 'nudgeSecret'] as const)
      take(channel?.[key], ['channels', index, key], secretFault(LEAST_CHANNEL_SECRET), thing)
  }
  for (const [index, served] of serve.entries())
    take(served?.secret, ['serve', index, 'secret'], secretFault(LEAST_CHANNEL_SECRET))
}

function secretFault(leastBytes: number): (value: string) => string | undefined {
  return (value) => {
    if (/[\r\n\0]/.test(value)) return 'holds a line break'
    return Buffer.byteLength(value, 'utf8') < leastBytes ? `is too short: at least ${leastBytes} bytes` : undefined
  }
}

/** It travels in a header, which holds no more than this. */
function keyFault(value: string): string | undefined {
  return /^[\x21-\x7E]+$/.test(value) ? undefined : 'holds a blank, a line break or a character that no header carries'
}

type Tell = (path: Path, what: string) => void

function unique(
  named: readonly ({ readonly name?: string | undefined } | undefined)[],
  list: string,
  tell: Tell,
  seen = new Set<string>(),
): void {
  for (const [index, one] of named.entries()) {
    if (one?.name === undefined) continue
    if (seen.has(one.name)) tell([list, index, 'name'], 'is used twice')
    seen.add(one.name)
  }
}
