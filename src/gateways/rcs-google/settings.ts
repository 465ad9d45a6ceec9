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
    agent: Type.String({ pattern: '^[A-Za-z0-9_.@-]{1,200}$', description: 'The id of the agent.' }),
    region: Type.Union([Type.Enum([...rcsRegions]), Type.Null()], {
      default: null,
      description: 'Whose host takes messages and single look-ups. Null: the one of all regions.',
    }),
    baseUrl: ApiAddressSetting('Instead of the hosts of all regions.'),
    tokenUrl: ApiAddressSetting('Instead of the token endpoint of Google.'),
    speed: Type.Integer({ minimum: 0, maximum: 5000, default: 100, description: 'Messages a second; 0: no limit.' }),
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 50,
      description: 'Requests at once, a sender thread.',
    }),
    ca: tlsSettings.ca,
  },
  { additionalProperties: false },
)
export type RcsGoogleSettings = Static<typeof RcsGoogleSettings>

/** Kept sealed, apart from the settings. */
export const RcsGoogleSecrets = Type.Object(
  {
    credentials: Type.String({ minLength: 1, maxLength: 20_000, description: 'The service account as JSON.' }),
    clientToken: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Of the webhook.' })),
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
