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
  let copied = 0
  for (let after: string | undefined; ; ) {
    const next: string | undefined = await boundOf({ db }, { from, until }, after)
    if (next === undefined) break
    const lower = after === undefined ? sqlFirst(from) : `'${after}'::uuid`
    copied += await runInSnapshot(pool, (client) =>
      sendEventRows(client, store, {
        name: `again ${revision} ${next}`,
        select: `select ${transferColumns} from (select e.*, ${revision} as revision, 0 as deleted, ${ALL_TARGET_BITS} as targets
          from events e where e.id ${after === undefined ? '>=' : '>'} ${lower} and e.id <= '${next}') e`,
      }),
    )
    after = next
  }
  const where = clickHouseSql`at >= ${instantParam(from)} and at < ${instantParam(until)} and revision < ${int64Param(Number(revision))}`
  for (const name of eventStoreTableNames)
    await store.command({
      account: null,
      statement: clickHouseSql`alter table ${toLocalStoreTable(name, store.cluster)} delete where ${where}`,
      settings: { mutations_sync: '2' },
    })
  return copied
}

/** The least id of an instant in milliseconds, as PostgreSQL reads it. */
const sqlFirst = (ms: number): string => `'${Math.max(0, ms).toString(16).padStart(12, '0')}${'0'.repeat(20)}'::uuid`

/** The last id of the next batch of a span; undefined: none is left. */
async function boundOf(
  { db }: Pick<EventCopyContext, 'db'>,
  { from, until }: ComparedSpan,
  after: string | undefined,
): Promise<string | undefined> {
  const start =
    after === undefined ? sql`id >= ${firstEventIdAt(sql`${new Date(from)}::timestamptz`)}` : sql`id > ${after}::uuid`
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id from events where ${start} and id < ${firstEventIdAt(sql`${new Date(until)}::timestamptz`)} order by id limit ${EVENT_COPY_BATCH}) b
    order by id desc limit 1`.execute(db)
  return rows[0]?.id
}
