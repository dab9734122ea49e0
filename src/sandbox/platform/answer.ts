// Reads what a hook answered.

/** A hook's answer, as the platform's page "Tool approval hooks" names the three. */
export interface Answer {
  readonly decision: 'allow' | 'deny' | 'pause'
  readonly reason?: string
}

/** Bytes as JSON, or undefined when they are not JSON in UTF-8. */
export function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** Something with members. An array passes too, and then has none of the names that are asked for. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Null is an invalid body, and then the hook's `onHookError` decides. Members that the page does not name are ignored. */
export function parseAnswer(bytes: Uint8Array): Answer | null {
  const value = readJson(bytes)
  if (!isRecord(value)) return null
  const { decision, reason } = value
  if (decision !== 'allow' && decision !== 'deny' && decision !== 'pause') return null
  if (reason === undefined) return { decision }
  return typeof reason === 'string' ? { decision, reason } : null
}
