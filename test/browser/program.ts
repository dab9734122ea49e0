/**
 * The built program in a process of its own, run as a newcomer runs it: from another folder, with nothing in its environment
 * but what it is told. What it leaves in its temporary folder can be looked at when it has ended.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: readonly string[]
  readonly err: readonly string[]
  /** What still stands in the folder for temporary files. */
  readonly left: readonly string[]
}

export interface Program {
  /** What it has printed so far. */
  readonly out: readonly string[]
  /** Resolves with the first line, printed already or yet to come, that matches. Rejects when the program ends without it. */
  said(pattern: RegExp): Promise<RegExpExecArray>
  readonly ended: Promise<Ended>
  send(signal: NodeJS.Signals): void
  /** Ends the process if it still runs, and removes its folder. */
  discard(): Promise<void>
}

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
/** How long a line may take to come. Milliseconds. */
const PATIENCE_MS = 30_000

export function startProgram(args: readonly string[], variables: Readonly<Record<string, string>>): Program {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-browser-'))
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: folder, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out: string[] = []
  const err: string[] = []
  const lines = createInterface(child.stdout).on('line', (line) => void out.push(line))
  createInterface(child.stderr).on('line', (line) => void err.push(line))
  const ended = end(child, folder, out, err)

  function said(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(patience)
        lines.off('line', look)
      }
      const look = (): void => {
        for (const line of out) {
          const found = pattern.exec(line)
          if (found === null) continue
          leave()
          resolve(found)
          return
        }
      }
      const miss = (): void => {
        leave()
        reject(new Error(`the program did not print ${pattern}\n${[...out, ...err].join('\n')}`))
      }
      const patience = setTimeout(miss, PATIENCE_MS)
      lines.on('line', look)
      void ended.then(miss)
      look()
    })
  }

  return {
    out,
    said,
    ended,
    send: (signal) => void child.kill(signal),
    async discard() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess, folder: string, out: readonly string[], err: readonly string[]): Promise<Ended> {
  await once(child, 'close')
  return { code: child.exitCode, signal: child.signalCode, out, err, left: readdirSync(folder) }
}
