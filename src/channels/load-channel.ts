import { loadOnce } from '../lib/concurrency/load-once.ts'
import type { ActionChannelModule, ChannelModule } from './channel.ts'
import type { ActionChannelName, SendingChannelName } from './channel-traits.ts'

/** Loaders of the code that builds messages, by channel. Each thread loads its own copy, with its first message. */
const channelLoaders: Record<ActionChannelName, () => Promise<ActionChannelModule>> &
  Record<SendingChannelName, () => Promise<ChannelModule>> = {
  email: loadOnce(async () => (await import('./email/channel.ts')).emailChannel),
  sms: loadOnce(async () => (await import('./sms/channel.ts')).smsChannel),
  rcs: loadOnce(async () => (await import('./rcs/channel.ts')).rcsChannel),
  notification: loadOnce(async () => (await import('./push/channel.ts')).pushChannel),
}

/** A channel by its name. */
export function loadChannel(name: ActionChannelName): Promise<ActionChannelModule>
export function loadChannel(name: SendingChannelName): Promise<ChannelModule>
export function loadChannel(name: SendingChannelName): Promise<ChannelModule> {
  return channelLoaders[name]()
}

/** A channel that actions send through, by the name that a version has. */
export async function loadActionChannel(name: SendingChannelName): Promise<ActionChannelModule> {
  const channel = await loadChannel(name)
  if (!('authoring' in channel)) throw new Error(`actions do not send through ${name}`)
  return channel as ActionChannelModule
}

/** Several channels, by their names. */
export async function loadChannels(
  names: Iterable<SendingChannelName>,
): Promise<ReadonlyMap<SendingChannelName, ChannelModule>> {
  const uniqueNames = [...new Set(names)]
  return new Map(await Promise.all(uniqueNames.map(async (name) => [name, await loadChannel(name)] as const)))
}
