/** What a served channel refuses to start with. */
import { expect, test } from 'vitest'
import { channelSecret } from '../../../src/approval-channel/signature.ts'
import { BOUNDS, channelServer, type Serving } from '../../../src/channels/webhook/server.ts'
import { scriptedApprover } from '../../approval-channel/scripted-approver.ts'

const serving: Serving = {
  approver: scriptedApprover(() => new Date()).approver,
  channels: [{ name: 'console', secret: channelSecret('s'.repeat(32)) }],
  signatures: { use: async () => 'new' },
  now: () => new Date(),
  bounds: BOUNDS,
}

test('a missing Approver, no secret at all and one of 31 bytes are refused before anything is served, and say what is missing', () => {
  expect(() => channelServer(serving)).not.toThrow()
  const { approver: _, ...without } = serving
  expect(() => Reflect.apply(channelServer, undefined, [without])).toThrow('needs an Approver')
  expect(() => channelServer({ ...serving, channels: [] })).toThrow('needs a secret')
  expect(() => channelSecret('s'.repeat(31))).toThrow('32 bytes')
})
