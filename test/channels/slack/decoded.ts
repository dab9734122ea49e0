/** The text that inert text was made from, read back by rules of its own: throws where an escape is cut, wrong or doubtful. */
const TOKEN =
  /\\u\{(?<point>[0-9A-F]+)\}|\\\{(?<spaces>\d+) spaces\}|\\\{(?<breaks>\d+) line breaks\}\n?|\\\{(?<times>\d+) times (?<of>[0-9A-F]+)\}|(?<backslashes>(?:\\\\)+)|\\(?<short>[ntr"])|(?<plain>[^\\]+)/uy

const SHORT: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"' }

export function decoded(text: string): string {
  let out = ''
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(text)?.groups
    if (found === undefined) throw new Error(`no escape of ours at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`)
    const { point, spaces, breaks, times, of, backslashes, short, plain } = found
    if (point !== undefined) out += String.fromCodePoint(Number.parseInt(point, 16))
    else if (spaces !== undefined) out += ' '.repeat(Number(spaces))
    else if (breaks !== undefined) out += '\n'.repeat(Number(breaks))
    else if (of !== undefined) out += String.fromCodePoint(Number.parseInt(of, 16)).repeat(Number(times))
    else if (backslashes !== undefined) out += '\\'.repeat(backslashes.length / 2)
    else out += SHORT[short ?? ''] ?? plain ?? ''
  }
  return out
}
