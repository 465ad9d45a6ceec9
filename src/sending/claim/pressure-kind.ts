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
import { getHandoverDeadline } from '../prepare/exclusions.ts'
import type { PreparedMessage } from '../prepare/prepared-message.ts'
import type { ReservationCandidate, ReservationDecision, ReservationEnd, ReservationKind } from './reservations.ts'

/** Messages as pressure sees them; those without a contact are neither checked nor counted. */
function toPressureMessages(
  prepared: PreparedMessage & Partial<Pick<ReservationCandidate, 'held' | 'key'>>,
): PressureMessage[] {
  const { message, source, facts: recipientData, now, held: heldKey = null, key = null } = prepared
  const { id, account, contact, channel, attempts, firstPostponedAt } = message
  if (contact === null) return []
  const { purpose, pressure = {} } = source.settings
  return [
    {
      id,
      account,
      contact,
      channel,
      purpose,
      attempts,
      now,
      pressure: resolveMessagePressure(pressure, purpose),
      fields: recipientData.contact?.fields ?? {},
      endsAt: getHandoverDeadline(prepared),
      firstPostponedAt: firstPostponedAt?.getTime() ?? null,
      held: heldKey === null ? null : Number(heldKey),
      key: key === null ? null : Number(key),
    },
  ]
}

/** Buckets in which ended messages count, or counted. */
function buildCountedBuckets({ message, key, at }: ReservationEnd) {
  const { account, contact, channel, version } = message
  // Purpose and topic are those of the content: countSent adds them.
  const uncounted = pressureBucketKey({ channel, purpose: 'marketing', topic: 0 }, at)
  return contact === null ? [] : [{ account, contact, version, key: key === null ? uncounted : Number(key) }]
}

function findLatestTime(endedMessages: readonly ReservationEnd[]): number {
  return endedMessages.reduce((last, { at }) => Math.max(last, at), 0)
}

/** Marketing pressure: a place is a bucket of the counters of a contact. */
export function createPressureReservations(): ReservationKind & Required<Pick<ReservationKind, 'decide' | 'concerns'>> {
  const ruleCache = openPressureRuleCache()
  const loadRules = (db: Db, messages: readonly PressureMessage[]) => {
    const now = messages[0]?.now ?? 0
    return ruleCache.of(db, [...new Set(messages.map(({ account }) => account))], now)
  }
  return {
    async concerns(db, list) {
      const pressureMessages = list.flatMap(toPressureMessages)
      return (
        pressureMessages.length > 0 && needsPressureDecision(pressureMessages, await loadRules(db, pressureMessages))
      )
    },
    async decide(tx, candidates) {
      const pressureMessages = candidates.flatMap(toPressureMessages)
      const pressureDecisions = await decidePressure(tx, pressureMessages, await loadRules(tx, pressureMessages))
      return new Map(
        [...pressureDecisions].map(([id, decision]): [number, ReservationDecision] => {
          if (decision.type === 'reserved') return [id, { type: 'reserved', key: String(decision.key) }]
          if (decision.type === 'cancelled') return [id, decision]
          const { postponement, reply } = decision
          return [id, { type: 'postponed', until: postponement.until, reply, postponement }]
        }),
      )
    },
    // A reserved place remains as it is; a message without one is counted now.
    confirm: (tx, endedMessages) =>
      countUnreservedMessages(
        tx,
        endedMessages.filter(({ key }) => key === null).flatMap(buildCountedBuckets),
        findLatestTime(endedMessages),
      ),
    release: (tx, endedMessages) =>
      uncountPressureMessages(tx, endedMessages.flatMap(buildCountedBuckets), findLatestTime(endedMessages)),
  }
}
