import { expect, test } from 'vitest'
import { scene } from '../scene.ts'

test('no log line holds a secret, an input, a preview or a note, whatever fails on the way', async () => {
  const s = await scene()
  try {
    const planted = { input: 'planted-input-7f3a', preview: 'planted-preview-91cc', note: 'planted-note-e02b' }
    s.slack.fault({ method: 'chat.postMessage', kind: 'error', error: 'internal_error' })
    s.slack.fault({ method: 'chat.update', kind: 'status', status: 500 })
    s.platform.answerNext({ status: 500, body: 'planted-answer-5d1e' })
    const { id } = await s.call('bash', { command: planted.input }, { preview: { summary: planted.preview } })
    await s.slack.until('a failed post', () => s.slack.calls('chat.postMessage').length === 1)
    s.advance(3100)
    await s.press('U0DEV', id, 'approval.deny')
    await s.press('U0ANA', id, 'approval.note')
    const view = await s.slack.until('the note view', () => s.slack.views('U0ANA')[0])
    s.slack.fault({ method: 'response_url', kind: 'status', status: 500 })
    await s.slack.submit({ user: 'U0ANA', view: String(view.id), values: { note: { 'note.text': planted.note } } })
    await s.card(id, 'The agent platform has it')
    await s.slack.command({ user: 'U0ANA', conversation: 'C0APPROVALS', text: `/approvals ${s.row(id)?.run}` })
    await s.platform.send({ url: s.hook.url, body: `{"x":"${planted.input}"`, headers: { 'content-type': 'application/json' } })
    await s.stop()
    const log = s.log.join('\n')
    expect(s.log.length).toBeGreaterThan(5)
    expect(log).toContain(String(s.row(id)?.row_id))
    for (const text of [...Object.values(planted), 'planted-answer-5d1e', ...s.secrets]) expect(log).not.toContain(text)
  } finally {
    await s.close()
  }
})
