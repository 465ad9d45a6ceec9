import type { ProviderType } from '../../features/applications/application-schemas.ts'
import type { PushKind } from '../../gateways/push/payload.ts'

/** The kind of gateway of each type of provider. */
export const gatewayKinds = {
  firebase: 'push-fcm',
  apns: 'push-apns',
  webpush: 'push-web',
  http: 'push-http',
} as const satisfies Record<ProviderType, PushKind>
