import type { GatewayDefinition } from '../definition.ts'
import { namedAddresses } from '../settings.ts'
import { RcsGoogleSecrets, RcsGoogleSettings, readRcsGoogle } from './settings.ts'

/** An agent of Google RCS Business Messaging. */
export const rcsGoogle: GatewayDefinition = {
  kind: 'rcs-google',
  channels: ['rcs'],
  settings: RcsGoogleSettings,
  secrets: RcsGoogleSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'rcs-google',
    channel: 'rcs',
    name,
    ...readRcsGoogle(settings, secrets),
  }),
  remotes({ settings, secrets }) {
    const { baseUrl, tokenUrl } = readRcsGoogle(settings, secrets).settings
    return namedAddresses({ baseUrl, tokenUrl })
  },
  needsAddress: true,
  isIdempotent: true,
}
