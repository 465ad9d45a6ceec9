import type { Channel } from './channel.ts'
import type { ChannelName } from './facts.ts'

/** What makes the messages of each channel; loaded with the first of them, as each thread holds its own. */
const modules: Record<ChannelName, () => Promise<Channel>> = {
  email: async () => (await import('./email/channel.ts')).emailChannel,
  sms: async () => (await import('./sms/channel.ts')).smsChannel,
  rcs: async () => (await import('./rcs/channel.ts')).rcsChannel,
}

const loaded = new Map<ChannelName, Promise<Channel>>()

/** A channel by its name. */
export function loadChannel(name: ChannelName): Promise<Channel> {
  const known = loaded.get(name)
  if (known) return known
  const channel = modules[name]()
  loaded.set(name, channel)
  return channel
}

/** Several channels, by their names. */
export async function loadChannels(names: Iterable<ChannelName>): Promise<ReadonlyMap<ChannelName, Channel>> {
  const unique = [...new Set(names)]
  return new Map(await Promise.all(unique.map(async (name) => [name, await loadChannel(name)] as const)))
}
