import type { ActionChannelModule, Channel } from './channel.ts'
import type { ActionChannel, ChannelName } from './facts.ts'

/** What makes the messages of each channel; loaded with the first of them, as each thread holds its own. */
const modules: Record<ActionChannel, () => Promise<ActionChannelModule>> & Record<ChannelName, () => Promise<Channel>> =
  {
    email: async () => (await import('./email/channel.ts')).emailChannel,
    sms: async () => (await import('./sms/channel.ts')).smsChannel,
    rcs: async () => (await import('./rcs/channel.ts')).rcsChannel,
    notification: async () => (await import('./push/channel.ts')).pushChannel,
  }

const loaded = new Map<ChannelName, Promise<Channel>>()

/** A channel by its name. */
export function loadChannel(name: ActionChannel): Promise<ActionChannelModule>
export function loadChannel(name: ChannelName): Promise<Channel>
export function loadChannel(name: ChannelName): Promise<Channel> {
  const known = loaded.get(name)
  if (known) return known
  const channel = modules[name]()
  loaded.set(name, channel)
  return channel
}

/** A channel that actions send through, by the name that a version has. */
export async function loadAuthored(name: ChannelName): Promise<ActionChannelModule> {
  const channel = await loadChannel(name)
  if (!('authoring' in channel)) throw new Error(`actions do not send through ${name}`)
  return channel as ActionChannelModule
}

/** Several channels, by their names. */
export async function loadChannels(names: Iterable<ChannelName>): Promise<ReadonlyMap<ChannelName, Channel>> {
  const unique = [...new Set(names)]
  return new Map(await Promise.all(unique.map(async (name) => [name, await loadChannel(name)] as const)))
}
