/** Patterns over tool names: `*` is any run of characters, `?` is one, all else is itself. Linear in practice, and without a regular expression that a rule could make explode. */
export function matches(pattern: string, name: string): boolean {
  let p = 0
  let n = 0
  let star = -1
  let resume = 0
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p
      p += 1
      resume = n
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p += 1
      n += 1
    } else if (star >= 0) {
      p = star + 1
      resume += 1
      n = resume
    } else return false
  }
  while (pattern[p] === '*') p += 1
  return p === pattern.length
}
