import type { GatewayDefinition } from '../definition.ts'
import { gatewayChannelNames } from '../gateway.ts'

/** Files instead of messages. */
export const captureDefinition: GatewayDefinition = {
  kind: 'capture',
  channels: gatewayChannelNames,
  read: ({ name, channel }) => ({ kind: 'capture', channel, name }),
  needsAddress: false,
  isIdempotent: false,
}
