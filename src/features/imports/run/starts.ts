import { type RawBuilder, sql } from 'kysely'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import { listBackoffSubjects, runEachIsolated } from '../../../jobs/failures.ts'
import type { AccountId } from '../../../lib/account.ts'
import { toContactSettings } from '../../contacts/fields/contact-settings.ts'
import { startScheduledImport } from './executions.ts'
import { findNextImportStart, type ImportScheduler } from './scheduler.ts'

/** Starts that were missed for longer than this, because no process ran, are skipped. */
const MAX_DELAY_MS = 24 * 3_600_000
const MAX_BATCH = 100

interface DueImport {
  id: number
  account: AccountId
  scheduler: ImportScheduler
  next_at: Date
  zone: { timeZone?: string } | null
  source: 'file' | 'ftp'
  is_running: boolean
  /** True if there is an upload that has not been used by a run yet. */
  is_fresh: boolean
}

/** Condition: an import is due. */
export function isImportDue(now: Date): RawBuilder<unknown> {
  return sql`exists (select from imports where next_at <= ${now})`
}

const TASK_NAME = 'start imports'

/** The ids of imports that are due and did not fail a moment ago. */
async function findDueImports(db: Db, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from imports where next_at <= ${now} and 'import ' || id <> all(${listBackoffSubjects(db, TASK_NAME)}::text[])
    order by next_at limit ${MAX_BATCH}`.execute(db)
  return rows.map(({ id }) => id)
}

/** An import that is due, locked against other processes and requests; undefined when another one has it. */
async function lockDueImport(tx: Db, id: number, now: Date): Promise<DueImport | undefined> {
  const { rows } = await sql<DueImport>`
    select i.id, i.account, i.scheduler, i.next_at, a.settings -> 'contacts' as zone, i.source ->> 'type' as source,
      exists (select from import_executions e where e.import = i.id and e.state = 0 and not e.dry_run) as is_running,
      coalesce((
        select not exists (select from import_executions e where e.upload = u.id and not e.dry_run)
        from import_uploads u where u.import = i.id and not u.is_trial order by u.id desc limit 1), false) as is_fresh
    from imports i join accounts a on a.id = i.account
    where i.id = ${id} and i.next_at <= ${now} for update of i skip locked`.execute(tx)
  return rows[0]
}

function resolveTimeZone({ zone }: DueImport): string {
  return toContactSettings(zone).timeZone
}

/** True if one of the ticks that have passed was less than a day ago. */
function hasRecentTick(dueImport: DueImport, now: Date): boolean {
  const latestStart = findNextImportStart(dueImport.scheduler, resolveTimeZone(dueImport), now.getTime() - MAX_DELAY_MS)
  return dueImport.next_at.getTime() > now.getTime() - MAX_DELAY_MS || (latestStart !== undefined && latestStart <= now)
}

/** Starts one import, unless it is running, its start was missed long ago, or there is no new file. */
async function startIfRecent(tx: Db, dueImport: DueImport, now: Date): Promise<void> {
  const { id, account, source, is_running, is_fresh } = dueImport
  if (is_running || !hasRecentTick(dueImport, now)) return
  if (source === 'ftp') await enqueueImportPull(tx, { account, import: id })
  else if (is_fresh) await startScheduledImport(tx, { account, id }, now)
}

/** Queues a poll of the drop place of an import. */
export async function enqueueImportPull(db: Db, payload: { account: AccountId; import: number }): Promise<void> {
  await enqueueTask(db, 'imports.pull', payload, {
    key: `imports.pull ${payload.import}`,
    queue: `imports.pull ${payload.import}`,
  })
}

/** Starts an import if it is still due, and writes down when it is next. */
function startDueImport(db: Db, id: number, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    const dueImport = await lockDueImport(tx, id, now)
    if (!dueImport) return
    const nextStart = findNextImportStart(dueImport.scheduler, resolveTimeZone(dueImport), now.getTime())
    await tx
      .updateTable('imports')
      .set({ next_at: nextStart ?? null })
      .where('id', '=', id)
      .execute()
    await startIfRecent(tx, dueImport, now)
  })
}

/**
 * Starts the imports that are due, each alone, and each tick once among all processes. Several missed ticks make one run. To be
 * called every second.
 */
export async function startDueImports({ db, clock }: Pick<ServiceContext, 'db' | 'clock'>): Promise<void> {
  const now = new Date(clock.now())
  await runEachIsolated(db, TASK_NAME, await findDueImports(db, now), {
    subjectOf: (id) => `import ${id}`,
    work: (id) => startDueImport(db, id, now),
  })
}
