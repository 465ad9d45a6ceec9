import { sql } from 'kysely'
import { movedTargetBits, replaceTransferColumns, transferColumns } from '../columnar/rows.ts'
import { ALL_TARGET_BITS, NIL_UUID } from '../columnar/tables.ts'
import { type EventCopyContext, runInSnapshot, sendEventRows } from './sending.ts'

/** Notes of changes that are taken together. */
const MAX_CHANGE_NOTES = 20_000

/** Only the key of a row to delete matters. */
const deletedRowColumns = {
  kind: "''",
  subscription: `'${NIL_UUID}'`,
  title: 'null',
  classification: "''",
  is_test: '0',
  depth: '0',
  activation_at: 'null',
  detail: "'{}'",
}

/**
 * Copies events that were changed after they were copied, as new revisions, and deletes their rows from tables that have them
 * under another key; gives how many rows. Notes of events that are still to be copied stay.
 */
export async function copyChangedEvents({ db, pool, store }: EventCopyContext): Promise<number> {
  const { rows: existsRows } = await sql<{ some: boolean }>`
    select exists (select from event_changes c, event_store s where c.event <= s.copied_id) as some`.execute(db)
  if (existsRows[0]?.some !== true) return 0
  const { numbers, rows } = await runInSnapshot(pool, async (client) => {
    const { rows: noteRows } = await client.query<{ number: string }>(
      `select number::text as number from event_changes c, event_store s where c.event <= s.copied_id order by number limit ${MAX_CHANGE_NOTES}`,
    )
    const numbers = noteRows.map(({ number }) => number)
    return {
      numbers,
      rows: await sendEventRows(client, store, { name: buildBatchName(numbers), select: buildChangeSelect(numbers) }),
    }
  })
  await sql`delete from event_changes where number = any(${numbers}::bigint[])`.execute(db)
  return rows
}

/** The same notes have the same name. */
function buildBatchName(numbers: readonly string[]): string {
  return `changes ${numbers[0]} ${numbers.at(-1)} ${numbers.length}`
}

/** The events as they are now, with the number of their latest note, and the keys that they had. */
function buildChangeSelect(numbers: readonly string[]): string {
  return `
    with notes as materialized (select * from event_changes where number = any('{${numbers.join(',')}}'::bigint[])),
    latest as materialized (select event, max(number) as revision from notes group by event),
    present as materialized (select e.*, l.revision from latest l join events e on e.id = l.event)
    select ${transferColumns} from (select p.*, 0 as deleted, ${ALL_TARGET_BITS} as targets from present p) e
    union all
    select ${replaceTransferColumns(deletedRowColumns)} from (
      select o.event as id, o.at, o.account, o.channel, o.subject, o.contact, o.stamp, o.thread, o.phone, o.agent, e.revision, 1 as deleted,
        ${movedTargetBits} as targets
      from notes o join present e on e.id = o.event) e
    where targets > 0`
}
