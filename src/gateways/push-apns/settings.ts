import { type Static, Type } from 'typebox'
import { parseP8SigningKey } from '../../lib/crypto/credentials/p8.ts'
import { parseP12Certificate } from '../../lib/crypto/credentials/p12.ts'
import { buildPushSpeedSettings } from '../push/settings.ts'
import { ApiAddressSetting, assertApiAddress, readGatewaySettings, requireGatewaySecrets } from '../settings.ts'

const buildAppleIdSchema = (description: string) => Type.String({ pattern: '^[A-Za-z0-9]{1,40}$', description })

/** Connection settings for an app on Apple's push service. None of them is secret. */
export const PushApnsSettings = Type.Object(
  {
    bundle: Type.String({ pattern: '^[A-Za-z0-9._-]{1,255}$', description: 'Bundle ID of the application.' }),
    certificate: Type.Union([
      Type.Object(
        {
          type: Type.Literal('p8'),
          keyId: buildAppleIdSchema('ID of the key.'),
          teamId: buildAppleIdSchema('ID of the team.'),
        },
        { additionalProperties: false },
      ),
      Type.Object({ type: Type.Literal('p12') }, { additionalProperties: false }),
    ]),
    environment: Type.Enum(['production', 'sandbox'], {
      default: 'production',
      description:
        '`production`: applications from the store. `sandbox`: applications in development. Default: `production`.',
    }),
    baseUrl: ApiAddressSetting('Address of the service. Null: the host of Apple.'),
    ...buildPushSpeedSettings({ speed: 0, concurrency: 500 }),
  },
  { additionalProperties: false },
)
export type PushApnsSettings = Static<typeof PushApnsSettings>

/** Kept sealed, apart from the settings. */
export const PushApnsSecrets = Type.Object(
  {
    value: Type.String({
      minLength: 1,
      maxLength: 100_000,
      description: 'Key as a p8 file in PEM or base64, or certificate as a p12 file in base64.',
    }),
    password: Type.Optional(Type.String({ maxLength: 1000, description: 'Password of the p12 file.' })),
  },
  { additionalProperties: false },
)
export type PushApnsSecrets = Static<typeof PushApnsSecrets>

/** Settings and secrets as they are stored, with what is absent filled in. Throws invalid or badRequestProblem with a pointer. */
export function readPushApnsConfig(
  storedSettings: unknown,
  storedSecrets: unknown,
): { settings: PushApnsSettings; secrets: PushApnsSecrets } {
  const settings = readGatewaySettings(PushApnsSettings, storedSettings)
  const secrets = requireGatewaySecrets(
    PushApnsSecrets,
    storedSecrets,
    '`value`, the key (p8) or the certificate (p12)',
  )
  assertApiAddress('/baseUrl', settings.baseUrl)
  if (settings.certificate.type === 'p8') parseP8SigningKey(secrets.value, '/secrets/value')
  else parseP12Certificate(secrets.value, secrets.password ?? '', '/secrets')
  return { settings, secrets }
}
