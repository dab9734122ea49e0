/** Who we are in Slack, asked once and kept. */
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { failureOf } from './client.ts'

const Identity = z.object({ team_id: z.string(), enterprise_id: z.string().nullish(), user_id: z.string(), bot_id: z.string() })

export interface Identity {
  readonly team: string
  readonly enterprise: string | undefined
  readonly user: string
  readonly bot: string
}

/** @throws Failure while Slack does not tell. Callers at the same time share one call. */
export function identityOf(client: WebClient): () => Promise<Identity> {
  let known: Promise<Identity> | undefined
  return () => {
    known ??= ask(client).catch((error: unknown) => {
      known = undefined
      throw failureOf(error)
    })
    return known
  }
}

async function ask(client: WebClient): Promise<Identity> {
  const { team_id, enterprise_id, user_id, bot_id } = Identity.parse(await client.auth.test())
  return { team: team_id, enterprise: enterprise_id ?? undefined, user: user_id, bot: bot_id }
}
