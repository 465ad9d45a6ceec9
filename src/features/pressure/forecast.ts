import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { unpackPressureBuckets } from './counters/buckets.ts'
import { readManyPressureCounters } from './counters/counters.ts'
import { resolveContactZone } from './counters/reservations.ts'
import type { MessagePressure, MessagePurpose, PressureChannel } from './pressure-schemas.ts'
import { findPressureStop, type PressurePeriodCache, type PressureStop } from './rules/decision.ts'
import { loadPressureRules } from './rules/known-rules.ts'

/** Messages that might be sent now. */
export interface PressureForecast {
  account: AccountId
  channel: PressureChannel
  purpose: MessagePurpose
  pressure: MessagePressure
  /** Milliseconds. */
  now: number
}

/**
 * Finds the stops of a message to each of these contacts, with the function that decides at sending. Contacts without a stop are left out.
 * Nothing is counted.
 */
export async function forecastPressureStops(
  db: Db,
  { account, channel, purpose, pressure, now }: PressureForecast,
  contacts: readonly { id: number; fields: Readonly<Record<string, unknown>> }[],
): Promise<Map<number, PressureStop>> {
  if (!pressure.use || contacts.length === 0) return new Map()
  const pressureRules = (await loadPressureRules(db, [account])).get(account)
  if (!pressureRules || pressureRules.rules.length === 0) return new Map()
  const counters = await readManyPressureCounters(
    db,
    account,
    contacts.map(({ id }) => id),
  )
  const topic = pressure.topic === null ? 0 : (pressureRules.topics.get(pressure.topic) ?? 0)
  const message = { channel, purpose, topic, priority: pressure.priority }
  const periodCache: PressurePeriodCache = new Map()
  return new Map(
    contacts.flatMap(({ id, fields }): [number, PressureStop][] => {
      const contactCounts = {
        buckets: unpackPressureBuckets(counters.get(id) ?? []),
        present: { now, zone: resolveContactZone(pressureRules, fields) },
      }
      const pressureStop = findPressureStop(pressureRules.rules, { message, counted: contactCounts }, periodCache)
      return pressureStop ? [[id, pressureStop]] : []
    }),
  )
}
