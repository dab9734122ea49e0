import type { Changes } from './changes.ts'
import type { SlackClock } from './clock.ts'
import type { Names } from './fill.ts'
import type { ResponseLinks } from './links.ts'
import type { Messages } from './messages.ts'
import type { Sockets } from './sockets.ts'
import type { Triggers } from './triggers.ts'
import type { Views } from './views.ts'
import type { WorldBook } from './world.ts'

/** All state of one stand-in. Each part guards its own rules; nothing here outlives the process. */
export interface Workspace {
  readonly clock: SlackClock
  readonly changes: Changes
  readonly names: Names
  readonly world: WorldBook
  readonly messages: Messages
  readonly views: Views
  readonly triggers: Triggers
  readonly links: ResponseLinks
  readonly sockets: Sockets
  /** The stand-in's own address without a slash at the end. */
  readonly origin: string
}
