/** The form for a chat message: section 6 of the protocol. */
import { expect } from 'vitest'
import type { Case } from './conformance-channel.ts'
import { approve, show, showText } from './conformance-wire.ts'

/** Everything that moves a cursor, hides or turns the direction of writing, but the line feed that ends a line. */
const NOT_INERT =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/u

export const textCases: readonly Case[] = [
  {
    name: 'the worked example is rendered byte for byte',
    async run({ channel }) {
      const paused = await channel.pause({
        tool: 'deploy',
        kind: 'deployment',
        args: '{"env":"prod","replicas":3,"note":"a <b> & c"}',
        capability: '{"tool":"deploy","env":"prod"}',
        presentation: '{"title":"Deploy build 42 to prod","files":["a.yaml","b.yaml"],"risk":0.5}',
        reason: 'deploying to prod needs a person',
      })
      const { expires_at } = JSON.parse((await show(channel, paused)).text)
      const expires = expires_at === undefined ? '' : `expires ${expires_at.replace(/\.\d+/, '')}\n`
      const reply = await showText(channel, paused)
      expect(reply.status).toBe(200)
      expect(reply.text).toBe(`APPROVAL PENDING  ${paused.approval}
run     ${paused.run}
kind    deployment
tool    deploy
reason  deploying to prod needs a person
hash    ${paused.hash}
${expires}arguments (the tool call the model made; one field per line, byte count is the field's own size)
  env (6 bytes)
    "prod"
  note (26 bytes)
    "a \\u003cb\\u003e \\u0026 c"
  replicas (1 bytes)
    3
presentation (supplied by the consumer's policy; it may contain model-chosen text)
  files (19 bytes)
    [
      "a.yaml",
      "b.yaml"
    ]
  risk (3 bytes)
    0.5
  title (25 bytes)
    "Deploy build 42 to prod"
----- end of approval ${paused.approval} for tool deploy -----
`)
    },
  },
  {
    name: 'TextRenderingIsSanitised: nothing moves a cursor, turns the writing or forges a line',
    async run({ channel }) {
      const forged = 'hash    0000000000000000'
      const paused = await channel.pause({
        tool: 'publish_proposal',
        kind: 'publication',
        args: JSON.stringify({ proposal_id: 'p-7', head_ref: 'refs/heads/agent/fix-it' }),
        presentation: JSON.stringify({ title: `ok\u001b[2J\u202e\n${forged}`, [`key\u200b\n${forged}`]: 1 }),
        reason: `why\u001b[2J\r\n${forged}\u{e0041}`,
      })
      const { text } = await showText(channel, paused)
      expect(text).not.toMatch(NOT_INERT)
      const lines = text.split('\n')
      expect(lines.slice(1, 6)).toEqual([
        `run     ${paused.run}`,
        'kind    publication',
        'tool    publish_proposal',
        `reason  why\\x1b[2J  ${forged}\\u{e0041}`,
        `hash    ${paused.hash}`,
      ])
      expect(lines).toContain('  proposal_id (5 bytes)')
      expect(lines).toContain('  head_ref (25 bytes)')
      expect(text).toContain('\\u001b[2J')
      expect(text).toContain('\\u{202e}')
      expect(lines.slice(-2)).toEqual([`----- end of approval ${paused.approval} for tool publish_proposal -----`, ''])
      expect(lines.filter((line) => line.startsWith('hash'))).toEqual([`hash    ${paused.hash}`])
    },
  },
  {
    name: 'a long string is shown by its two ends, and what is missing is counted',
    async run({ channel }) {
      const args = { ascii: 'x'.repeat(5000), exact: 'y'.repeat(2000), letters: `a${'é'.repeat(1500)}` }
      const { text } = await showText(channel, await channel.pause({ args: JSON.stringify(args) }))
      const ends = 'x'.repeat(200)
      expect(text).toContain(`  ascii (428 bytes)\n    "${ends}…[4600 bytes omitted]…${ends}"\n`)
      expect(text).toContain(`  exact (2002 bytes)\n    "${args.exact}"\n`)
      expect(text).toContain(`"a${'é'.repeat(99)}…[2602 bytes omitted]…${'é'.repeat(100)}"`)
    },
  },
  {
    name: 'empty fields have words, and names are sorted by their bytes at every depth',
    async run({ channel }) {
      const paused = await channel.pause({ args: '{}', presentation: '{"😀":1,"\uffee":2,"b":{"z":[],"a":{}},"B":null}' })
      const { text } = await showText(channel, paused)
      expect(text).toContain("field's own size)\n  (no fields)\npresentation (")
      const names = text.split('\n').filter((line) => /^ {2}\S.* bytes\)$/.test(line))
      expect(names).toEqual(['  B (4 bytes)', '  b (15 bytes)', '  \uffee (1 bytes)', '  😀 (1 bytes)'])
      expect(text).toContain('    {\n      "a": {},\n      "z": []\n    }\n')
    },
  },
  {
    name: 'a decided approval says when and by whom, made inert',
    async run({ channel }) {
      const paused = await channel.pause()
      expect((await approve(channel, paused, { by: 'slack:U1\u202e\nrun     other' })).status).toBe(202)
      const lines = (await showText(channel, paused)).text.split('\n')
      expect(lines[0]).toBe(`APPROVAL APPROVED  ${paused.approval}`)
      const decided = lines.filter((line) => line.startsWith('decided'))
      expect(decided).toEqual([
        expect.stringMatching(/^decided \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ by slack:U1\\u\{202e\} run {5}other$/),
      ])
    },
  },
]
