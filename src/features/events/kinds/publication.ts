import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { HitClassification } from '../record/new-event.ts'
import { type EventChannel, type EventKind, eventChannels } from './event-kinds.ts'

/** The members of an event that webhooks are selected by. */
export interface EventPublication {
  id: string
  account: AccountId
  channel: EventChannel
  kind: EventKind
  subject: number | null
  contact: number | null
  classification: HitClassification | null
}

/** Those of the given conditions whose class is final. */
function selectFinalEvents(conditions: RawBuilder<unknown>): RawBuilder<EventPublication> {
  return sql<EventPublication>`
    select id, account, channel, kind, subject, contact, classification from events e
    where ${conditions} and channel = any(${[...eventChannels]}::text[])
      and not exists (select from unsettled_hits u where u.event = e.id)`
}

/**
 * Reads final events of accounts that were published within a number of milliseconds, in the order of their ids. An event may still appear
 * among those of the last 20 s (`appendEvents`), and a hit up to 3 s after its publication.
 */
export async function readRecentPublications(
  db: Db,
  accounts: readonly AccountId[],
  withinMs: number,
): Promise<EventPublication[]> {
  const { rows } = await sql<EventPublication>`${selectFinalEvents(sql`
    account = any(${accounts}::integer[]) and at > clock_timestamp() - make_interval(secs => ${withinMs / 1000})`)}
    order by id`.execute(db)
  return rows
}

/** At most `limit` settled events of an account behind an id, of which only its time need be that of an event. */
export async function readPublicationsAfter(
  db: Db,
  account: AccountId,
  id: string,
  limit: number,
): Promise<EventPublication[]> {
  const { rows } = await sql<EventPublication>`${selectFinalEvents(sql`
    account = ${account} and at >= uuid_extract_timestamp(${id}::uuid) and id > ${id}::uuid`)}
    order by at, id limit ${limit}`.execute(db)
  return rows
}
