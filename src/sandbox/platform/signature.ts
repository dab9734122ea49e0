// Signs what the platform sends. It never verifies: that is the hook's work.
import { createHmac } from 'node:crypto'

/**
 * The whole `Novo-Signature` header for these bytes. `t` is Unix seconds. The secret is used as it is written, prefix included.
 * The header's form is that of the platform's page "Tool approval hooks"; the page leaves the signed text open, and the stand-in
 * takes the widespread one: `t`, a full stop, the raw body.
 */
export function sign(secret: string, body: string | Uint8Array, t: number): string {
  const v1 = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  return `t=${t},v1=${v1}`
}
