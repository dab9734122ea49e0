/** `countersign manifest`: the Slack app of this installation, to be pasted where Slack asks for one. */
import { stringify } from 'yaml'
import { manifest } from '../channels/slack/manifest.ts'

/** Without an address: the one for Socket Mode, which needs none. @throws Error in words */
export function printManifest({ url, json }: { readonly url?: string; readonly json?: boolean }): void {
  if (url !== undefined && !(URL.canParse(url) && new URL(url).protocol === 'https:'))
    throw new Error('--url must be the https address at which Slack reaches this installation')
  const made = manifest(url === undefined ? { mode: 'socket' } : { mode: 'http', url })
  process.stdout.write(json === true ? `${JSON.stringify(made, null, 2)}\n` : stringify(made, { lineWidth: 120 }))
}
