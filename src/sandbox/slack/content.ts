import { no, noBecause, type Refused } from './answer.ts'
import { wordAt } from './arguments.ts'
import { blocksFindings, textLength } from './block.ts'
import { isList, isObject, type JsonObject } from './json.ts'
import { LIMITS } from './limits.ts'
import type { Finding } from './shape.ts'
import { metadata } from './validate.ts'

/** What a call says a message should hold. A field that was not given is undefined, which an update leaves as it is. */
export interface Content {
  readonly text: string | undefined
  readonly blocks: readonly JsonObject[] | undefined
  readonly metadata: JsonObject | null | undefined
}

/**
 * The content of a post, an update or an answer by response_url, or why Slack would not take it.
 * `maxText` differs: a post may be ten times as long as an update.
 */
export function contentOf(args: JsonObject, maxText: number): Content | Refused {
  const text = wordAt(args, 'text')
  if (text !== undefined && text.length > maxText) return no('msg_too_long')
  if (args.attachments !== undefined && !emptyList(args.attachments)) return no('invalid_attachments')
  const blocks = args.blocks
  if (blocks !== undefined && blocks !== null) {
    const found = blocksFindings(blocks, '/blocks', LIMITS.messageBlocks)
    if (found.length > 0) return noBecause(isList(blocks) ? 'invalid_blocks' : 'invalid_blocks_format', found)
    if (textLength(blocks) > LIMITS.messageBlocksText) return no('msg_blocks_too_long')
  }
  const kept = metadataOf(args)
  if (kept === 'invalid') return no('invalid_metadata_format')
  return { text, blocks: isList(blocks) ? blocks.filter(isObject) : undefined, metadata: kept }
}

/** Source: docs.slack.dev/reference/methods/chat.update: no metadata keeps the old one, an empty object removes it. */
function metadataOf(args: JsonObject): JsonObject | null | undefined | 'invalid' {
  const given = args.metadata
  if (given === undefined || given === null) return undefined
  if (isObject(given) && Object.keys(given).length === 0) return null
  const found: Finding[] = []
  metadata(given, '/metadata', found)
  return found.length > 0 || !isObject(given) ? 'invalid' : given
}

function emptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
