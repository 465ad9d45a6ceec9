import { hash } from 'node:crypto'
import type { Db } from '../../database/connection/connect.ts'
import { countPushAttempts, type PushAttempt } from '../../features/subscriptions/providers/push-guard.ts'
import type { OutgoingPush } from '../../gateways/push-message.ts'
import type { DeliveryRecord, EndedDelivery } from '../channel.ts'

/** First 16 bytes of the SHA-256 of what a device is known by, in hexadecimal digits, as subscriptions keep it. */
function digestOf({ device }: OutgoingPush): string {
  return hash('sha256', 'token' in device ? device.token : device.endpoint).slice(0, 32)
}

/** Which device of which provider a push went to, with what its service says of a device that is no more. */
export function toPushAttempt(
  push: OutgoingPush,
  provider: string,
  gone: { timestamp?: number } | undefined,
): Pick<DeliveryRecord, 'push'> {
  const { application } = push.meta
  return { push: { application, provider, ...(gone && { gone: { ...gone, digest: digestOf(push) } }) } }
}

/** What a service said nothing of counts for nothing: its time was over. */
const EXPIRED = '4.4.7'

function answeredPush({ account, at, delivery, refusal }: EndedDelivery): PushAttempt[] {
  const { push, subscription } = delivery
  if (push === undefined || subscription === undefined || refusal?.enhanced === EXPIRED) return []
  const { application, provider, gone } = push
  const device = gone && { subscription, digest: gone.digest, since: gone.timestamp }
  return [{ account, application, provider, at, ...(device && { gone: device }) }]
}

/** Counts pushes by provider; devices that are no more are forgotten, as long as they are not too many. */
export function recordPushAttempts(db: Db, deliveries: readonly EndedDelivery[]): Promise<void> {
  return countPushAttempts(db, deliveries.flatMap(answeredPush))
}
