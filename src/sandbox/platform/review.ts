// The body of a hook call, written member by member so that the tool's arguments go out digit for digit.

/** What the engine prepared for people; more members than `summary` may come. */
export interface Preview {
  readonly summary: string
  readonly [member: string]: unknown
}

/** A call's own particulars. Names and order are those of the platform's page "Tool approval hooks". */
export interface Review {
  readonly id: string
  readonly runId: string
  readonly rootRunId: string
  readonly workerRef?: string | undefined
  readonly threadId: string
  readonly agentId: string
  readonly stepNumber: number
  readonly toolName: string
  readonly toolCallId: string
  /** JSON text. A value would lose 9007199254740993 on its way through a JavaScript number. Undefined leaves the member out. */
  readonly inputText: string | undefined
  readonly preview?: Preview | undefined
  readonly resolveUrl: string
}

/** JSON text, or undefined for what JSON cannot say. */
export function jsonText(value: unknown): string | undefined {
  return JSON.stringify(value)
}

/**
 * The body's text. A member of `extra` with a known name replaces that member in its place, and one that is undefined leaves it
 * out: so a test can send a review that lacks something.
 */
export function reviewText(review: Review, extra: Readonly<Record<string, unknown>> = {}): string {
  const { inputText, preview, resolveUrl, ...named } = review
  const members = new Map<string, string | undefined>([['type', jsonText('tool_execution_review')]])
  const order = ['id', 'runId', 'rootRunId', 'workerRef', 'threadId', 'agentId', 'stepNumber', 'toolName', 'toolCallId'] as const
  for (const name of order) members.set(name, jsonText(named[name]))
  members.set('input', inputText)
  members.set('preview', jsonText(preview))
  members.set('resolveUrl', jsonText(resolveUrl))
  for (const [name, value] of Object.entries(extra)) members.set(name, jsonText(value))
  const written = [...members].filter(([, text]) => text !== undefined).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  return `{${written.join(',')}}`
}
