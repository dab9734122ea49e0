// Makes text inert on a terminal: nothing in it moves a cursor, starts a line or turns the direction of writing.

/** Combining marks on one character that are shown. */
const MAX_MARKS = 4

const FORMATS = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

export function sanitise(text: string): string {
  return text
    .replace(/\p{Cs}+/gu, '\ufffd')
    .replace(/\p{M}{5,}/gu, (marks) => {
      const all = [...marks]
      return `${all.slice(0, MAX_MARKS).join('')}[+${all.length - MAX_MARKS} combining marks dropped]`
    })
    .replace(/[\r\n]/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, (control) => `\\x${hex(control, 2)}`)
    .replace(FORMATS, (format) => `\\u{${hex(format, 4)}}`)
}

function hex(character: string, width: number): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(width, '0')
}
