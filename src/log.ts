/** The log: JSON lines with ids and codes. No input, note, body, header or secret is ever handed to it; what is redacted here is a second wall. */
import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

export function makeLog(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorFields },
    redact: {
      paths: ['*.authorization', '*.token', '*.secret', '*.note', '*.input', '*.call', '*.body', 'req', 'res'],
      censor: '[redacted]',
    },
  }
  return pino(options, destination)
}

/** What of an error may be logged. Its message may quote what it failed on, so only its kind, its code and where it was. */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const stack = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    ...('code' in error ? { code: String(error.code).slice(0, 64) } : {}),
    at: stack.slice(0, 8).map((line) => line.trim()),
    ...(error.cause === undefined ? {} : { cause: errorFields(error.cause) }),
  }
}
