import { type Static, Type } from 'typebox'
import { parseVapidKeys } from '../../lib/crypto/credentials/vapid.ts'
import { buildPushSpeedSettings } from '../push/settings.ts'
import { ApiAddressSetting, assertApiAddress, readGatewaySettings, requireGatewaySecrets } from '../settings.ts'

/** Connection settings for browsers. None of them is secret. */
export const PushWebSettings = Type.Object(
  {
    publicKey: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
      default: null,
      description: 'Public VAPID key in base64url. Null: derived from the private key.',
    }),
    subject: Type.String({
      pattern: '^(mailto:[^\\s@]{1,200}@[^\\s@]{1,200}|https://\\S{1,500})$',
      description: 'Contact for the push services: a `mailto:` or https address.',
    }),
    baseUrl: ApiAddressSetting('Origin that replaces the origin of every endpoint. Null: the endpoints themselves.'),
    ...buildPushSpeedSettings({ speed: 0, concurrency: 100 }),
  },
  { additionalProperties: false },
)
export type PushWebSettings = Static<typeof PushWebSettings>

/** Kept sealed, apart from the settings. */
export const PushWebSecrets = Type.Object(
  { privateKey: Type.String({ minLength: 1, maxLength: 200, description: 'Private VAPID key in base64url.' }) },
  { additionalProperties: false },
)
export type PushWebSecrets = Static<typeof PushWebSecrets>

/** Settings and secrets as they are stored, with what is absent filled in. Throws invalid or badRequestProblem with a pointer. */
export function readPushWebConfig(
  storedSettings: unknown,
  storedSecrets: unknown,
): { settings: PushWebSettings; secrets: PushWebSecrets } {
  const settings = readGatewaySettings(PushWebSettings, storedSettings)
  const secrets = requireGatewaySecrets(PushWebSecrets, storedSecrets, '`privateKey`, the private key (VAPID)')
  assertApiAddress('/baseUrl', settings.baseUrl)
  parseVapidKeys(settings.publicKey ?? undefined, secrets.privateKey, '')
  return { settings, secrets }
}
