import { type MasterKeys, open, seal } from '../../lib/crypto/seal.ts'
import { checkBaseAddress } from '../../lib/given-address.ts'
import type { Reach } from '../../lib/net/guarded-client.ts'
import { fingerprintOf, readServiceAccount, type ServiceAccount } from './credentials.ts'
import type { GoogleSettings, ProviderBody, RcsProfile } from './rcs-profile-schemas.ts'

export type ProviderType = ProviderBody['type']

/** The provider of a profile as its row keeps it. */
export interface StoredProvider {
  provider: ProviderType
  settings: GoogleSettings
  fingerprint: string | null
  /** Sealed. */
  credentials: Buffer | null
  /** Sealed. */
  clientToken: Buffer | null
}

/** What proves us to a provider, and the provider to us. */
export interface ProfileSecrets {
  credentials: ServiceAccount | null
  clientToken: string | null
}

type Secret = 'credentials' | 'clientToken' | 'webhook'

/** What a secret is sealed for: it opens for this profile and this purpose only. */
function contextOf(profile: number, secret: Secret): string {
  return `rcs profile ${profile} ${secret}`
}

/** Seals a secret of a profile. */
export function sealSecret(keys: MasterKeys, profile: number, secret: Secret, text: string): Buffer {
  return seal(keys, text, contextOf(profile, secret))
}

/** Opens what `sealSecret` made; null stays null. Throws an Error when the master key is another one. */
export function openSecret(keys: MasterKeys, profile: number, secret: Secret, sealed: Buffer | null): string | null {
  return sealed && open(keys, sealed, contextOf(profile, secret)).toString()
}

/** The credentials and the client token of a profile. Throws an Error when its master key is not configured. */
export function openSecrets(
  keys: MasterKeys,
  { id, credentials, clientToken }: Pick<StoredProvider, 'credentials' | 'clientToken'> & { id: number },
): ProfileSecrets {
  const account = openSecret(keys, id, 'credentials', credentials)
  return {
    credentials: account === null ? null : JSON.parse(account),
    clientToken: openSecret(keys, id, 'clientToken', clientToken),
  }
}

/** Where Google gives tokens (OAuth 2.0). */
const TOKEN_URL = 'https://oauth2.googleapis.com/token'

/** The addresses that sending with these settings calls: of the interface, and of its tokens. */
export function addressesOf({ region, baseUrl, tokenUrl }: GoogleSettings): [host: string, token: string] {
  const host = `https://${region === null ? '' : `${region}-`}rcsbusinessmessaging.googleapis.com`
  return [baseUrl ?? host, tokenUrl ?? TOKEN_URL]
}

const noSettings: GoogleSettings = { region: null, baseUrl: null, tokenUrl: null }

const empty = { settings: noSettings, fingerprint: null, credentials: null, clientToken: null }

/** What a change needs: whose it is, the keys that seal, and where addresses may lead. */
export interface ProviderChange {
  profile: number
  masterKeys: MasterKeys
  reach: Reach
}

/**
 * The provider after a change: absent settings and absent or null secrets are kept as long as the type is the same.
 * Throws 400 with the pointer.
 */
export async function changedProvider(
  before: StoredProvider | undefined,
  body: ProviderBody,
  { profile, masterKeys, reach }: ProviderChange,
): Promise<StoredProvider> {
  if (body.type === 'capture') return { provider: body.type, ...empty }
  const { settings, ...kept } = before?.provider === body.type ? before : empty
  const { region = settings.region, baseUrl = settings.baseUrl, tokenUrl = settings.tokenUrl } = body
  await checkBaseAddress(body.baseUrl, '/provider/baseUrl', reach)
  await checkBaseAddress(body.tokenUrl, '/provider/tokenUrl', reach)
  const account = body.credentials == null ? undefined : readServiceAccount(body.credentials)
  return {
    ...kept,
    ...(account && {
      fingerprint: fingerprintOf(account),
      credentials: sealSecret(masterKeys, profile, 'credentials', JSON.stringify(account)),
    }),
    ...(body.clientToken != null && {
      clientToken: sealSecret(masterKeys, profile, 'clientToken', body.clientToken),
    }),
    provider: body.type,
    settings: { region, baseUrl, tokenUrl },
  }
}

/** The provider as it is shown: without secrets. */
export function shownProvider({
  provider,
  settings,
  fingerprint,
  clientToken,
}: StoredProvider): RcsProfile['provider'] {
  if (provider === 'capture') return { type: provider }
  const { region, baseUrl, tokenUrl } = settings
  const secrets = { credentials: null, fingerprint, clientToken: null, clientTokenSet: clientToken !== null }
  return { type: provider, region, baseUrl, tokenUrl, ...secrets }
}
