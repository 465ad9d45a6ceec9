import { type Static, Type } from 'typebox'
import { isWebhookSecret } from '../../lib/crypto/webhook-signature.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { buildPushSpeedSettings } from '../push/settings.ts'
import { readGatewaySettings, requireGatewaySecrets } from '../settings.ts'

/** The endpoint that pushes are posted to. None of the settings is secret. */
export const PushHttpSettings = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2000, description: 'Address of the receiver, an https URL.' }),
    ...buildPushSpeedSettings({ speed: 0, concurrency: 50 }),
  },
  { additionalProperties: false },
)
export type PushHttpSettings = Static<typeof PushHttpSettings>

/** Kept sealed, apart from the settings. */
export const PushHttpSecrets = Type.Object(
  {
    secret: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Secret that signs the requests: `whsec_` and base64.',
    }),
  },
  { additionalProperties: false },
)
export type PushHttpSecrets = Static<typeof PushHttpSecrets>

/** Settings and secrets as they are stored, with what is absent filled in. Throws invalid or badRequestProblem with a pointer. */
export function readPushHttpConfig(
  storedSettings: unknown,
  storedSecrets: unknown,
): { settings: PushHttpSettings; secrets: PushHttpSecrets } {
  const settings = readGatewaySettings(PushHttpSettings, storedSettings)
  const secrets = requireGatewaySecrets(PushHttpSecrets, storedSecrets, '`secret`, which signs')
  const url = URL.parse(settings.url)
  if (!url || !/^https?:$/.test(url.protocol)) throw badRequestProblem('/url', 'must be an https address')
  if (url.username !== '' || url.password !== '')
    throw badRequestProblem('/url', 'must not contain a user name or password')
  if (!isWebhookSecret(secrets.secret))
    throw badRequestProblem('/secrets/secret', 'must be whsec_ and the base64 of 24 to 64 bytes')
  return { settings, secrets }
}
