import { fingerprint } from '../../lib/crypto/credentials/fingerprint.ts'
import { type MasterKeys, open, seal } from '../../lib/crypto/seal.ts'
import type { ProviderType } from './application-schemas.ts'

/** What proves us to a push service, by the type of the provider. */
export interface ProviderSecrets {
  firebase: { key: string }
  apns: { value: string; password?: string }
  http: { secret: string }
  webpush: { privateKey: string }
}

/** The columns of a secret. */
export interface SealedSecret {
  secret: Buffer | null
  fingerprint: string | null
}

/** What a secret is sealed for: it opens for this application and this type only. */
function contextOf(application: string, type: ProviderType): string {
  return `application ${application} ${type}`
}

/** Seals what a provider needs; `shown`: the text whose digest tells which one it is. */
export function sealSecrets<Type extends ProviderType>(
  keys: MasterKeys,
  { application, type }: { application: string; type: Type },
  secrets: ProviderSecrets[Type],
  shown: string,
): SealedSecret {
  return {
    secret: seal(keys, JSON.stringify(secrets), contextOf(application, type)),
    fingerprint: fingerprint(shown),
  }
}

/** Opens what `sealSecrets` made; null for a provider without. Throws an Error when its master key is not configured. */
export function openSecrets<Type extends ProviderType>(
  keys: MasterKeys,
  { application, type }: { application: string; type: Type },
  { secret }: Pick<SealedSecret, 'secret'>,
): ProviderSecrets[Type] | null {
  return secret && JSON.parse(open(keys, secret, contextOf(application, type)).toString())
}
