// What the agent of the try-out does: something harmless, something that makes one hesitate, and something too long for a card.
import type { Step } from './agent.ts'

const SERVICES = [
  ...['accounts', 'audit', 'billing', 'carts', 'catalog', 'checkout', 'contracts', 'coupons', 'exports', 'fraud', 'gateway'],
  ...['identity', 'imports', 'inventory', 'ledger', 'mailer', 'media', 'notices', 'orders', 'payouts', 'pricing', 'quotes'],
  ...['refunds', 'reports', 'search', 'sessions', 'shipping', 'suppliers', 'taxes', 'tickets', 'webhooks'],
]

const COMMAND = `set -euo pipefail
cd /srv/acme/releases
# keep the five newest releases, drop the rest
ls -1t | tail -n +6 | xargs -r rm -rf --
psql "$DATABASE_URL" -c "DELETE FROM sessions WHERE last_seen < now() - interval '30 days'"
sudo systemctl restart acme-gateway`

/** Three calls. Their effects are told, not done: nothing on this machine is touched. */
export const demoScript: readonly Step[] = [
  {
    tool: 'read_file',
    input: { path: 'README.md' },
    effect: () => 'The agent has read README.md.',
  },
  {
    tool: 'bash',
    input: { command: COMMAND, cwd: '/srv/acme', timeout_seconds: 120 },
    preview: { summary: 'Deletes old releases and stale sessions in production, then restarts the gateway.' },
    effect: () => 'The agent has run its six lines of shell (it only plays: nothing was deleted).',
  },
  {
    tool: 'apply_patch',
    input: { patch: migration() },
    preview: { summary: `Moves the settings of ${SERVICES.length} services from version 1 to version 2.` },
    effect: () => `The agent has patched ${SERVICES.length} files (it only plays: nothing was written).`,
  },
]

/** The same patch every time, about 30 kB: no clock, no chance. */
function migration(): string {
  return `*** Begin Patch\n${SERVICES.map(change).join('')}*** End Patch\n`
}

/** One service's file, from version 1 to version 2. The numbers follow from its place in the list. */
function change(name: string, at: number): string {
  const port = 7000 + at * 10
  const pool = 4 + (at % 5) * 4
  const timeout = 2 + (at % 7)
  const key = name.toUpperCase()
  const level = at % 4 === 0 ? 'debug' : 'info'
  const before = `version: 1
service: ${name}
listen: 0.0.0.0:${port}
database: postgres://${name}@db-${at % 3}.internal:5432/${name}
database_password: \${${key}_DB_PASSWORD}
pool: ${pool}
timeout: ${timeout}
retry: ${1 + (at % 3)}
log: ${level}
metrics: 0.0.0.0:${port + 1}
allow: 10.0.0.0/8,172.16.0.0/12
feature_new_router: ${at % 2 === 0}
feature_batch_writes: ${at % 3 === 0}`
  const after = `version: 2
service:
  name: ${name}
  listen: { host: 0.0.0.0, port: ${port} }
  metrics: { host: 127.0.0.1, port: ${port + 1} }
database:
  host: db-${at % 3}.internal
  port: 5432
  name: ${name}
  user: ${name}
  password: { from: env, name: ${key}_DB_PASSWORD }
  pool: { min: ${pool / 2}, max: ${pool * 2}, idle_seconds: ${30 + at} }
requests:
  timeout_ms: ${timeout * 1000}
  retries: { count: ${1 + (at % 3)}, backoff_ms: ${100 + at * 10}, jitter: true }
  allow:
    - 10.0.0.0/8
    - 172.16.0.0/12
logging: { level: ${level}, format: json, redact: [authorization, cookie, password] }
features:
  new_router: ${at % 2 === 0}
  batch_writes: ${at % 3 === 0}`
  const lines = (mark: string, text: string) => text.split('\n').map((line) => `${mark}${line}\n`)
  return [`*** Update File: deploy/services/${name}.yml\n`, '@@\n', ...lines('-', before), ...lines('+', after)].join('')
}
