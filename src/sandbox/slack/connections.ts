import { yes } from './answer.ts'
import type { Method } from './method.ts'

/** Gives the address of one Socket Mode connection. Source: docs.slack.dev/reference/methods/apps.connections.open. */
export const CONNECTIONS: Readonly<Record<string, Method>> = {
  'apps.connections.open': {
    scopes: [],
    token: 'app',
    run: ({ sockets }) => yes({ url: sockets.ticket() }),
  },
}
