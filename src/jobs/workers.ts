import { sql } from 'kysely'
import { type Connected, connect, type Db } from '../database/connect.ts'

/** What the connections of a worker are called; its id follows. */
const CONNECTIONS = 'stentor worker '
/** How long a connection of a dead worker may take to end, in milliseconds. */
const ENDED_WITHIN_MS = 5000

/** This process was taken for dead: its jobs are free, and another worker may be at them. */
export class WorkerLost extends Error {}

const LOST = 'This process was taken for dead: others have its jobs.'

export type WorkerConnections = Pick<Connected, 'db' | 'pool'>

/** Writes down a new worker; gives its id. */
export async function addWorker(db: Db): Promise<string> {
  const { id } = await db.insertInto('job_workers').defaultValues().returning('id').executeTakeFirstOrThrow()
  return id
}

/** Says that a worker lives, and under which name it locks jobs. Throws WorkerLost when it was taken for dead. */
export async function keepWorker(db: Db, id: string, pool: string | null): Promise<void> {
  const { rows } = await sql`
    update job_workers set seen_at = now(), pool = ${pool} where id = ${id} returning id`.execute(db)
  if (rows.length === 0) throw new WorkerLost(LOST)
}

/**
 * The connections of a worker, for all that its jobs do. They are ended before its jobs are free for others, and no new
 * one can be made then: what a worker commits, it commits while the jobs are its own.
 */
export function openWorkerConnections(
  url: string,
  id: string,
  { onLost, ...options }: { max: number; log: (error: Error) => void; onLost: (reason: WorkerLost) => void },
): Connected {
  return connect(url, {
    ...options,
    applicationName: CONNECTIONS + id,
    async onConnect(client) {
      const { rowCount } = await client.query('select from job_workers where id = $1', [id])
      if (rowCount !== 0) return
      const reason = new WorkerLost(LOST)
      onLost(reason)
      throw reason
    },
  })
}

/** Connections of workers without a row. Each had one before its first connection, so they are dead. */
const orphans = sql`
  from pg_stat_activity a
  where starts_with(application_name, ${CONNECTIONS}) and datname = current_database() and usename = current_user
    and not exists (select from job_workers w where application_name = ${CONNECTIONS} || w.id)`

/** Ends the connections of workers without a row; gives whether all are gone. */
async function endOrphans(db: Db): Promise<boolean> {
  await sql`select pg_terminate_backend(pid, ${ENDED_WITHIN_MS}) ${orphans}`.execute(db)
  const { rows } = await sql`select ${orphans} limit 1`.execute(db)
  return rows.length === 0
}

async function unlock(db: Db, pools: readonly string[]): Promise<void> {
  if (pools.length > 0) await sql`select graphile_worker.force_unlock_workers(${pools}::text[])`.execute(db)
}

/**
 * Frees the jobs and queues of workers that were not heard of for `deadMs`, by the clock of the database. Gives how many
 * workers had any. While a connection of a dead worker has not ended, nothing is freed: the next call does it.
 */
export async function freeDeadWorkers(db: Db, deadMs: number): Promise<number> {
  const deadline = sql`now() - make_interval(secs => ${deadMs / 1000}::double precision)`
  await sql`delete from job_workers where seen_at < ${deadline}`.execute(db)
  if (!(await endOrphans(db))) return 0
  // Of a worker without a row too, as former versions had none: its locks count from when they were taken.
  const { rows } = await sql<{ pool: string }>`
    select distinct locked_by as pool from graphile_worker.jobs
    where locked_at < ${deadline} and not exists (select from job_workers w where w.pool = locked_by)`.execute(db)
  await unlock(
    db,
    rows.map(({ pool }) => pool),
  )
  return rows.length
}

/** Takes a worker off that ends: what it holds is free at once. */
export async function removeWorker(db: Db, id: string, pool: string | null): Promise<void> {
  await db.deleteFrom('job_workers').where('id', '=', id).execute()
  if (pool !== null && (await endOrphans(db))) await unlock(db, [pool])
}
