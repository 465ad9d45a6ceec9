import { sql } from 'kysely'
import { transferColumns } from '../columnar/rows.ts'
import { clickHouseSql, instantParam, int64Param } from '../columnar/sql.ts'
import { ALL_TARGET_BITS, eventStoreTableNames, toLocalStoreTable } from '../columnar/tables.ts'
import { EVENT_COPY_BATCH } from './copier.ts'
import { type EventCopyContext, firstEventIdAt, runInSnapshot, sendEventRows } from './sending.ts'
import type { ComparedSpan } from './verify.ts'

/**
 * Copies the events of a span once more, whatever the store has of it: as new revisions, after which the older rows of the span
 * go. Gives how many there are. To be called under the lease of the store; it can be repeated.
 */
export async function recopyEvents(
  { db, pool, store }: EventCopyContext,
  { from, until }: ComparedSpan,
): Promise<number> {
  const { rows } = await sql<{ revision: string }>`
    select nextval(pg_get_serial_sequence('event_changes', 'number'))::text as revision`.execute(db)
  const revision = rows[0]!.revision
  let copiedCount = 0
  for (let lastCopiedId: string | undefined; ; ) {
    const nextBound: string | undefined = await findBatchBound({ db }, { from, until }, lastCopiedId)
    if (nextBound === undefined) break
    const lowerBound = lastCopiedId === undefined ? formatFirstId(from) : `'${lastCopiedId}'::uuid`
    copiedCount += await runInSnapshot(pool, (client) =>
      sendEventRows(client, store, {
        name: `again ${revision} ${nextBound}`,
        select: `select ${transferColumns} from (select e.*, ${revision} as revision, 0 as deleted, ${ALL_TARGET_BITS} as targets
          from events e where e.id ${lastCopiedId === undefined ? '>=' : '>'} ${lowerBound} and e.id <= '${nextBound}') e`,
      }),
    )
    lastCopiedId = nextBound
  }
  const whereClause = clickHouseSql`at >= ${instantParam(from)} and at < ${instantParam(until)} and revision < ${int64Param(Number(revision))}`
  for (const name of eventStoreTableNames)
    await store.command({
      account: null,
      statement: clickHouseSql`alter table ${toLocalStoreTable(name, store.cluster)} delete where ${whereClause}`,
      settings: { mutations_sync: '2' },
    })
  return copiedCount
}

/** The least id of an instant in milliseconds, as PostgreSQL reads it. */
const formatFirstId = (ms: number): string =>
  `'${Math.max(0, ms).toString(16).padStart(12, '0')}${'0'.repeat(20)}'::uuid`

/** The last id of the next batch of a span; undefined: none is left. */
async function findBatchBound(
  { db }: Pick<EventCopyContext, 'db'>,
  { from, until }: ComparedSpan,
  lastCopiedId: string | undefined,
): Promise<string | undefined> {
  const startCondition =
    lastCopiedId === undefined
      ? sql`id >= ${firstEventIdAt(sql`${new Date(from)}::timestamptz`)}`
      : sql`id > ${lastCopiedId}::uuid`
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id from events where ${startCondition} and id < ${firstEventIdAt(sql`${new Date(until)}::timestamptz`)} order by id limit ${EVENT_COPY_BATCH}) b
    order by id desc limit 1`.execute(db)
  return rows[0]?.id
}
