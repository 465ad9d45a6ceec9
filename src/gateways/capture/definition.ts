import type { GatewayDefinition } from '../definition.ts'
import { gatewayChannels } from '../gateway.ts'

/** Files instead of messages. */
export const capture: GatewayDefinition = {
  kind: 'capture',
  channels: gatewayChannels,
  read: ({ name, channel }) => ({ kind: 'capture', channel, name }),
  needsAddress: false,
  isIdempotent: false,
}
