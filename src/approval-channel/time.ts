/** The channel's times (approval-channel section 2): RFC 3339 text with up to nine digits, kept as text since a Date drops six. */
import { z } from 'zod'

export const ChannelTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/)
  .refine((time) => !Number.isNaN(Date.parse(time)))
  .brand<'ChannelTime'>()
export type ChannelTime = z.infer<typeof ChannelTime>

/** In UTC, zeros at the end of the fraction left out. @throws for a moment that RFC 3339 has no words for. */
export function channelTime(moment: Date): ChannelTime {
  return ChannelTime.parse(moment.toISOString().replace(/\.?0+Z$/, 'Z'))
}

/** UTC, whole seconds, the fraction cut off (section 6.1). */
export function wholeSeconds(time: ChannelTime): string {
  const utc = time.endsWith('Z') ? time : new Date(time.replace(/\.\d+/, '')).toISOString()
  return `${utc.slice(0, 19)}Z`
}
