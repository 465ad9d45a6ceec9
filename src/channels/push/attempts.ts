import { hash } from 'node:crypto'
import type { Db } from '../../database/connection/connect.ts'
import { countPushAttempts, type PushAttempt } from '../../features/subscriptions/providers/push-guard.ts'
import type { OutgoingPush } from '../../gateways/push-message.ts'
import type { DeliveryRecord, EndedDelivery } from '../channel.ts'

/** First 16 bytes of the SHA-256 of what a device is known by, in hexadecimal digits, as subscriptions keep it. */
function digestDeviceKey({ device }: OutgoingPush): string {
  return hash('sha256', 'token' in device ? device.token : device.endpoint).slice(0, 32)
}

/** Records the provider that a push was sent to, with the service's report of a device that no longer exists. */
export function toPushAttempt(
  push: OutgoingPush,
  provider: string,
  goneDevice: { timestamp?: number } | undefined,
): Pick<DeliveryRecord, 'push'> {
  const { application } = push.meta
  return {
    push: { application, provider, ...(goneDevice && { gone: { ...goneDevice, digest: digestDeviceKey(push) } }) },
  }
}

/** Enhanced status code of a push that expired without an answer from the service. Such a push is not counted. */
const EXPIRED_STATUS_CODE = '4.4.7'

function toAnsweredAttempts({ account, at, delivery, refusal }: EndedDelivery): PushAttempt[] {
  const { push, subscription } = delivery
  if (push === undefined || subscription === undefined || refusal?.enhanced === EXPIRED_STATUS_CODE) return []
  const { application, provider, gone: goneReport } = push
  const goneDeviceRecord = goneReport && { subscription, digest: goneReport.digest, since: goneReport.timestamp }
  return [{ account, application, provider, at, ...(goneDeviceRecord && { gone: goneDeviceRecord }) }]
}

/** Counts pushes by provider. Devices that no longer exist are deleted, unless there are too many of them. */
export function recordPushAttempts(db: Db, deliveries: readonly EndedDelivery[]): Promise<void> {
  return countPushAttempts(db, deliveries.flatMap(toAnsweredAttempts))
}
