/** The tree is the argument: who may import whom (README, "Developing"), no cycles, no drawers. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { expect, test } from 'vitest'

const SRC = new URL('../src', import.meta.url).pathname

interface Import {
  readonly from: string
  readonly to: string
  readonly typesOnly: boolean
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(join(SRC, file), 'utf8')
  return [
    ...text.matchAll(/^(?:import|export)\s(?:(type)\s)?[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)|^import\s+'([^']+)'/gm),
  ].map((found) => {
    const target = found[2] ?? found[3] ?? found[4] ?? ''
    return {
      from: file,
      to: target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
      typesOnly: found[1] === 'type',
    }
  })
})

/** What each folder may import beside itself, zod and node:crypto. The longest name that fits a file is its row. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  'approval/': [],
  'policy/': ['approval/'],
  'sources/novo/': ['approval/', 'http/body.ts', 'undici', 'node:http', 'node:stream'],
  'sources/agentrt/': ['approval/', 'approval-channel/'],
  'approval-channel/': ['approval/', 'undici'],
  'channels/webhook/': ['approval/', 'approval-channel/'],
  'channels/slack/': [
    'approval/',
    'policy/rules.ts',
    '@slack/bolt',
    '@slack/types',
    '@slack/web-api',
    'keyv',
    'undici',
    'ws',
    'node:http',
  ],
  'store/': ['approval/', 'kysely', 'better-sqlite3', 'node:fs'],
  'config/': ['policy/', 'approval/', 'yaml', 'node:fs'],
  'http/': ['fastify', 'pino', 'node:stream'],
  'log.ts': ['pino'],
  'clock.ts': ['approval/ports.ts'],
  'new-id.ts': ['approval/ports.ts'],
  'version.ts': ['node:fs'],
  'sandbox/page/': [],
  'sandbox/platform/': ['node:'],
  'sandbox/runtime/': ['node:'],
  'sandbox/slack/': ['node:', '@slack/types', 'ws'],
  'app.ts': [''],
  'app-slack.ts': [''],
  'app-sources.ts': [''],
  'app-channel.ts': [''],
  'app-mount.ts': [''],
  'app-nudge.ts': [''],
  'main.ts': [''],
  'cli/': [''],
}

function rowOf(file: string): string {
  const row = Object.keys(MAY)
    .filter((prefix) => file.startsWith(prefix))
    .sort((a, b) => b.length - a.length)[0]
  if (row === undefined) throw new Error(`${file} stands outside the tree`)
  return row
}

test('every file stands in the tree and imports only what its place may', () => {
  const wrong = imports.filter(({ from, to }) => {
    const row = rowOf(from)
    return ![row, 'zod', 'node:crypto', ...(MAY[row] ?? [])].some((allowed) => to.startsWith(allowed))
  })
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  expect(imports.length).toBeGreaterThan(100)
})

test('a channel takes types alone from the policy, and the domain knows no clock but the one given', () => {
  const values = imports.filter(
    ({ from, to, typesOnly }) => from.startsWith('channels/') && to.startsWith('policy/') && !typesOnly,
  )
  expect(values).toEqual([])
  for (const file of files.filter((one) => /^(approval|policy)\//.test(one))) {
    expect(readFileSync(join(SRC, file), 'utf8')).not.toMatch(/Date\.now|new Date\(\)|setTimeout|setInterval|Math\.random/)
  }
})

test('no two files import each other, however long the way round', () => {
  const next = new Map<string, readonly string[]>(
    files.map((file) => [file, imports.filter(({ from, to }) => from === file && files.includes(to)).map(({ to }) => to)]),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    for (const to of next.get(file) ?? []) walk(to, [...path, file])
    done.add(file)
  }
  for (const file of files) walk(file, [])
  expect(cycles).toEqual([])
})

test('there is no drawer, no barrel, and no name that says nothing', () => {
  const drawers = files.filter((file) => /(^|\/)(index|types|utils|helpers|lib|common|services?|managers?)(\.ts$|\/)/.test(file))
  expect(drawers).toEqual([])
  const names = files.flatMap((file) =>
    [
      ...readFileSync(join(SRC, file), 'utf8').matchAll(
        /(?:class|interface|type|function|const)\s+(\w*(?:Service|Manager|Handler|Helper|Util|Payload|Processor|Impl)|handle[A-Z]\w*|process[A-Z]\w*)\b/g,
      ),
    ].map((found) => `${relative('.', file)}: ${found[1]}`),
  )
  expect(names).toEqual([])
})
