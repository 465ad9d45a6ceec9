import { type Static, Type } from 'typebox'
import { parseServiceAccountKey } from '../../lib/crypto/credentials/service-account.ts'
import { rcsRegions } from '../rcs.ts'
import {
  ApiAddressSetting,
  assertApiAddress,
  readGatewaySettings,
  requireGatewaySecrets,
  tlsSettings,
} from '../settings.ts'

/** Connection settings for an agent of Google RCS Business Messaging. None of them is secret. */
export const RcsGoogleSettings = Type.Object(
  {
    agent: Type.String({ pattern: '^[A-Za-z0-9_.@-]{1,200}$', description: 'ID of the agent.' }),
    region: Type.Union([Type.Enum([...rcsRegions]), Type.Null()], {
      default: null,
      description: 'Region whose host receives messages and single capability checks. Null: the host of all regions.',
    }),
    baseUrl: ApiAddressSetting(
      'Address of the service, in place of the hosts of all regions. Null: the hosts of Google.',
    ),
    tokenUrl: ApiAddressSetting('Address of the token endpoint. Null: the endpoint of Google.'),
    speed: Type.Integer({
      minimum: 0,
      maximum: 5000,
      default: 100,
      description: 'Maximum messages per second. 0: no limit. Default: 100.',
    }),
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 50,
      description: 'Maximum concurrent requests of a sender thread. Default: 50.',
    }),
    ca: tlsSettings.ca,
  },
  { additionalProperties: false },
)
export type RcsGoogleSettings = Static<typeof RcsGoogleSettings>

/** Kept sealed, apart from the settings. */
export const RcsGoogleSecrets = Type.Object(
  {
    credentials: Type.String({ minLength: 1, maxLength: 20_000, description: 'Key of the service account, as JSON.' }),
    clientToken: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Client token of the webhook.' }),
    ),
  },
  { additionalProperties: false },
)
export type RcsGoogleSecrets = Static<typeof RcsGoogleSecrets>

/** Settings and secrets as they are stored, with what is absent filled in. Throws invalid or badRequestProblem with a pointer. */
export function readRcsGoogleConfig(
  storedSettings: unknown,
  storedSecrets: unknown,
): { settings: RcsGoogleSettings; secrets: RcsGoogleSecrets } {
  const settings = readGatewaySettings(RcsGoogleSettings, storedSettings)
  const secrets = requireGatewaySecrets(RcsGoogleSecrets, storedSecrets, '`credentials`, the JSON of a service account')
  assertApiAddress('/baseUrl', settings.baseUrl)
  assertApiAddress('/tokenUrl', settings.tokenUrl)
  parseServiceAccountKey(secrets.credentials, '/secrets/credentials')
  return { settings, secrets }
}
