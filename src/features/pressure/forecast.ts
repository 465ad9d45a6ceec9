import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { readBuckets } from './counters/buckets.ts'
import { readManyCounters } from './counters/counters.ts'
import { zoneOfContact } from './counters/reservations.ts'
import type { MessagePressure, PressureChannel, Purpose } from './pressure-schemas.ts'
import { decide, type Moments, type Stop } from './rules/decision.ts'
import { loadRules } from './rules/known-rules.ts'

/** Messages that might be sent now. */
export interface Forecast {
  account: AccountId
  channel: PressureChannel
  purpose: Purpose
  pressure: MessagePressure
  /** Milliseconds. */
  now: number
}

/**
 * What would stop a message to each of these contacts, by the function that decides; those that would pass are left out.
 * Nothing is counted.
 */
export async function forecastStops(
  db: Db,
  { account, channel, purpose, pressure, now }: Forecast,
  contacts: readonly { id: number; fields: Readonly<Record<string, unknown>> }[],
): Promise<Map<number, Stop>> {
  if (!pressure.use || contacts.length === 0) return new Map()
  const known = (await loadRules(db, [account])).get(account)
  if (!known || known.rules.length === 0) return new Map()
  const counters = await readManyCounters(
    db,
    account,
    contacts.map(({ id }) => id),
  )
  const topic = pressure.topic === null ? 0 : (known.topics.get(pressure.topic) ?? 0)
  const message = { channel, purpose, topic, priority: pressure.priority }
  const moments: Moments = new Map()
  return new Map(
    contacts.flatMap(({ id, fields }): [number, Stop][] => {
      const counted = {
        buckets: readBuckets(counters.get(id) ?? []),
        present: { now, zone: zoneOfContact(known, fields) },
      }
      const stop = decide(known.rules, { message, counted }, moments)
      return stop ? [[id, stop]] : []
    }),
  )
}
