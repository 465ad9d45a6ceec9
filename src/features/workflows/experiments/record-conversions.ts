import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { storeVersionCounts, type WorkflowVersionCount } from '../counts/version-counts.ts'
import type { ListenedEvent } from '../dispatch/event-records.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import { loadStoredRuns } from '../run-stepper/load-runs.ts'
import { loadStepContext } from '../run-stepper/load-step-context.ts'
import { buildRunScope } from '../run-stepper/node-visit.ts'
import { createWorkflowRunState, setRunContact } from '../run-stepper/run-state.ts'
import { isFilterMatch } from '../waits/search-events.ts'
import { type ExperimentKey, fingerprintExperiment } from './experiment.ts'

/** A visit that an event may make a conversion. */
interface OpenVisit extends ExperimentKey {
  run: string
  visit: number
  event: string
}

async function findOpenVisits(tx: Db, events: readonly ListenedEvent[]): Promise<OpenVisit[]> {
  const inputRows = events.flatMap(({ row, types, record }) =>
    row.contact === null
      ? []
      : types.map((type) => ({
          account: row.account,
          contact: row.contact,
          event: row.event,
          type,
          at: record.timestamp,
        })),
  )
  if (inputRows.length === 0) return []
  const { rows } = await sql<OpenVisit>`
    select v.account, v.workflow, v.node, v.fingerprint, v.run, v.visit, g.event
    from jsonb_to_recordset(${toJsonbText(inputRows)}::jsonb) as g (account integer, contact bigint, event uuid, type text, at bigint)
    join workflow_experiment_visits v on v.account = g.account and v.contact = g.contact and v.metric = g.type
      and v.converted_at is null and v.at <= to_timestamp(g.at / 1000.0) and v.until > to_timestamp(g.at / 1000.0)`.execute(
    tx,
  )
  return rows
}

/** Writes down when visits converted; the first event counts. */
async function storeConversions(tx: Db, visitConversions: readonly (OpenVisit & { at: number })[]): Promise<void> {
  if (visitConversions.length === 0) return
  await sql`
    with given as (
      select distinct on (account, workflow, node, fingerprint, run, visit) *
      from jsonb_to_recordset(${toJsonbText(visitConversions)}::jsonb) as g (
        account integer, workflow integer, node text, fingerprint text, run uuid, visit integer, at bigint)
      order by account, workflow, node, fingerprint, run, visit, at
    ), locked as (
      select v.account, v.workflow, v.node, v.fingerprint, v.run, v.visit, g.at
      from given g join workflow_experiment_visits v using (account, workflow, node, fingerprint, run, visit)
      where v.converted_at is null order by v.account, v.run, v.visit for update of v
    )
    update workflow_experiment_visits v set converted_at = to_timestamp(l.at / 1000.0) from locked l
    where (v.account, v.workflow, v.node, v.fingerprint, v.run, v.visit) = (l.account, l.workflow, l.node, l.fingerprint, l.run, l.visit)`.execute(
    tx,
  )
}

/** Records which visits of experiments events make conversions of: those of their contact, by the version of their run. */
export async function recordVisitConversions(
  context: WorkflowEngineContext,
  tx: Db,
  events: readonly ListenedEvent[],
): Promise<void> {
  const openVisitRows = await findOpenVisits(tx, events)
  if (openVisitRows.length === 0) return
  const keys = new Map(openVisitRows.map(({ account, run: id }) => [id, { account: account as AccountId, id }]))
  const runs = await loadStoredRuns(tx, [...keys.values()])
  const definitions = await context.definitions.load(tx, runs)
  const stepContext = await loadStepContext(context, runs, context.clock.now())
  const statesByRun = new Map(
    runs.flatMap((run) => {
      const definition = definitions(run)
      return definition ? [[run.id, createWorkflowRunState(run, definition)] as const] : []
    }),
  )
  const runStates = [...statesByRun.values()]
  for (const [index, contact] of (await context.performers.contact(tx, runStates)).entries())
    setRunContact(runStates[index]!, contact)
  const records = new Map(events.map(({ row, record }) => [row.event, record]))
  const failures: WorkflowVersionCount[] = []
  const visitMatches = await Promise.all(
    openVisitRows.map(async (openVisit) => {
      const [runState, record] = [statesByRun.get(openVisit.run), records.get(openVisit.event)!]
      const settings = runState?.definition.nodes.get(openVisit.node)?.settings as
        | Parameters<typeof fingerprintExperiment>[0]
        | undefined
      const filter = runState?.definition.filterOf(openVisit.node, 'metric')
      if (!runState || !settings || !filter || fingerprintExperiment(settings) !== openVisit.fingerprint) return []
      const { account, workflow, version } = runState.run
      const countFilterFailure = () =>
        failures.push({ account, workflow, version, subject: 'node', id: openVisit.node, name: 'filterFailed', n: 1 })
      const isConversion = await isFilterMatch(
        filter,
        record,
        () => ({ ...buildRunScope(runState, stepContext), event: record }),
        countFilterFailure,
      )
      return isConversion ? [{ ...openVisit, at: record.timestamp }] : []
    }),
  )
  await storeConversions(tx, visitMatches.flat())
  await storeVersionCounts(tx, failures, context.clock.now())
}
