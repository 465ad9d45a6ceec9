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

/** Functions of other features that read waiting messages. */
export interface ContactPressurePorts {
  waitingOf(db: Db, account: AccountId, contact: number): Promise<readonly PressureWaitingMessage[]>
}

/** No limit reserves messages for a higher priority. */
const HIGHEST_PRIORITY = 100

/** Reads the counts of a contact under each limit of the active rules, reserved messages included. Throws notFound. */
export async function readContactPressure(
  db: Db,
  { account, contact }: { account: AccountId; contact: number },
  now: number,
  { waitingOf }: ContactPressurePorts,
): Promise<ContactPressure[]> {
  const { rows } = await sql<{ fields: Record<string, unknown> }>`
    select fields from contacts where account = ${account} and id = ${contact}`.execute(db)
  const [foundContact] = rows
  if (!foundContact) throw notFoundProblem('contact', formatContactId(contact))
  const pressureRules = (await loadPressureRules(db, [account])).get(account)!
  const buckets = unpackPressureBuckets(await readPressureCounters(db, { account, contact }))
  const waitingMessages = await waitingOf(db, account, contact)
  const contactCounts = { buckets, present: { now, zone: resolveContactZone(pressureRules, foundContact.fields) } }
  return pressureRules.rules.flatMap(({ id, label, limits }) =>
    limits.map((indexedLimit, expression) => {
      const { channels, topics, purposes, count: limit } = indexedLimit.limit
      const { count, until } = computeLimitStatus(indexedLimit, contactCounts, HIGHEST_PRIORITY)
      const limitMessages = waitingMessages.filter(
        (waitingMessage) => waitingMessage.rule === id && waitingMessage.expression === expression,
      )
      return {
        rule: { id, label },
        expression,
        channels,
        topics,
        purposes,
        count,
        limit,
        remaining: Math.max(0, limit - count),
        until,
        waiting: limitMessages.map(({ shown: shownMessage }) => shownMessage),
      }
    }),
  )
}
