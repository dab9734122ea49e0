import { no, yes } from './answer.ts'
import { blocksFindings } from './block.ts'
import { CHAT } from './chat.ts'
import { CONNECTIONS } from './connections.ts'
import { CONVERSATIONS } from './conversations.ts'
import { isObject, type JsonObject } from './json.ts'
import { LIMITS } from './limits.ts'
import type { Method } from './method.ts'
import { MODALS } from './modals.ts'
import { PEOPLE } from './people.ts'
import type { Finding } from './shape.ts'
import { validateMessage, validateView } from './validate.ts'

/** Echoes its arguments; `error` makes it say no. Source: docs.slack.dev/reference/methods/api.test. */
const apiTest: Method = {
  scopes: [],
  token: 'none',
  run: (_workspace, args) => (typeof args.error === 'string' ? no(args.error, { args }) : yes({ args })),
}

/**
 * Source: docs.slack.dev/reference/methods/blocks.validate: exactly one of blocks, message and view; a message must not
 * contain `text`; no token is needed.
 */
const blocksValidate: Method = {
  scopes: [],
  token: 'none',
  run: (_workspace, args) => {
    const given = ['blocks', 'message', 'view'].filter((name) => args[name] !== undefined)
    const [subject] = given
    if (given.length !== 1 || subject === undefined) return no('invalid_arguments')
    if (subject === 'blocks') return verdict('invalid_blocks', blocksFindings(args.blocks ?? null, '', LIMITS.messageBlocks))
    const value = args[subject]
    const error = `invalid_${subject}`
    if (!isObject(value)) return verdict(error, [{ pointer: '', message: 'must provide an object' }])
    if (subject === 'view') return verdict(error, validateView(value))
    const { text, ...rest } = value
    const found = validateMessage(rest)
    if (text !== undefined) found.push({ pointer: '', message: 'invalid additional property: text' })
    return verdict(error, found)
  },
}

function verdict(error: string, found: readonly Finding[]): JsonObject {
  if (found.length === 0) return yes()
  return no(error, {
    errors: found.map(({ pointer, message }) => ({ pointer, message, code: message.split(':')[0] ?? message })),
    response_metadata: { messages: found.map(({ pointer, message }) => `[ERROR] ${message} [json-pointer:${pointer}]`) },
  })
}

/** Every method that the stand-in knows, by its name. */
export const METHODS: Readonly<Record<string, Method>> = {
  ...PEOPLE,
  ...CHAT,
  ...CONNECTIONS,
  ...CONVERSATIONS,
  ...MODALS,
  'api.test': apiTest,
  'blocks.validate': blocksValidate,
}

/** The scopes of a token that may call every method. chat:write.public is not among them: it would hide not_in_channel. */
export const ALL_SCOPES: readonly string[] = [
  ...new Set(Object.values(METHODS).flatMap((method) => method.scopes)),
  'commands',
].sort()
