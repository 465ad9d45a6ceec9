import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { readServiceAccount, type ServiceAccount } from '../../lib/credentials/service-account.ts'
import { badRequest } from '../../lib/problem.ts'
import { rcsRegions } from '../rcs.ts'
import { readSecrets, readSettings, tlsSettings } from '../settings.ts'

const Address = (description: string) =>
  Type.Union([Type.String({ minLength: 1, maxLength: 2000 }), Type.Null()], { default: null, description })

/** How an agent of Google RCS Business Messaging is reached. Nothing in it is secret. */
export const RcsGoogleSettings = Type.Object(
  {
    agent: Type.String({ pattern: '^[A-Za-z0-9_.@-]{1,200}$', description: 'The id of the agent.' }),
    region: Type.Union([Type.Enum([...rcsRegions]), Type.Null()], {
      default: null,
      description: 'Whose host takes messages and single look-ups. Null: the one of all regions.',
    }),
    baseUrl: Address('Instead of the hosts of all regions.'),
    tokenUrl: Address('Instead of the token endpoint of Google.'),
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

/** Tells service accounts and their keys apart: 16 hex digits that reveal neither. */
export function fingerprintOf({ clientEmail, privateKey }: ServiceAccount): string {
  return createHash('sha256').update(`${clientEmail}\n${privateKey}`).digest('hex').slice(0, 16)
}

function checkAddress(pointer: string, address: string | null): void {
  if (address === null) return
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) throw badRequest(pointer, 'must be an https address')
  if (url.username !== '' || url.password !== '') throw badRequest(pointer, 'may hold no user name or password')
  if (url.search !== '' || url.hash !== '') throw badRequest(pointer, 'may have no query and no fragment')
}

/** Settings and secrets as they are stored, with what is absent filled in. Throws invalid or badRequest with a pointer. */
export function readRcsGoogle(
  stored: unknown,
  storedSecrets: unknown,
): { settings: RcsGoogleSettings; secrets: RcsGoogleSecrets } {
  const settings = readSettings(RcsGoogleSettings, stored)
  const secrets = readSecrets(RcsGoogleSecrets, storedSecrets)
  if (secrets === undefined) throw badRequest('/secrets', 'must hold `credentials`, the JSON of a service account')
  checkAddress('/baseUrl', settings.baseUrl)
  checkAddress('/tokenUrl', settings.tokenUrl)
  readServiceAccount(secrets.credentials, '/secrets/credentials')
  return { settings, secrets }
}
