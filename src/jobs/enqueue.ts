import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/connection/connect.ts'

/** Every task of the queue with its payload; the bodies are in the features. */
export interface TaskPayloads {
  'imports.run': { execution: number }
  'imports.pull': { account: number; import: number; seen?: { name: string; bytes: number; modifiedAt: number }[] }
  'imports.report': { execution: number; to?: string }
  'actions.test': { account: number; action: number; attempt: number }
  'campaigns.plan': { sending: number }
  'archives.wipe': Record<string, unknown>
  'actions.export': { account: number; action: number; kind: 'recipients' | 'opens' | 'clicks'; export: string }
  'jobs.run': { job: string }
  /** `history`: the number of the erasure of old events, with the contacts' names, sealed. */
  'contacts.erase': {
    account: number
    contacts: number[]
    stamps: string[]
    since: string
    history?: { erasure: number; names: string }
  }
  /** A campaign did not begin, as it was approved for other criteria. */
  'approvals.undone': { account: number; approval: string }
  'segments.count': { account: number; segment: number }
  /** `email` is sealed. There is a job for every request, so that nobody can find out which addresses are known. */
  'people.reset': { email: string }
  /** The digest of a session's token, as hex. */
  'people.place': { session: string }
  /** A key that may send was made; by: the person who made it. */
  'people.key': { key: number; by: string | null }
  /** Approvals of an account were switched off; by: the person who did that. */
  'people.approval': { account: number; by: string | null }
  'segments.index': Record<string, unknown>
  'segments.growth': { account: number }
  'housekeeping.daily': Record<string, unknown>
  'housekeeping.minutely': Record<string, unknown>
}

export type TaskName = keyof TaskPayloads

export interface EnqueueTaskOptions {
  runAt?: Date
  /** A job with the same key that still waits is replaced. */
  key?: string
  /** Jobs of one queue run one after the other. */
  queue?: string
  maxAttempts?: number
}

/** Adds a job in the caller's transaction: it exists if and only if the transaction commits. */
export async function enqueueTask<Name extends TaskName>(
  db: Db,
  task: Name,
  payload: TaskPayloads[Name],
  options: EnqueueTaskOptions = {},
): Promise<void> {
  const { runAt, key, queue, maxAttempts } = options
  await sql`select graphile_worker.add_job(
    identifier => ${task}, payload => ${JSON.stringify(payload)}::json, queue_name => ${queue ?? null}::text,
    run_at => ${runAt ?? null}::timestamptz, max_attempts => ${maxAttempts ?? null}::integer, job_key => ${key ?? null}::text
  )`.execute(db)
}

/** The expression that adds a job for each row of a select; `key` and `payload` are expressions on the row. */
export function buildEnqueueExpression(
  task: TaskName,
  key: RawBuilder<unknown>,
  payload: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`graphile_worker.add_job(identifier => ${sql.lit(task)}, job_key => ${key}, payload => ${payload})`
}

/** Returns true if a job with a key is waiting or running. */
export async function isTaskQueued(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql`
    select from graphile_worker.jobs where key = ${key} and attempts < max_attempts`.execute(db)
  return rows.length > 0
}

/** Adds jobs of one task, each with a key of its own; one with the same key that still waits is replaced. */
export async function enqueueTasks<Name extends TaskName>(
  db: Db,
  task: Name,
  jobs: readonly { payload: TaskPayloads[Name]; key: string }[],
): Promise<void> {
  if (jobs.length === 0) return
  await sql`
    select graphile_worker.add_job(identifier => ${task}, payload => n.payload::json, job_key => n.key)
    from unnest(${jobs.map(({ payload }) => JSON.stringify(payload))}::text[], ${jobs.map(({ key }) => key)}::text[])
      as n (payload, key)`.execute(db)
}
