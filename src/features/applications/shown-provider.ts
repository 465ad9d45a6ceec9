import type { PushProviderResource } from './application-schemas.ts'
import type { StoredPushProvider } from './providers.ts'

type ProviderAddresses = { baseUrl: string | null; tokenUrl?: string | null }

/** Addresses other than those of the push service are shown only where there are any. */
function pickCustomAddresses({ baseUrl, tokenUrl }: ProviderAddresses): { baseUrl?: string; tokenUrl?: string } {
  return { ...(baseUrl && { baseUrl }), ...(tokenUrl && { tokenUrl }) }
}

/** A provider as it is shown: without its secret, unless that was made just now. */
export function toPushProviderResource(provider: StoredPushProvider): PushProviderResource {
  const { restedAt, refusedUntil } = provider
  return {
    ...toSettingsResource(provider),
    ...(restedAt && { restingSince: restedAt.toISOString() }),
    ...(refusedUntil && { restingUntil: refusedUntil.toISOString() }),
  }
}

function toSettingsResource(provider: StoredPushProvider): PushProviderResource {
  const { fingerprint } = provider
  switch (provider.type) {
    case 'firebase': {
      const { sender } = provider.settings
      return { type: 'firebase', key: null, sender, ...pickCustomAddresses(provider.settings), fingerprint }
    }
    case 'apns': {
      const { certificate, bundle, environment } = provider.settings
      const expiration = provider.expiresAt?.toISOString() ?? null
      const certificateResource =
        certificate.type === 'p12'
          ? { type: certificate.type, value: null, password: null, expiration }
          : { ...certificate, value: null }
      return {
        type: 'apns',
        certificate: certificateResource,
        bundle,
        environment,
        ...pickCustomAddresses(provider.settings),
        fingerprint,
      }
    }
    case 'http':
      return { type: 'http', url: provider.settings.url, secret: provider.made ?? null, fingerprint }
    case 'webpush': {
      const { publicKey, subject } = provider.settings
      return {
        type: 'webpush',
        publicKey,
        privateKey: null,
        subject,
        ...pickCustomAddresses(provider.settings),
        fingerprint,
      }
    }
  }
}
