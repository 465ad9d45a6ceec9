import type { Cancellation } from '../../features/events/record/record.ts'
import type { LiveDevice } from './devices.ts'

/** Whether a device wants nothing of a channel; null: of the app's own default. */
export function isMuted({ muted, mutedChannels }: LiveDevice, channel: string | null): boolean {
  return muted || mutedChannels.includes(channel)
}

/** That no device wants a message: the latest of them is named. */
export function optedOut(devices: readonly LiveDevice[], channel: string | null): Cancellation {
  const type = devices.every(({ muted }) => muted) ? 'global' : 'channel'
  return { type: 'opted out', value: { type, subscription: devices[0]?.id ?? null, channel } }
}
