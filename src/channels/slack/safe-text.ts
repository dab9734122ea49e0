/**
 * The only two kinds of text that blocks are made of. `Words` are ours: they can be built from literals, numbers, plain ids and
 * the settings only, and go anywhere. `Inert` is a model's or a caller's text made inert, and goes into `rich_text_preformatted`
 * only, the one place where Slack reads nothing into it (slack-facts B5).
 *
 * Making inert is injective: two texts that differ come out different. A backslash is doubled, so every escape below is ours.
 */
declare const words: unique symbol
declare const inertText: unique symbol
export type Words = string & { readonly [words]: true }
export type Inert = string & { readonly [inertText]: true }

/** Our own sentence. */
export function ours(literals: TemplateStringsArray, ...values: readonly (Words | number)[]): Words {
  return literals.reduce(
    (text, literal, index) => text + literal + (index < values.length ? String(values[index]) : ''),
    '',
  ) as Words
}

/** Text that the owner of the installation wrote in the settings, with nothing hidden in it. */
export function fromSettings(text: string): Words {
  return inert(text, 'one line') as string as Words
}

const PLAIN_ID = /^[A-Za-z0-9_.:-]{1,128}$/

/** An id or a tool name that can stand among our words; undefined when it must be shown as inert text instead. */
export function plainId(id: string): Words | undefined {
  return PLAIN_ID.test(id) ? (id as Words) : undefined
}

/** As `plainId`, or the words that send the reader to where it is shown. */
export function idOrSeeBelow(id: string): Words {
  return plainId(id) ?? ours`see below`
}

/** Spaces in a row that are shown as they are: inside a line, and as the indentation of one. */
const SPACES_INSIDE = 8
const SPACES_BEFORE = 24
const LINE_BREAKS = 4
const MARKS = 4
const SAME_HIDDEN = 4

/** Shown by code point: what a reader cannot see, or what moves what they see. */
const HIDDEN = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFFC`
const PARTS = new RegExp(
  String.raw`(?<breaks>\n+)|(?<spaces> +)|(?<hidden>[${HIDDEN}]|(?! )\p{Zs})\k<hidden>*|(?<word>(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}])+)|(?<mark>[\\"])|(?<other>[^\x21-\x7E])`,
  'gu',
)

/**
 * @param layout `lines` keeps line breaks; `one line` shows them as `\n`; `quoted` is one line whose quotes are escaped, for use
 * between quotes.
 */
export function inert(text: string, layout: 'lines' | 'one line' | 'quoted' = 'lines'): Inert {
  return text.replace(PARTS, (part: string, ...rest: readonly unknown[]) => {
    const offset = rest.at(-3)
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
    if (groups.breaks !== undefined) return breaks(part, layout)
    if (groups.spaces !== undefined)
      return spaces(part, layout === 'lines' && (offset === 0 || text[Number(offset) - 1] === '\n'))
    if (groups.hidden !== undefined) return hidden(part)
    if (groups.word !== undefined) return word(part)
    if (groups.mark !== undefined) return part === '\\' ? '\\\\' : layout === 'quoted' ? '\\"' : part
    return part === part.normalize('NFC') ? part : escaped(part)
  }) as Inert
}

function breaks(run: string, layout: 'lines' | 'one line' | 'quoted'): string {
  if (layout !== 'lines') return run.length > LINE_BREAKS ? `\\{${run.length} line breaks}` : '\\n'.repeat(run.length)
  return run.length > LINE_BREAKS ? `\\{${run.length} line breaks}\n` : run
}

function spaces(run: string, startsLine: boolean): string {
  return run.length > (startsLine ? SPACES_BEFORE : SPACES_INSIDE) ? `\\{${run.length} spaces}` : run
}

function hidden(run: string): string {
  const points = [...run]
  const [first = ''] = points
  const code = first.codePointAt(0) ?? 0
  if (points.length > SAME_HIDDEN) return `\\{${points.length} times ${code.toString(16).toUpperCase()}}`
  const short = first === '\t' ? '\\t' : first === '\r' ? '\\r' : escaped(first)
  return short.repeat(points.length)
}

/** A word that reads like another is shown by code points: not in composed form, of mixed scripts, or letters in disguise. */
function word(run: string): string {
  if (/^[\x00-\x7F]*$/.test(run)) return run
  const leading = /^\p{M}+/u.exec(run)?.[0] ?? ''
  const rest = run.slice(leading.length)
  const doubtful =
    rest !== rest.normalize('NFC') ||
    new RegExp(`\\p{M}{${MARKS + 1}}`, 'u').test(rest) ||
    mixesScripts(rest) ||
    /^[\x00-\x7F]+$/.test(rest.normalize('NFKC'))
  return escaped(leading) + (doubtful ? escaped(rest) : rest)
}

function escaped(text: string): string {
  return text.replace(/[^\x20-\x7E]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`)
}

const SCRIPTS = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Bengali',
  'Thai',
  'Georgian',
  'Cherokee',
  'Coptic',
  'Lisu',
  'Hangul',
  'Hiragana',
  'Katakana',
  'Han',
  'Bopomofo',
].map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }))
/** Written together every day (Unicode TR 39, "highly restrictive"). */
const TOGETHER = ['Latin', 'Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul']

function mixesScripts(run: string): boolean {
  const found = new Set<string>()
  for (const char of run) {
    if (!/\p{L}/u.test(char)) continue
    found.add(SCRIPTS.find(({ letter }) => letter.test(char))?.name ?? 'another')
  }
  return found.size > 1 && ![...found].every((name) => TOGETHER.includes(name))
}

/** One escape, or one character: where inert text may be cut without breaking either. */
const TOKENS = /\\u\{[0-9A-F]+\}|\\\{[^}]*\}|\\[\s\S]|[\s\S]/gu

/** Cuts inert text into parts of at most `most` UTF-16 units, at line breaks where that wastes little. */
export function split(text: Inert, most: number): readonly Inert[] {
  const parts: Inert[] = []
  let part = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (part.length + token.length > most) {
      const line = part.lastIndexOf('\n') + 1
      const cut = line > most / 2 ? line : part.length
      parts.push(part.slice(0, cut) as Inert)
      part = part.slice(cut)
    }
    part += token
  }
  return part === '' ? parts : [...parts, part as Inert]
}
