import { type MasterKeys, sealWithMasterKey, unsealWithMasterKey } from '../../lib/crypto/seal.ts'
import { assertCallableBaseUrl } from '../../lib/given-address.ts'
import type { OutboundPolicy } from '../../lib/net/guarded-client.ts'
import { fingerprintCredentials, parseRcsServiceAccount, type RcsServiceAccount } from './credentials.ts'
import type { GoogleRcsSettings, RcsProfileResource, RcsProviderBody } from './rcs-profile-schemas.ts'

export type RcsProviderType = RcsProviderBody['type']

/** The provider of a profile as its row keeps it. */
export interface StoredRcsProvider {
  provider: RcsProviderType
  settings: GoogleRcsSettings
  fingerprint: string | null
  /** Sealed. */
  credentials: Buffer | null
  /** Sealed. */
  clientToken: Buffer | null
}

/** Secrets that authenticate the service to a provider, and the provider to the service. */
export interface RcsProfileSecrets {
  credentials: RcsServiceAccount | null
  clientToken: string | null
}

type SecretPurpose = 'credentials' | 'clientToken' | 'webhook'

/** The context a secret is sealed for. It can be opened for this profile and this purpose only. */
function buildSealContext(profile: number, secret: SecretPurpose): string {
  return `rcs profile ${profile} ${secret}`
}

/** Seals a secret of a profile. */
export function sealRcsSecret(keys: MasterKeys, profile: number, secret: SecretPurpose, text: string): Buffer {
  return sealWithMasterKey(keys, text, buildSealContext(profile, secret))
}

/** Opens what `sealRcsSecret` made; null stays null. Throws an Error when the master key is another one. */
export function unsealRcsSecret(
  keys: MasterKeys,
  profile: number,
  secret: SecretPurpose,
  sealed: Buffer | null,
): string | null {
  return sealed && unsealWithMasterKey(keys, sealed, buildSealContext(profile, secret)).toString()
}

/** The credentials and the client token of a profile. Throws an Error when its master key is not configured. */
export function unsealRcsProfileSecrets(
  keys: MasterKeys,
  { id, credentials, clientToken }: Pick<StoredRcsProvider, 'credentials' | 'clientToken'> & { id: number },
): RcsProfileSecrets {
  const account = unsealRcsSecret(keys, id, 'credentials', credentials)
  return {
    credentials: account === null ? null : JSON.parse(account),
    clientToken: unsealRcsSecret(keys, id, 'clientToken', clientToken),
  }
}

/** Token endpoint of Google (OAuth 2.0). */
const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token'

/** The addresses that sending with these settings calls: of the interface, and of its tokens. */
export function listProviderAddresses({ region, baseUrl, tokenUrl }: GoogleRcsSettings): [host: string, token: string] {
  const host = `https://${region === null ? '' : `${region}-`}rcsbusinessmessaging.googleapis.com`
  return [baseUrl ?? host, tokenUrl ?? GOOGLE_TOKEN_URL]
}

const noSettings: GoogleRcsSettings = { region: null, baseUrl: null, tokenUrl: null }

const emptyProvider = { settings: noSettings, fingerprint: null, credentials: null, clientToken: null }

/** Input of a change: the profile, the keys that seal secrets, and the addresses that requests may reach. */
export interface RcsProviderChange {
  profile: number
  masterKeys: MasterKeys
  reach: OutboundPolicy
}

/**
 * The provider after a change: absent settings and absent or null secrets are kept as long as the type is the same.
 * Throws 400 with the pointer.
 */
export async function mergeRcsProvider(
  before: StoredRcsProvider | undefined,
  body: RcsProviderBody,
  { profile, masterKeys, reach }: RcsProviderChange,
): Promise<StoredRcsProvider> {
  if (body.type === 'capture') return { provider: body.type, ...emptyProvider }
  const { settings, ...storedSecrets } = before?.provider === body.type ? before : emptyProvider
  const { region = settings.region, baseUrl = settings.baseUrl, tokenUrl = settings.tokenUrl } = body
  await assertCallableBaseUrl(body.baseUrl, '/provider/baseUrl', reach)
  await assertCallableBaseUrl(body.tokenUrl, '/provider/tokenUrl', reach)
  const account = body.credentials == null ? undefined : parseRcsServiceAccount(body.credentials)
  return {
    ...storedSecrets,
    ...(account && {
      fingerprint: fingerprintCredentials(account),
      credentials: sealRcsSecret(masterKeys, profile, 'credentials', JSON.stringify(account)),
    }),
    ...(body.clientToken != null && {
      clientToken: sealRcsSecret(masterKeys, profile, 'clientToken', body.clientToken),
    }),
    provider: body.type,
    settings: { region, baseUrl, tokenUrl },
  }
}

/** The provider as it is shown: without secrets. */
export function toRcsProviderResource({
  provider,
  settings,
  fingerprint,
  clientToken,
}: StoredRcsProvider): RcsProfileResource['provider'] {
  if (provider === 'capture') return { type: provider }
  const { region, baseUrl, tokenUrl } = settings
  const secretMembers = { credentials: null, fingerprint, clientToken: null, clientTokenSet: clientToken !== null }
  return { type: provider, region, baseUrl, tokenUrl, ...secretMembers }
}
