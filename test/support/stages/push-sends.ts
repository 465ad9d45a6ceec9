import { sql } from 'kysely'
import type { PushAnswer, PushRequest } from '../../fakes/push/push-peer.ts'
import { eventually } from '../wait.ts'
import type { ProviderName, PushStage } from './push-stage.ts'

/** A push to one device of a new contact. */
export interface SentPush {
  contact: number
  subscription: string
  stamp: string
  /** What its service has of it. */
  requests(): PushRequest[]
}

/** Sends of a notification to single devices of an application. */
export interface PushSends {
  /** Sends to a new contact with one device of a provider, which answers as planned. */
  sendTo(provider: ProviderName, plan: readonly PushAnswer[]): Promise<SentPush>
  /** Makes what waits due, as if the time had come; `isOver`: its own time is over, too. The peers have the true time. */
  comeDue(over?: { isOver?: boolean }): Promise<void>
  /** Sends again and again what waits, until a message has its outcome. */
  sendOn(stamp: string): Promise<string[]>
}

/** What tests do with one notification of an application. */
export function pushSends(stage: PushStage, app: string, notification: number): PushSends {
  const { clock, context, peers, person, device, request, sendPushes, outcomes } = stage
  const comeDue: PushSends['comeDue'] = async ({ isOver = false } = {}) => {
    const now = new Date(clock.now())
    await sql`update messages set not_before = ${now}, expires_at = case when ${isOver} then ${now} else expires_at end
      where state = 'queued'`.execute(context.db)
  }
  return {
    comeDue,
    async sendTo(provider, plan) {
      const contact = await person()
      const subscription = await device(app, contact, provider)
      peers[provider].plan.push(...plan)
      const before = peers[provider].requests.length
      const [stamp] = await request(notification, [contact])
      await sendPushes()
      return { contact, subscription, stamp: stamp!, requests: () => peers[provider].requests.slice(before) }
    },
    sendOn: (stamp) =>
      eventually(async () => {
        const seen = await outcomes(stamp)
        if (seen.length > 0) return seen
        await comeDue()
        await sendPushes()
        return undefined
      }),
  }
}
