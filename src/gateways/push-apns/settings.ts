import { type Static, Type } from 'typebox'
import { readP8 } from '../../lib/crypto/credentials/p8.ts'
import { readP12 } from '../../lib/crypto/credentials/p12.ts'
import { speedSettings } from '../push/settings.ts'
import { Address, checkAddress, readSettings, requireSecrets } from '../settings.ts'

const AppleId = (description: string) => Type.String({ pattern: '^[A-Za-z0-9]{1,40}$', description })

/** How an app is reached over the push service of Apple. Nothing in it is secret. */
export const PushApnsSettings = Type.Object(
  {
    bundle: Type.String({ pattern: '^[A-Za-z0-9._-]{1,255}$', description: 'The bundle id of the app.' }),
    certificate: Type.Union([
      Type.Object(
        { type: Type.Literal('p8'), keyId: AppleId('The id of the key.'), teamId: AppleId('The id of the team.') },
        { additionalProperties: false },
      ),
      Type.Object({ type: Type.Literal('p12') }, { additionalProperties: false }),
    ]),
    environment: Type.Enum(['production', 'sandbox'], {
      default: 'production',
      description: 'Which apps are reached: those of the store, or those under development.',
    }),
    baseUrl: Address('Instead of the host of Apple.'),
    ...speedSettings({ speed: 0, concurrency: 500 }),
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
      description: 'The p8 as PEM or base64, or the p12 as base64.',
    }),
    password: Type.Optional(Type.String({ maxLength: 1000, description: 'Of the p12.' })),
  },
  { additionalProperties: false },
)
export type PushApnsSecrets = Static<typeof PushApnsSecrets>

/** Settings and secrets as they are stored, with what is absent filled in. Throws invalid or badRequest with a pointer. */
export function readPushApns(
  stored: unknown,
  storedSecrets: unknown,
): { settings: PushApnsSettings; secrets: PushApnsSecrets } {
  const settings = readSettings(PushApnsSettings, stored)
  const secrets = requireSecrets(PushApnsSecrets, storedSecrets, '`value`, the key (p8) or the certificate (p12)')
  checkAddress('/baseUrl', settings.baseUrl)
  if (settings.certificate.type === 'p8') readP8(secrets.value, '/secrets/value')
  else readP12(secrets.value, secrets.password ?? '', '/secrets')
  return { settings, secrets }
}
