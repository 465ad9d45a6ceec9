import { fingerprintSecret } from '../../lib/crypto/credentials/fingerprint.ts'
import { type MasterKeys, sealWithMasterKey, unsealWithMasterKey } from '../../lib/crypto/seal.ts'
import type { PushProviderType } from './application-schemas.ts'

/** Credentials for a push service, by the type of the provider. */
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

/** The context a secret is sealed for. It can be opened for this application and this type only. */
function buildSealContext(application: string, type: PushProviderType): string {
  return `application ${application} ${type}`
}

/** Seals the secret of a provider; `digestedText`: the text whose digest identifies the secret. */
export function sealProviderSecrets<Type extends PushProviderType>(
  keys: MasterKeys,
  { application, type }: { application: string; type: Type },
  secrets: PushProviderSecrets[Type],
  digestedText: string,
): SealedProviderSecret {
  return {
    secret: sealWithMasterKey(keys, JSON.stringify(secrets), buildSealContext(application, type)),
    fingerprint: fingerprintSecret(digestedText),
  }
}

/** Opens what `sealProviderSecrets` made; null for a provider without. Throws an Error when its master key is not configured. */
export function unsealProviderSecrets<Type extends PushProviderType>(
  keys: MasterKeys,
  { application, type }: { application: string; type: Type },
  { secret }: Pick<SealedProviderSecret, 'secret'>,
): PushProviderSecrets[Type] | null {
  return secret && JSON.parse(unsealWithMasterKey(keys, secret, buildSealContext(application, type)).toString())
}
