import { fingerprintSecret } from '../../lib/crypto/credentials/fingerprint.ts'
import { type MasterKeys, sealWithMasterKey, unsealWithMasterKey } from '../../lib/crypto/seal.ts'
import type { PushProviderType } from './application-schemas.ts'

/** What proves us to a push service, by the type of the provider. */
export interface PushProviderSecrets {
  firebase: { key: string }
  apns: { value: string; password?: string }
  http: { secret: string }
  webpush: { privateKey: string }
}

/** The columns of a secret. */
export interface SealedProviderSecret {
  secret: Buffer | null
  fingerprint: string | null
}

/** What a secret is sealed for: it opens for this application and this type only. */
function contextOf(application: string, type: PushProviderType): string {
  return `application ${application} ${type}`
}

/** Seals what a provider needs; `shown`: the text whose digest tells which one it is. */
export function sealProviderSecrets<Type extends PushProviderType>(
  keys: MasterKeys,
  { application, type }: { application: string; type: Type },
  secrets: PushProviderSecrets[Type],
  shown: string,
): SealedProviderSecret {
  return {
    secret: sealWithMasterKey(keys, JSON.stringify(secrets), contextOf(application, type)),
    fingerprint: fingerprintSecret(shown),
  }
}

/** Opens what `sealProviderSecrets` made; null for a provider without. Throws an Error when its master key is not configured. */
export function unsealProviderSecrets<Type extends PushProviderType>(
  keys: MasterKeys,
  { application, type }: { application: string; type: Type },
  { secret }: Pick<SealedProviderSecret, 'secret'>,
): PushProviderSecrets[Type] | null {
  return secret && JSON.parse(unsealWithMasterKey(keys, secret, contextOf(application, type)).toString())
}
