import type { SendCancellation } from '../../features/events/record/record.ts'
import type { LivePushDevice } from './devices.ts'

/** Returns true if a device has muted a channel; null means the app's default channel. */
export function isPushDeviceMuted({ muted, mutedChannels }: LivePushDevice, channel: string | null): boolean {
  return muted || mutedChannels.includes(channel)
}

/** That no device wants a message: the latest of them is named. */
export function buildOptOutCancellation(devices: readonly LivePushDevice[], channel: string | null): SendCancellation {
  const type = devices.every(({ muted }) => muted) ? 'global' : 'channel'
  return { type: 'opted out', value: { type, subscription: devices[0]?.id ?? null, channel } }
}
