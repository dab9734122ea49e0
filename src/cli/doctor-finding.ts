/** What one check found, in words that a person can act on. No finding holds a secret, a token or the text of a message. */

export interface Finding {
  readonly check: string
  /** Only `fails` makes the command say no. `skipped` was not looked at, and the message says why. */
  readonly status: 'ok' | 'warning' | 'fails' | 'skipped'
  readonly message: string
  /** What to do about it. */
  readonly mend: string | null
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message, mend: null }
}

export function warning(check: string, message: string, mend: string): Finding {
  return { check, status: 'warning', message, mend }
}

export function fails(check: string, message: string, mend: string): Finding {
  return { check, status: 'fails', message, mend }
}

export function skipped(check: string, message: string): Finding {
  return { check, status: 'skipped', message, mend: null }
}

/** One line, for a terminal. */
export function printed({ check, status, message, mend }: Finding): string {
  return `${status.padEnd(8)} ${check}: ${message}${mend === null ? '' : ` ${mend}`}\n`
}
