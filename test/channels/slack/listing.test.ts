import { describe, expect, test } from 'vitest'
import type { Approval } from '../../../src/approval/approval.ts'
import { listing } from '../../../src/channels/slack/command.ts'
import { ours } from '../../../src/channels/slack/safe-text.ts'
import { validateMessage } from '../../../src/sandbox/slack/validate.ts'
import { decoded } from './decoded.ts'
import { pending } from './hostile.ts'
import { leaks, length, look, rowId } from './look.ts'

const longest = (letter: string): string => letter.repeat(128)

/** An approval whose every name is as long as a name among our words can be. */
function large(n: number): Approval {
  const preview = new Map([['summary', '漢'.repeat(400)]])
  const names = {
    preview,
    toolName: longest('t'),
    agentId: longest('a'),
    runId: longest('r'),
    rootRunId: longest('o'),
    workerRef: longest('w'),
  }
  return { ...pending(new Map([['漢'.repeat(400), '\u007Fx'.repeat(500)]]), names), rowId: rowId(n) }
}

const many = (count: number): readonly Approval[] => Array.from({ length: count }, (_, n) => large(n))

describe('the list of a run', () => {
  test.each([0, 1, 2, 7, 8, 9, 10, 11, 25, 300])(
    'of %i approvals is a message that Slack takes, in less than 9,000 characters',
    (count) => {
      const { text, blocks } = listing(ours`run_1`, many(count), 3)
      expect(validateMessage({ text, blocks })).toEqual([])
      expect(length(blocks)).toBeLessThan(9000)
      expect(leaks(blocks)).toEqual([])
    },
  )

  test('opens each approval by a button of its own, and counts the rest', () => {
    const all = many(25)
    const { text, blocks } = listing(ours`run_1`, all, 3)
    const { carried, actions, read } = look(blocks)
    expect(text).toBe('25 approvals of run_1 may be seen by you.')
    expect(new Set(actions)).toEqual(new Set(['approval.open']))
    expect(carried).toEqual(all.slice(0, carried.length).map(({ rowId, hash }) => JSON.stringify({ v: 1, a: rowId, h: hash })))
    expect(carried.length).toBeGreaterThan(4)
    expect(read).toContain(`${25 - carried.length} more of this run; decide some of these, then ask again.`)
    expect(read).toContain('3 other approvals of this run that you may not see.')
  })

  test('says so when none of it may be seen', () => {
    const { blocks } = listing(ours`this run`, [], 1)
    expect(look(blocks).read).toEqual([
      'Nothing of this run waits that you may see.',
      '1 other approval of this run that you may not see.',
    ])
  })

  test('shows how each call begins, name and value, and cuts no escape', () => {
    const { inside, read } = look(
      listing(
        ours`run_1`,
        [
          pending(
            new Map([
              ['command', 'make deploy'],
              ['cwd', '/srv'],
            ]),
          ),
        ],
        0,
      ).blocks,
    )
    expect(inside).toEqual(['command', 'make deploy'])
    expect(read).toContain('Argument 1 of 2: text, 11 bytes')
    const long = look(listing(ours`run_1`, [pending(new Map([['command', '\u007F\u0085'.repeat(500)]]))], 0).blocks).inside
    expect('\u007F\u0085'.repeat(500).startsWith(decoded(long[1] ?? ''))).toBe(true)
    expect(long[1]?.length).toBeGreaterThan(100)
  })

  test('names a tool below whose name cannot stand among our words', () => {
    const { read } = look(listing(ours`run_1`, [pending(new Map(), { toolName: 'rm <!channel>' })], 0).blocks)
    expect(read).toContain('Approval needed: see below')
    expect(read.slice(read.indexOf("The tool's name:")).slice(0, 2)).toEqual(["The tool's name:", 'rm <!channel>'])
  })
})
