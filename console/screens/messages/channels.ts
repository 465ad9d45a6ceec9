import { email } from './email/channel.ts'
import type { ChannelName } from './names.ts'
import { notification } from './notification/channel.ts'
import { rcs } from './rcs/channel.ts'
import { sms } from './sms/channel.ts'
import type { Channel } from './write/channel.ts'

/** Channels that messages are written for: what the frame of writing needs of each. */
export const CHANNELS: Partial<Record<ChannelName, Channel>> = { email, sms, rcs, notification }
