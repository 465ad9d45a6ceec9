import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import type { WorkflowVersionKey } from '../engine/ready-definition.ts'
import { resolveRunZones } from '../engine/run-contacts.ts'
import type { StepContext } from './node-visit.ts'
import type { StoredRun } from './run.ts'

/** The versions that workflows have now, by account and workflow. */
async function loadCurrentVersions(db: Db, runs: readonly StoredRun[]): Promise<Map<string, WorkflowVersionKey>> {
  const runsByWorkflow = new Map(runs.map((run) => [`${run.account} ${run.workflow}`, run]))
  const distinctRuns = [...runsByWorkflow.values()]
  const { rows } = await sql<WorkflowVersionKey>`${buildPreparedPrefix('versions-of-surroundings')}
    select w.account, w.id as workflow, w.version
    from unnest(${distinctRuns.map(({ account }) => account)}::integer[], ${distinctRuns.map(({ workflow }) => workflow)}::integer[]) as k (account, id)
    join workflows w using (account, id)`.execute(db)
  return new Map(rows.map((row) => [`${row.account} ${row.workflow}`, row]))
}

/** Loads the context of runs: their accounts, and the time zones of their contacts if workflows use them. */
export async function loadStepContext(
  { db, accounts, contacts, definitions }: Pick<WorkflowEngineContext, 'db' | 'accounts' | 'contacts' | 'definitions'>,
  runs: readonly StoredRun[],
  now: number,
): Promise<StepContext> {
  await accounts.load(
    db,
    runs.map(({ account }) => account),
  )
  const currentByWorkflow = await loadCurrentVersions(db, runs)
  const definitionOf = await definitions.load(db, [...runs, ...currentByWorkflow.values()])
  const zonedRuns = runs.filter((run) => run.contact !== null && definitionOf(run)?.settings.timeZoneField != null)
  const zoneContacts = await contacts(db, zonedRuns)
  const contactByRun = new Map(zonedRuns.map(({ id }, index) => [id, zoneContacts[index] ?? null]))
  return {
    now,
    accountOf: (account) => accounts.describe(account),
    zonesOf: ({ run, definition }) => resolveRunZones(definition, contactByRun.get(run.id) ?? null),
    currentOf({ run, definition }) {
      const key = currentByWorkflow.get(`${run.account} ${run.workflow}`)
      return (key && definitionOf(key)) ?? definition
    },
  }
}
