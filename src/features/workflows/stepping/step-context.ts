import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import type { WorkflowEngineContext } from '../engine/context.ts'
import type { WorkflowVersionKey } from '../engine/ready-definition.ts'
import { resolveRunZones } from '../engine/run-contacts.ts'
import type { StoredRun } from './run.ts'
import type { StepContext } from './visits.ts'

/** The versions that workflows have now, by account and workflow. */
async function currentVersions(db: Db, runs: readonly StoredRun[]): Promise<Map<string, WorkflowVersionKey>> {
  const keys = new Map(runs.map((run) => [`${run.account} ${run.workflow}`, run]))
  const own = [...keys.values()]
  const { rows } = await sql<WorkflowVersionKey>`${buildPreparedPrefix('versions-of-surroundings')}
    select w.account, w.id as workflow, w.version
    from unnest(${own.map(({ account }) => account)}::integer[], ${own.map(({ workflow }) => workflow)}::integer[]) as k (account, id)
    join workflows w using (account, id)`.execute(db)
  return new Map(rows.map((row) => [`${row.account} ${row.workflow}`, row]))
}

/** What runs are performed in: their accounts, and the zones of their contacts where workflows go by them. */
export async function loadStepContext(
  { db, accounts, contacts, definitions }: Pick<WorkflowEngineContext, 'db' | 'accounts' | 'contacts' | 'definitions'>,
  runs: readonly StoredRun[],
  now: number,
): Promise<StepContext> {
  await accounts.load(
    db,
    runs.map(({ account }) => account),
  )
  const current = await currentVersions(db, runs)
  const definitionOf = await definitions.load(db, [...runs, ...current.values()])
  const zoned = runs.filter((run) => run.contact !== null && definitionOf(run)?.settings.timeZoneField != null)
  const read = await contacts(db, zoned)
  const byRun = new Map(zoned.map(({ id }, index) => [id, read[index] ?? null]))
  return {
    now,
    accountOf: (account) => accounts.describe(account),
    zonesOf: ({ run, definition }) => resolveRunZones(definition, byRun.get(run.id) ?? null),
    currentOf({ run, definition }) {
      const key = current.get(`${run.account} ${run.workflow}`)
      return (key && definitionOf(key)) ?? definition
    },
  }
}
