import { emailMessageChannel } from './email/channel.ts'
import type { MessageChannelName } from './names.ts'
import { notificationMessageChannel } from './notification/channel.ts'
import { rcsMessageChannel } from './rcs/channel.ts'
import { smsMessageChannel } from './sms/channel.ts'
import type { MessageChannelSpec } from './write/channel.ts'

/** Channels that messages are written for: what the frame of writing needs of each. */
export const MESSAGE_CHANNELS: Partial<Record<MessageChannelName, MessageChannelSpec>> = {
  email: emailMessageChannel,
  sms: smsMessageChannel,
  rcs: rcsMessageChannel,
  notification: notificationMessageChannel,
}
