import type { PushProviderType } from '../../features/applications/application-schemas.ts'
import type { PushServiceKind } from '../../gateways/push/payload.ts'

/** The kind of gateway of each type of provider. */
export const pushGatewayKinds = {
  firebase: 'push-fcm',
  apns: 'push-apns',
  webpush: 'push-web',
  http: 'push-http',
} as const satisfies Record<PushProviderType, PushServiceKind>
