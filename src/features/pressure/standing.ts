import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { formatContactId } from '../../lib/ids.ts'
import { unpackPressureBuckets } from './counters/buckets.ts'
import { readPressureCounters } from './counters/counters.ts'
import { resolveContactZone } from './counters/reservations.ts'
import type { ContactPressure } from './pressure-schemas.ts'
import { computeLimitStatus } from './rules/decision.ts'
import { loadPressureRules } from './rules/known-rules.ts'

/** A message that waits, and because of which limit. */
export interface PressureWaitingMessage {
  rule: string
  expression: number
  shown: ContactPressure['waiting'][number]
}

/** What rooms to the right know of messages that wait. */
export interface ContactPressurePorts {
  waitingOf(db: Db, account: AccountId, contact: number): Promise<readonly PressureWaitingMessage[]>
}

/** Of no limit more is kept for others than this priority reaches. */
const HIGHEST_PRIORITY = 100

/** What counts for a contact under each limit of the active rules, reserved messages included. Throws notFound. */
export async function readContactPressure(
  db: Db,
  { account, contact }: { account: AccountId; contact: number },
  now: number,
  { waitingOf }: ContactPressurePorts,
): Promise<ContactPressure[]> {
  const { rows } = await sql<{ fields: Record<string, unknown> }>`
    select fields from contacts where account = ${account} and id = ${contact}`.execute(db)
  const [found] = rows
  if (!found) throw notFoundProblem('contact', formatContactId(contact))
  const known = (await loadPressureRules(db, [account])).get(account)!
  const buckets = unpackPressureBuckets(await readPressureCounters(db, { account, contact }))
  const waiting = await waitingOf(db, account, contact)
  const counted = { buckets, present: { now, zone: resolveContactZone(known, found.fields) } }
  return known.rules.flatMap(({ id, label, limits }) =>
    limits.map((asked, expression) => {
      const { channels, topics, purposes, count: limit } = asked.limit
      const { count, until } = computeLimitStatus(asked, counted, HIGHEST_PRIORITY)
      const own = waiting.filter((one) => one.rule === id && one.expression === expression)
      return {
        rule: { id, label },
        ...{ expression, channels, topics, purposes, count, limit },
        remaining: Math.max(0, limit - count),
        until,
        waiting: own.map(({ shown }) => shown),
      }
    }),
  )
}
