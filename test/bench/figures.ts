/** What the measurements of one server come to, and how it is told. */
import type { Measured } from './load.ts'

/** One measurement, with the commits that the database made meanwhile and the processor time that the server used. */
export type Round = Measured & { readonly commits: number; readonly cpuMs: number }

interface Figures {
  readonly rate: number
  /** The rate of each round: how far the machine itself wanders. */
  readonly rates: readonly number[]
  readonly p50: number
  readonly p99: number
  readonly callsPerCommit: number
  readonly cpuMsPerCall: number
}

function figuresOf(rounds: readonly Round[]): Figures {
  const sum = (of: (round: Round) => number): number => rounds.reduce((total, round) => total + of(round), 0)
  const latencies = rounds.flatMap((round) => round.latencies).sort((a, b) => a - b)
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
  return {
    rate: sum((round) => round.calls) / sum((round) => round.seconds),
    rates: rounds.map((round) => round.calls / round.seconds),
    p50: at(0.5),
    p99: at(0.99),
    callsPerCommit: sum((round) => round.calls) / sum((round) => round.commits),
    cpuMsPerCall: sum((round) => round.cpuMs) / sum((round) => round.calls),
  }
}

const HEAD = [
  'connections',
  'server',
  'calls/s',
  'p50 ms',
  'p99 ms',
  'calls/commit',
  'CPU ms/call',
  'calls/s ×',
  'p50 ×',
  'p99 ×',
  'each round',
]

/** A line for each server; the columns with × are its figures over those of the first one. */
export function table(connections: number, measured: ReadonlyMap<string, readonly Round[]>): string {
  const figures = [...measured].map(([name, rounds]) => ({ name, ...figuresOf(rounds) }))
  const [first] = figures
  const lines = figures.map((one) => [
    String(connections),
    one.name,
    one.rate.toFixed(0),
    one.p50.toFixed(2),
    one.p99.toFixed(2),
    one.callsPerCommit.toFixed(2),
    Number.isNaN(one.cpuMsPerCall) ? '-' : one.cpuMsPerCall.toFixed(2),
    ...(first === undefined
      ? []
      : [one.rate / first.rate, one.p50 / first.p50, one.p99 / first.p99].map((ratio) => ratio.toFixed(2))),
    one.rates.map((rate) => rate.toFixed(0)).join(' '),
  ])
  const widths = HEAD.map((head, column) => Math.max(...[HEAD, ...lines].map((line) => line[column]?.length ?? 0), head.length))
  return [HEAD, ...lines]
    .map((line) =>
      line
        .map((cell, column) =>
          column === 1 || column === HEAD.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
