import { sql } from 'kysely'
import { type DatabaseConnection, type Db, openDatabasePool } from '../database/connection/connect.ts'

/** The application name of a worker's connections; its id follows. */
const CONNECTION_NAME_PREFIX = 'stentor worker '
/** The longest time that the termination of a dead worker's connection may take, in milliseconds. */
const TERMINATION_TIMEOUT_MS = 5000

/** This worker was declared dead: its jobs are unlocked, and another worker may run them. */
export class WorkerLostError extends Error {}

const LOST_WORKER_MESSAGE = 'This worker was declared dead, and its jobs were unlocked.'

export type WorkerConnections = Pick<DatabaseConnection, 'db' | 'pool'>

/** Registers a new worker; gives its id. */
export async function registerWorker(db: Db): Promise<string> {
  const { id } = await db.insertInto('job_workers').defaultValues().returning('id').executeTakeFirstOrThrow()
  return id
}

/** Records that a worker is alive, and the name under which it locks jobs. Throws WorkerLostError when it was declared dead. */
export async function recordWorkerHeartbeat(db: Db, id: string, pool: string | null): Promise<void> {
  const { rows } = await sql`
    update job_workers set seen_at = now(), pool = ${pool} where id = ${id} returning id`.execute(db)
  if (rows.length === 0) throw new WorkerLostError(LOST_WORKER_MESSAGE)
}

/**
 * The connections of a worker, for all that its jobs do. They are terminated before its jobs are unlocked, and no new one
 * can be opened after that: a worker commits only while the jobs are its own.
 */
export function openWorkerConnections(
  url: string,
  id: string,
  { onLost, ...options }: { max: number; log: (error: Error) => void; onLost: (reason: WorkerLostError) => void },
): DatabaseConnection {
  return openDatabasePool(url, {
    ...options,
    applicationName: CONNECTION_NAME_PREFIX + id,
    async onConnect(client) {
      const { rowCount } = await client.query('select from job_workers where id = $1', [id])
      if (rowCount !== 0) return
      const lostError = new WorkerLostError(LOST_WORKER_MESSAGE)
      onLost(lostError)
      throw lostError
    },
  })
}

/** Connections of workers without a row. A worker has its row before its first connection, so these are dead. */
const findOrphanedConnections = sql`
  from pg_stat_activity a
  where starts_with(application_name, ${CONNECTION_NAME_PREFIX}) and datname = current_database() and usename = current_user
    and not exists (select from job_workers w where application_name = ${CONNECTION_NAME_PREFIX} || w.id)`

/** Terminates the connections of workers without a row; gives whether all are gone. */
async function terminateOrphanedConnections(db: Db): Promise<boolean> {
  const { rows: terminated } =
    await sql`select pg_terminate_backend(pid, ${TERMINATION_TIMEOUT_MS}) ${findOrphanedConnections}`.execute(db)
  if (terminated.length === 0) return true
  const { rows } = await sql`select ${findOrphanedConnections} limit 1`.execute(db)
  return rows.length === 0
}

async function unlockJobs(db: Db, pools: readonly string[]): Promise<void> {
  if (pools.length > 0) await sql`select graphile_worker.force_unlock_workers(${pools}::text[])`.execute(db)
}

/**
 * Unlocks the jobs and queues of workers without a heartbeat for `timeoutMs`, by the clock of the database. Gives how many
 * workers had any. While a connection of a dead worker is open, nothing is unlocked: the next call does it.
 */
export async function unlockDeadWorkers(db: Db, timeoutMs: number): Promise<number> {
  const deadlineSql = sql`now() - make_interval(secs => ${timeoutMs / 1000}::double precision)`
  await sql`delete from job_workers where seen_at < ${deadlineSql}`.execute(db)
  if (!(await terminateOrphanedConnections(db))) return 0
  // Locks of workers without a row, as of former versions, count from when they were taken.
  const { rows } = await sql<{ pool: string }>`
    select distinct locked_by as pool from graphile_worker.jobs
    where locked_at < ${deadlineSql} and not exists (select from job_workers w where w.pool = locked_by)`.execute(db)
  await unlockJobs(
    db,
    rows.map(({ pool }) => pool),
  )
  return rows.length
}

/** Deregisters a worker that ends: its jobs are unlocked at once. */
export async function deregisterWorker(db: Db, id: string, pool: string | null): Promise<void> {
  await db.deleteFrom('job_workers').where('id', '=', id).execute()
  if (pool !== null && (await terminateOrphanedConnections(db))) await unlockJobs(db, [pool])
}
