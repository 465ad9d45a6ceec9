import type { Db } from '../../database/connection/connect.ts'
import { pressureBucketKey } from '../../features/pressure/counters/buckets.ts'
import { countUnreservedMessages, uncountPressureMessages } from '../../features/pressure/counters/counters.ts'
import {
  decidePressure,
  needsPressureDecision,
  type PressureMessage,
} from '../../features/pressure/counters/reservations.ts'
import { resolveMessagePressure } from '../../features/pressure/message-settings.ts'
import { openPressureRuleCache } from '../../features/pressure/rules/known-rules.ts'
import { getHandoverDeadline } from '../plan/exclusions.ts'
import type { PreparedMessage } from '../prepare/prepared-message.ts'
import type { ReservationCandidate, ReservationDecision, ReservationEnd, ReservationKind } from './reservations.ts'

/** Messages as pressure sees them; those without a contact are neither checked nor counted. */
function pressedOf(prepared: PreparedMessage & Partial<Pick<ReservationCandidate, 'held' | 'key'>>): PressureMessage[] {
  const { message, source, facts, now, held = null, key = null } = prepared
  const { id, account, contact, channel, attempts, firstPostponedAt } = message
  if (contact === null) return []
  const { purpose, pressure = {} } = source.settings
  return [
    {
      ...{ id, account, contact, channel, purpose, attempts, now },
      pressure: resolveMessagePressure(pressure, purpose),
      fields: facts.contact?.fields ?? {},
      endsAt: getHandoverDeadline(prepared),
      firstPostponedAt: firstPostponedAt?.getTime() ?? null,
      held: held === null ? null : Number(held),
      key: key === null ? null : Number(key),
    },
  ]
}

/** Where messages that have ended count, or counted. */
function countingOf({ message, key, at }: ReservationEnd) {
  const { account, contact, channel, version } = message
  // Purpose and topic are those of the content: countSent adds them.
  const uncounted = pressureBucketKey({ channel, purpose: 'marketing', topic: 0 }, at)
  return contact === null ? [] : [{ account, contact, version, key: key === null ? uncounted : Number(key) }]
}

function latest(ended: readonly ReservationEnd[]): number {
  return ended.reduce((last, { at }) => Math.max(last, at), 0)
}

/** Marketing pressure: a place is a bucket of the counters of a contact. */
export function createPressureReservations(): ReservationKind & Required<Pick<ReservationKind, 'decide' | 'concerns'>> {
  const cache = openPressureRuleCache()
  const rulesOf = (db: Db, messages: readonly PressureMessage[]) => {
    const now = messages[0]?.now ?? 0
    return cache.of(db, [...new Set(messages.map(({ account }) => account))], now)
  }
  return {
    async concerns(db, list) {
      const messages = list.flatMap(pressedOf)
      return messages.length > 0 && needsPressureDecision(messages, await rulesOf(db, messages))
    },
    async decide(tx, candidates) {
      const messages = candidates.flatMap(pressedOf)
      const decided = await decidePressure(tx, messages, await rulesOf(tx, messages))
      return new Map(
        [...decided].map(([id, decision]): [number, ReservationDecision] => {
          if (decision.type === 'reserved') return [id, { type: 'reserved', key: String(decision.key) }]
          if (decision.type === 'cancelled') return [id, decision]
          const { postponement, reply } = decision
          return [id, { type: 'postponed', until: postponement.until, reply, postponement }]
        }),
      )
    },
    // A place is kept as it is; what has none is counted now.
    confirm: (tx, ended) =>
      countUnreservedMessages(tx, ended.filter(({ key }) => key === null).flatMap(countingOf), latest(ended)),
    release: (tx, ended) => uncountPressureMessages(tx, ended.flatMap(countingOf), latest(ended)),
  }
}
