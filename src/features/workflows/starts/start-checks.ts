import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import type { WorkflowVersionKey } from '../engine/ready-definition.ts'
import { MAX_OPEN_RUNS } from '../engine/run-limits.ts'

/** Data of a start that is used in lookups. */
interface StartLookup {
  definition: WorkflowVersionKey
  contact: number | null
  id: string | null
  stamp: { id: string }
}

/** Accounts in which as many runs are open as there can be, as of the counts that were added up last. */
export async function findFullAccounts(tx: Db, starts: readonly StartLookup[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ account: number }>`${buildPreparedPrefix('full-workflow-accounts')}
    select account from workflow_open_runs
    where account = any(${[...new Set(starts.map(({ definition }) => definition.account))]}::integer[]) and n >= ${MAX_OPEN_RUNS}`.execute(
    tx,
  )
  return new Set(rows.map(({ account }) => account))
}

/** Names the contact of a start. */
export const formatStartContact = ({ definition, contact }: StartLookup): string => `${definition.account} ${contact}`

/** Contacts of starts that are there; they are not deleted before the transaction ends, so that a deletion finds their runs. */
export async function lockStartContacts(tx: Db, starts: readonly StartLookup[]): Promise<ReadonlySet<string>> {
  const contactStarts = starts.filter(({ contact }) => contact !== null)
  if (contactStarts.length === 0) return new Set()
  const { rows } = await sql<{ account: number; id: number }>`${buildPreparedPrefix('hold-workflow-contacts')}
    select c.account, c.id from contacts c
    where (c.account, c.id) in (
      select * from unnest(${contactStarts.map(({ definition }) => definition.account)}::integer[], ${contactStarts.map(({ contact }) => contact)}::bigint[]))
    order by c.account, c.key for key share`.execute(tx)
  return new Set(rows.map(({ account, id }) => `${account} ${id}`))
}

/**
 * Runs that stamps have started before, and ids that are taken. Each is looked up by an index, also by a plan that was made when there
 * were few runs.
 */
export async function findStartedRuns(
  tx: Db,
  starts: readonly StartLookup[],
): Promise<{ byStamp: Map<string, { id: string; contact: number | null }>; ids: Set<string> }> {
  const startsWithId = starts.filter(({ id }) => id !== null)
  const { rows } = await sql<{
    account: number
    id: string
    stamp: string
    contact: number | null
  }>`${buildPreparedPrefix('known-workflow-runs')}
    select r.* from unnest(
      ${starts.map(({ definition }) => definition.account)}::integer[], ${starts.map(({ stamp }) => stamp.id)}::uuid[]) as g (account, stamp)
    cross join lateral (
      select account, id, stamp, contact from workflow_runs where account = g.account and stamp = g.stamp offset 0) r
    union
    select r.* from unnest(
      ${startsWithId.map(({ definition }) => definition.account)}::integer[], ${startsWithId.map(({ id }) => id)}::uuid[]) as g (account, id)
    cross join lateral (
      select account, id, stamp, contact from workflow_runs where account = g.account and id = g.id offset 0) r`.execute(
    tx,
  )
  return {
    byStamp: new Map(rows.map((row) => [`${row.account} ${row.stamp}`, row])),
    ids: new Set(rows.map(({ account, id }) => `${account} ${id}`)),
  }
}
