/** What waits of a run beyond its cards, as one message: a line each, and a button that shows them one by one. */
import type { Digest } from '../../approval/approval.ts'
import { counted } from './argument.ts'
import { actions, context, header, line, richText } from './block.ts'
import { digestButton } from './button.ts'
import type { Card } from './card.ts'
import { fromSettings, idOrSeeBelow, ours, plainId, type Words } from './safe-text.ts'

/** Lines that a message holds; the rest is counted. */
const MOST_LINES = 15

export function digestCard({ rowId, source, rootRun, waiting }: Digest): Card {
  const title = titleOf(waiting.length)
  const about = context([ours`Source ${fromSettings(source)}`, ours`Run ${plainId(rootRun) ?? ours`whose cards stand here`}`])
  if (waiting.length === 0) {
    const over = ours`Each call that was listed here has its card by now, or was decided.`
    return { text: title, blocks: [header(title), about, richText([line([{ words: over }])])] }
  }
  const shown = waiting.slice(0, MOST_LINES)
  const more = waiting.length - shown.length
  return {
    text: title,
    blocks: [
      header(title),
      about,
      richText([
        ...shown.map((approval) => line([{ words: ours`${idOr(approval.tool)}, asked ` }, { moment: approval.openedAt }])),
        ...(more > 0 ? [line([{ words: ours`and ${more} more.` }])] : []),
        line([{ words: ours`Each gets a card when there is room. They can also be decided one by one here.` }]),
      ]),
      actions([digestButton(ours`Review one by one`, rowId, 'primary')]),
    ],
  }
}

function titleOf(count: number): Words {
  return count === 0 ? ours`Nothing more waits here` : ours`${counted(count, ours`more call`)} of this run to decide`
}

function idOr(tool: string): Words {
  return plainId(tool) === undefined ? ours`A tool with a name that cannot stand here` : idOrSeeBelow(tool)
}
