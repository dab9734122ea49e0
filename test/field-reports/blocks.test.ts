/** Field reports about plain text, which Slack's clients do not leave quite alone. */
import { describe, expect, test } from 'vitest'
import { context, header, section } from '../../src/channels/slack/block.ts'
import { fromSettings, ours } from '../../src/channels/slack/safe-text.ts'

const WORDS = ours`Rule “${fromSettings('<@U0ANA> & <!channel> :lock:')}”`
const INERT = 'Rule “&lt;@U0ANA&gt; &amp; &lt;!channel&gt; :lock:”'

describe('in plain text no mention, token or emoji of the settings’ words comes alive', () => {
  test('in a section', () => {
    expect(section(WORDS)).toMatchObject({ text: { type: 'plain_text', text: INERT, emoji: false } })
  })

  test('in a context', () => {
    expect(context([WORDS])).toMatchObject({ elements: [{ type: 'plain_text', text: INERT, emoji: false }] })
  })

  test('in a header, which holds our words and plain ids only, no emoji does', () => {
    expect(header(ours`Approval needed: bash`)).toMatchObject({ text: { type: 'plain_text', emoji: false } })
  })
})
