import type { ChannelModule } from '../../../src/channels/channel.ts'
import type { OutgoingMail } from '../../../src/gateways/gateway.ts'

/** Devices of each contact, unless a test says otherwise. */
export const DEVICES = 3
/** The gateway that carries what goes to the third device of a message; the others have the first one. */
export const SECOND_GATEWAY = 'second'

/** Mail of which each message goes to several devices, each a delivery of its own. */
export function mailToDevices(email: ChannelModule, devices: () => number): ChannelModule {
  return {
    ...email,
    hasDeliveries: true,
    composer(source) {
      const compose = email.composer(source)
      return (input, tools) => {
        const made = compose(input, tools)
        if (Array.isArray(made) || 'cancellation' in made) return made
        return Array.from({ length: devices() }, (_, sequence) => ({
          ...(made as OutgoingMail),
          sequence,
          ...(sequence === 2 && { gateway: { kind: 'test', key: SECOND_GATEWAY } }),
        }))
      }
    },
    deliveryOf: ({ sequence = 0 }) => ({ members: { device: `device ${sequence}` } }),
  }
}
