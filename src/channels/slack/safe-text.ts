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
const SAME_HIDDEN = 4
/** More marks on one letter than any language stacks. */
const MANY_MARKS = /\p{M}{5}/u

/** Shown by code point: what a reader cannot see, or what moves what they see. */
const HIDDEN = String.raw`[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{16FE4}\u{1D159}]--[ \n]]`
const LETTER = String.raw`[[\p{L}\p{M}\p{N}]--${HIDDEN}]`
const OTHER = String.raw`[[^\x00-\x7F]--[${HIDDEN}${LETTER}]]`
/** Runs of one kind each, without groups: a call may be a megabyte, and groups cost most of the time. */
const RUNS = new RegExp(String.raw`\n+|[ ]+|${HIDDEN}+|${LETTER}+|[\\"]+|${OTHER}+`, 'gv')
const IS_HIDDEN = new RegExp(`^${HIDDEN}`, 'v')
const IS_LETTER = new RegExp(`^${LETTER}`, 'v')

/**
 * @param layout `lines` keeps line breaks; `one line` shows them as `\n`; `quoted` is one line whose quotes are escaped, for use
 * between quotes.
 */
export function inert(text: string, layout: 'lines' | 'one line' | 'quoted' = 'lines'): Inert {
  return text.replace(RUNS, (run: string, offset: number) => {
    switch (run[0]) {
      case '\n':
        return breaks(run, layout)
      case ' ':
        return spaces(run, layout === 'lines' && (offset === 0 || text[offset - 1] === '\n'))
      case '\\':
      case '"':
        return run.replaceAll('\\', '\\\\').replaceAll('"', layout === 'quoted' ? '\\"' : '"')
    }
    if (IS_LETTER.test(run)) return word(run)
    if (IS_HIDDEN.test(run)) return hidden(run)
    return run === run.normalize('NFC') ? run : escaped(run)
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
  let out = ''
  for (let at = 0; at < run.length; ) {
    const point = run.codePointAt(at) ?? 0
    const units = point > 0xffff ? 2 : 1
    let count = 1
    while (run.codePointAt(at + count * units) === point) count += 1
    out += count > SAME_HIDDEN ? `\\{${count} times ${hex(point)}}` : shownAs(point).repeat(count)
    at += count * units
  }
  return out
}

function shownAs(point: number): string {
  return point === 9 ? '\\t' : point === 13 ? '\\r' : `\\u{${hex(point)}}`
}

function hex(point: number): string {
  return point.toString(16).toUpperCase()
}

/** A word that reads like another is shown by code points: not in composed form, of mixed scripts, or letters in disguise. */
function word(run: string): string {
  if (/^[\x00-\x7F]*$/.test(run)) return run
  const leading = /^\p{M}+/u.exec(run)?.[0] ?? ''
  const rest = run.slice(leading.length)
  const doubtful =
    rest !== rest.normalize('NFC') || MANY_MARKS.test(rest) || mixesScripts(rest) || /^[\x00-\x7F]+$/.test(rest.normalize('NFKC'))
  return escaped(leading) + (doubtful ? escaped(rest) : rest)
}

function escaped(text: string): string {
  return text.replace(/[^\x20-\x7E]/gu, (char) => `\\u{${hex(char.codePointAt(0) ?? 0)}}`)
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
]
const LETTERS = [
  ...SCRIPTS.map((name) => ({ name, letter: new RegExp(`\\p{Script_Extensions=${name}}`, 'u') })),
  { name: 'another', letter: new RegExp(`[^${SCRIPTS.map((name) => `\\p{Script_Extensions=${name}}`).join('')}]`, 'u') },
]
/** Written together every day (Unicode TR 39, "highly restrictive"). */
const TOGETHER = ['Latin', 'Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul']

function mixesScripts(run: string): boolean {
  const found = new Set<string>()
  let last = LETTERS[0]
  for (const char of run) {
    if (!/\p{L}/u.test(char)) continue
    if (last?.letter.test(char) !== true) last = LETTERS.find(({ letter }) => letter.test(char))
    if (last !== undefined) found.add(last.name)
  }
  return found.size > 1 && ![...found].every((name) => TOGETHER.includes(name))
}

/** One escape of ours. A mark of line breaks takes the break after it along. */
const ESCAPE = /\\u\{([0-9A-F]+)\}|\\\{(\d+) line breaks\}\n?|\\\{(\d+) spaces\}|\\\{(\d+) times ([0-9A-F]+)\}|\\[\s\S]/y
/** Longer than any of them. Characters. */
const LONGEST_ESCAPE = 40

function escapeAt(text: string, backslash: number): RegExpExecArray {
  ESCAPE.lastIndex = backslash
  const found = ESCAPE.exec(text)
  if (found === null) throw new Error('inert text ends within an escape')
  return found
}

/**
 * A place, or when that is inside an escape or a surrogate pair, the places before and after it. `from` is a place before it that
 * is inside neither.
 */
export function cuts(text: Inert, from: number, at: number): { readonly before: number; readonly after: number } {
  const near = Math.max(from, at - LONGEST_ESCAPE)
  let look = near
  // The first of several backslashes always begins an escape, and so does every second one after it.
  while (look > from && text[look - 1] === '\\') look -= 1
  look = near - ((near - look) % 2)
  for (;;) {
    const backslash = text.slice(look, at).indexOf('\\')
    if (backslash === -1) break
    const before = look + backslash
    const after = before + escapeAt(text, before)[0].length
    if (after > at) return { before, after }
    look = after
  }
  const inPair = at > from && (text.codePointAt(at - 1) ?? 0) > 0xffff
  return inPair ? { before: at - 1, after: at + 1 } : { before: at, after: at }
}

/** Cuts inert text into parts of at most `most` UTF-16 units, at line breaks where that wastes little. */
export function split(text: Inert, most: number): readonly Inert[] {
  const parts: Inert[] = []
  let from = 0
  while (text.length - from > most) {
    const { before, after } = cuts(text, from, from + most)
    const part = text.slice(from, before > from ? before : after)
    const line = part.lastIndexOf('\n') + 1
    const cut = line > most / 2 ? line : part.length
    parts.push(part.slice(0, cut) as Inert)
    from += cut
  }
  return from === text.length ? parts : [...parts, text.slice(from) as Inert]
}

/** How many bytes inert text was made from. */
export function bytesBehind(text: Inert): number {
  let bytes = 0
  let at = 0
  for (;;) {
    const backslash = text.indexOf('\\', at)
    bytes += Buffer.byteLength(text.slice(at, backslash === -1 ? text.length : backslash), 'utf8')
    if (backslash === -1) return bytes
    const [whole, point, lineBreaks, plainSpaces, times, repeated] = escapeAt(text, backslash)
    if (point !== undefined) bytes += bytesOf(point)
    else if (repeated !== undefined) bytes += Number(times) * bytesOf(repeated)
    else bytes += Number(lineBreaks ?? plainSpaces ?? 1)
    at = backslash + whole.length
  }
}

function bytesOf(point: string): number {
  return Buffer.byteLength(String.fromCodePoint(Number.parseInt(point, 16)), 'utf8')
}
