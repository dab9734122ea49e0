/** What Slack tells of a press (slack-facts B3). Fields that we do not use are ignored: Slack adds some. */
import { z } from 'zod'

export const Pressed = z.object({
  user: z.object({ id: z.string() }),
  trigger_id: z.string().optional(),
  response_url: z.string().optional(),
  container: z.object({
    type: z.string(),
    channel_id: z.string().optional(),
    message_ts: z.string().optional(),
    is_ephemeral: z.boolean().optional(),
  }),
  message: z.object({ bot_id: z.string().optional() }).optional(),
  view: z.object({ id: z.string(), type: z.string().optional(), private_metadata: z.string() }).optional(),
  actions: z
    .array(
      z.object({
        action_id: z.string(),
        value: z.string().optional(),
        selected_option: z.object({ value: z.string() }).nullish(),
        action_ts: z.string().optional(),
      }),
    )
    .min(1),
})
export type Pressed = z.infer<typeof Pressed>
