import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { transferColumns } from '../columnar/rows.ts'
import { ALL_TARGET_BITS } from '../columnar/tables.ts'
import { copyChangedEvents } from './changes.ts'
import { type EventCopyContext, firstEventIdAt, runInSnapshot, sendEventRows } from './sending.ts'

/** Events of one batch, at most. */
export const EVENT_COPY_BATCH = 50_000

/**
 * Minimum age of a copied event. A transaction that writes events is ended 20 s after it took its timestamps, and has another 5 s if it is
 * committing at that moment.
 */
export const EVENT_COPY_DELAY_MS = 25_000

/** A batch of events: behind one id, up to another. */
interface EventBatch {
  name: string
  after: string | null
  until: string
  /** True if the batch was already under way: its events may be in the store as they were then. */
  isRepeated: boolean
}

/**
 * Copies the next batch of events, and what changed of those copied before; gives how many rows. To be called under the lease
 * of the store. 0: everything is there that is old enough. Throws `event-history-away`.
 */
export async function copyNextEvents(copying: EventCopyContext): Promise<number> {
  const batch = await resolveBatch(copying)
  const copiedCount = batch === undefined ? 0 : await copyBatch(copying, batch)
  return copiedCount + (await copyChangedEvents(copying))
}

/** Copies the batch that is under way, if there is one: nothing is in the store then that is not before the mark. */
export async function finishEventCopyBatch(copying: EventCopyContext): Promise<void> {
  const { rows } = await sql<{ name: string; after: string | null; until: string }>`
    select batch_name as name, batch_after as after, batch_until as until from event_store
    where batch_name is not null and batch_until is not null`.execute(copying.db)
  for (const batch of rows) await copyBatch(copying, { ...batch, isRepeated: true })
}

/** The batch under way, else the next one, stored before anything of it is sent. */
async function resolveBatch({
  db,
  behindMs = EVENT_COPY_DELAY_MS,
  batch = EVENT_COPY_BATCH,
}: EventCopyContext): Promise<EventBatch | undefined> {
  const { rows } = await sql<{
    name: string | null
    after: string | null
    until: string | null
    copied: string | null
  }>`
    select batch_name as name, batch_after as after, batch_until as until, copied_id as copied from event_store`.execute(
    db,
  )
  const [copyState] = rows
  if (!copyState) throw new Error('there is no events store: run "stentor events-store create"')
  const { name, after, until, copied } = copyState
  if (name !== null && until !== null) return { name, after, until, isRepeated: true }
  const { rows: startedBatches } = await sql<{ until: string | null; name: string }>`
    with moment as materialized (
      select date_trunc('milliseconds', clock_timestamp() - ${behindMs} * interval '1 millisecond') as until
    ), next as (
      select id from events where id < (select ${firstEventIdAt(sql`until`)} from moment) ${copied === null ? sql`` : sql`and id > ${copied}::uuid`}
      order by id limit ${batch}
    ), last as (select id from next order by id desc limit 1)
    update event_store set batch_name = case when exists (select from last) then ${randomUUID()} end, batch_after = copied_id,
      batch_until = (select id from last),
      copied_until = case when exists (select from last) then copied_until else greatest(copied_until, (select until from moment)) end
    returning batch_until as until, batch_name as name`.execute(db)
  const [startedBatch] = startedBatches
  return startedBatch?.until == null
    ? undefined
    : { name: startedBatch.name, after: copied, until: startedBatch.until, isRepeated: false }
}

const buildRangeCondition = ({ after, until }: Pick<EventBatch, 'after' | 'until'>): string =>
  `${after === null ? '' : `e.id > '${after}' and `}e.id <= '${until}'`

/** Sends a batch, and moves the mark once it is acknowledged. Notes of changes that it was read behind go with it. */
async function copyBatch(copying: EventCopyContext, batch: EventBatch): Promise<number> {
  const { db, pool, store } = copying
  const { notes, rows } = await runInSnapshot(pool, async (client) => {
    const notes = batch.isRepeated ? [] : await listNotesInRange(client, batch)
    const rows = await sendEventRows(client, store, {
      name: batch.name,
      select: `select ${transferColumns} from (select e.*, 0 as revision, 0 as deleted, ${ALL_TARGET_BITS} as targets
        from events e where ${buildRangeCondition(batch)}) e`,
    })
    return { notes, rows }
  })
  await sql`
    with gone as (delete from event_changes where number = any(${notes}::bigint[]))
    update event_store set copied_id = ${batch.until}, copied_until = greatest(copied_until, uuid_extract_timestamp(${batch.until}::uuid)),
      batch_name = null, batch_after = null, batch_until = null
    where batch_name = ${batch.name}`.execute(db)
  return rows
}

async function listNotesInRange(client: PoolClient, batch: EventBatch): Promise<string[]> {
  const { rows } = await client.query<{ number: string }>(
    `select number::text as number from event_changes e where ${buildRangeCondition(batch).replaceAll('e.id', 'e.event')}`,
  )
  return rows.map(({ number }) => number)
}
