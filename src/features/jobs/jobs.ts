import { sql } from 'kysely'
import { type Db, inTransaction, toJsonbText } from '../../database/connection/connect.ts'
import { streamRows } from '../../database/rows/stream.ts'
import { enqueueTask } from '../../jobs/enqueue.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import type { JobResource } from './job-schemas.ts'

interface JobRow {
  id: string
  type: string
  state: JobResource['state']
  created_at: Date
  started_at: Date | null
  ended_at: Date | null
  done: number
  total: number | null
  result: unknown
  error: JobResource['error']
}

function toJobResource({
  id,
  type,
  state,
  created_at,
  started_at,
  ended_at,
  done,
  total,
  result,
  error,
}: JobRow): JobResource {
  return {
    id,
    type,
    state,
    creationDate: created_at.toISOString(),
    startDate: started_at?.toISOString() ?? null,
    endDate: ended_at?.toISOString() ?? null,
    progress: { done, total },
    result,
    error,
  }
}

const jobColumns = sql`id, type, state, created_at, started_at, ended_at, done, total, result, error`

/** The jobs of an account in some states, newest first: those before the page's key, at most its limit. */
export async function* listJobs(
  db: Db,
  account: AccountId,
  states: readonly JobResource['state'][],
  { after, limit }: { after: string | undefined; limit: number | undefined },
): AsyncGenerator<JobResource> {
  const query = sql<JobRow>`
    select ${jobColumns} from jobs
    where account = ${account} and state = any(${states}::text[])
      ${after === undefined ? sql`` : sql`and id < ${after}::uuid`}
    order by id desc limit ${limit ?? null}::integer`
  for await (const row of streamRows(db, query)) yield toJobResource(row)
}

/** A job. Throws notFound. */
export async function loadJob(db: Db, account: AccountId, id: string): Promise<JobResource> {
  const { rows: jobRows } = await sql<JobRow>`
    select ${jobColumns} from jobs where account = ${account} and id = ${id}`.execute(db)
  const [row] = jobRows
  if (!row) throw notFoundProblem('job', id)
  return toJobResource(row)
}

/** Adds the job to the queue; one that waits there already is replaced. */
export async function enqueueJob(db: Db, id: string): Promise<void> {
  await enqueueTask(db, 'jobs.run', { job: id }, { key: `jobs.run ${id}` })
}

/**
 * Begins a job when the caller's transaction commits. `type` names its body among those of `runJob`, which gets the
 * payload (JSON).
 */
export function startJob(
  db: Db,
  account: AccountId,
  { type, payload }: { type: string; payload: object },
  now: number,
): Promise<JobResource> {
  return inTransaction(db, async (tx) => {
    const id = createUuidV7(now)
    await sql`
      insert into jobs (id, account, type, created_at, payload)
      values (${id}, ${account}, ${type}, ${new Date(now)}, ${toJsonbText(payload)})`.execute(tx)
    await enqueueJob(tx, id)
    return loadJob(tx, account, id)
  })
}

/** Queues every job that has not ended, also those whose process died. A running job is not affected. */
export async function requeueUnfinishedJobs(db: Db): Promise<void> {
  const { rows: unfinishedJobs } = await sql<{ id: string }>`
    select id from jobs where state in ('queued', 'running') order by created_at`.execute(db)
  for (const { id } of unfinishedJobs) await enqueueJob(db, id)
}
