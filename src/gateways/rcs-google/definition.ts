import type { GatewayDefinition } from '../definition.ts'
import { listSettingAddresses } from '../settings.ts'
import { RcsGoogleSecrets, RcsGoogleSettings, readRcsGoogleConfig } from './settings.ts'

/** An agent of Google RCS Business Messaging. */
export const rcsGoogleDefinition: GatewayDefinition = {
  kind: 'rcs-google',
  channels: ['rcs'],
  settings: RcsGoogleSettings,
  secrets: RcsGoogleSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'rcs-google',
    channel: 'rcs',
    name,
    ...readRcsGoogleConfig(settings, secrets),
  }),
  remotes({ settings, secrets }) {
    const { baseUrl, tokenUrl } = readRcsGoogleConfig(settings, secrets).settings
    return listSettingAddresses({ baseUrl, tokenUrl })
  },
  needsAddress: true,
  isIdempotent: true,
}
