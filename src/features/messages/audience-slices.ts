import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { loadAudience } from '../segments/audience.ts'

/** The one statement that finds everybody may take this long. */
const SNAPSHOT_MS = 600_000
/** Contacts of the first slice: few, so that they are found, planned and sent at once. */
const FIRST = 500
/** Slices read and written at once afterwards. */
const SLICES = 20

/** One sending of a campaign. */
export interface Run {
  account: AccountId
  action: number
  run: string
}

/** Contacts that are planned at once, in ascending order; `through` is the last of them. */
export interface Slice {
  contacts: number[]
  through: number
}

interface Beginning {
  /** When the snapshot was complete; null: it is not. */
  audience_at: Date | null
  selected: number[]
  excluded: number[]
  /** The last contact that was written down. */
  through: number
}

async function loadBeginning(db: Db, { account, action, run }: Run): Promise<Beginning | undefined> {
  const { rows } = await sql<Beginning>`
    select audience_at,
      array(select segment from action_segments s where s.action = a.id and role = 'selected') as selected,
      array(select segment from action_segments s where s.action = a.id and role = 'excluded') as excluded,
      greatest((select max(through) from campaign_slices s where s.run = a.run), planned_through, 0) as through
    from actions a
    where account = ${account} and id = ${action} and run = ${run}::uuid and state = 55 and deleted_at is null`.execute(
    db,
  )
  return rows[0]
}

async function writeSlices(db: Db, { run }: Run, contacts: readonly number[], slice: number): Promise<void> {
  const slices: (readonly number[])[] = []
  for (let from = 0; from < contacts.length; from += slice) slices.push(contacts.slice(from, from + slice))
  await sql`
    insert into campaign_slices (run, through, contacts)
    select ${run}::uuid, through, contacts::bigint[]
    from unnest(${slices.map((one) => one.at(-1))}::bigint[], ${slices.map((one) => `{${one.join(',')}}`)}::text[])
      as s (through, contacts)`.execute(db)
}

/**
 * Writes down who is in the segments now, once a run: what becomes of them later does not matter, and whoever goes on
 * after a crash has the same audience, from where the writing was broken off on. All is read from one snapshot, in
 * parts, the first a small one: after each `whenWritten` is called, so that the first messages leave before a large
 * audience is known; false from it ends the writing. False when the run is over, or somebody else is at it.
 */
export function takeSnapshot(
  db: Db,
  run: Run,
  { now, slice, whenWritten }: { now: number; slice: number; whenWritten: () => Promise<boolean> },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`audience ${run.run}`}, 0)) as mine,
        set_config('statement_timeout', ${String(SNAPSHOT_MS)}, true),
        set_config('idle_in_transaction_session_timeout', ${String(SNAPSHOT_MS)}, true)`.execute(tx)
    const beginning = rows[0]?.mine ? await loadBeginning(db, run) : undefined
    if (!beginning) return false
    if (beginning.audience_at !== null) return true
    const audience = await loadAudience(tx, run.account, beginning, now)
    await sql`
      declare audience no scroll cursor for
      select id from (${audience}) as audience (id) where id > ${beginning.through} order by id`.execute(tx)
    for (let wanted = Math.min(FIRST, slice); ; wanted = slice * SLICES) {
      const { rows: found } = await sql<{ id: number }>`fetch ${sql.lit(wanted)} from audience`.execute(tx)
      if (found.length > 0) {
        const contacts = found.map(({ id }) => id)
        await writeSlices(db, run, contacts, slice)
        if (!(await whenWritten())) return false
      }
      if (found.length < wanted) break
    }
    await db
      .updateTable('actions')
      .set({ audience_at: new Date(now) })
      .where('id', '=', run.action)
      .where('run', '=', run.run)
      .execute()
    return true
  })
}

/** The slice behind the last one that was planned (null: the first); undefined when there is none. */
export async function nextSlice(db: Db, run: string, plannedThrough: number | null): Promise<Slice | undefined> {
  return db
    .selectFrom('campaign_slices')
    .select(['contacts', 'through'])
    .where('run', '=', run)
    .where('through', '>', plannedThrough ?? 0)
    .orderBy('through')
    .limit(1)
    .executeTakeFirst()
}

/** Deletes slices of runs that ended while they were being written. */
export async function forgetSlices(db: Db): Promise<void> {
  await sql`
    delete from campaign_slices s
    where not exists (select from actions a where a.run = s.run and a.state = 55 and a.deleted_at is null)`.execute(db)
}
