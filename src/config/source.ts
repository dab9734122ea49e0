/** The settings file as YAML: its value, and the line of each of its parts. What YAML allows and settings cannot mean is refused here. */
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml'
import type { Fault } from './fault.ts'

export type Path = readonly PropertyKey[]

export interface SettingsSource {
  readonly value: unknown
  /** `countersign.yml:12: rules[0].ask`: the line of the deepest part of the path that the file holds. */
  at(path: Path): string
}

const QUOTES = 'a pattern that begins with * needs quotes'

/** Undefined when there is no value to look at; then a fault says why. */
export function readSource(file: string, readFile: (path: string) => string, faults: Fault[]): SettingsSource | undefined {
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
  const tell = (offset: number, what: string): void => {
    faults.push({ where: `${file}:${lines.linePos(offset).line}`, what })
  }
  for (const { code, pos } of document.errors)
    tell(pos[0], `is not valid YAML (${code})${code === 'BAD_ALIAS' ? `; ${QUOTES}` : ''}`)
  if (document.errors.length > 0) return undefined
  if (strange(document, tell)) return undefined
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 100 }) ?? {}
  } catch {
    faults.push({ where: file, what: 'holds aliases of aliases without end' })
    return undefined
  }
  return {
    value,
    at(path) {
      const offset = offsetOf(document, path)
      return `${file}${offset === undefined ? '' : `:${lines.linePos(offset).line}`}: ${printed(path)}`
    },
  }
}

/** `rules[0].ask` */
export function printed(path: Path): string {
  if (path.length === 0) return 'settings'
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`))
    .join('')
}

/** Aliases of nothing or of themselves, and a key that JavaScript would lose. */
function strange(document: Document.Parsed, tell: (offset: number, what: string) => void): boolean {
  let found = false
  const refuse = (node: Node, what: string): void => {
    found = true
    tell(node.range?.[0] ?? 0, what)
  }
  visit(document, {
    Alias(_key, alias, above) {
      const target = alias.resolve(document)
      if (target === undefined) refuse(alias, `is an alias of nothing; ${QUOTES}`)
      else if (above.includes(target)) refuse(alias, 'is an alias of what it stands in')
    },
    Pair(_key, { key }) {
      if (isScalar(key) && key.value === '__proto__') refuse(key, '__proto__ is not a setting')
    },
  })
  return found
}

/** Where the deepest part of a path begins: a member at its key, not at what stands below it. */
function offsetOf(document: Document.Parsed, path: Path): number | undefined {
  let node: unknown = document.contents
  let offset: number | undefined
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document)
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step)) : undefined
    const item: unknown = isSeq(node) ? node.items[Number(step)] : undefined
    const begins = pair?.key ?? item
    if (!isNode(begins)) break
    offset = begins.range?.[0]
    node = pair === undefined ? item : pair.value
  }
  return offset
}
