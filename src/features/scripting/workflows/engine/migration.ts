import { sql } from 'kysely'
import { prepared } from '../../../../database/connect.ts'
import type { EngineContext } from './context.ts'
import type { ReadyDefinition, VersionKey } from './definition.ts'
import type { Run } from './run.ts'

/**
 * The current versions of the workflows of runs that wait, of those that let waiting runs go on with them. Gives how to get that of
 * a run; null: it stays on its own.
 */
export async function newerVersions(
  { db, definitions }: Pick<EngineContext, 'db' | 'definitions'>,
  runs: readonly Run[],
): Promise<(run: Run) => ReadyDefinition | null> {
  const waiting = runs.filter(({ phase }) => phase === 'wait')
  if (waiting.length === 0) return () => null
  const { rows } = await sql<VersionKey>`${prepared('newer-workflow-versions')}
    select w.account, w.id as workflow, w.version
    from (select distinct * from unnest(
      ${waiting.map(({ account }) => account)}::integer[], ${waiting.map(({ workflow }) => workflow)}::integer[],
      ${waiting.map(({ version }) => version)}::integer[]) as k (account, workflow, version)) k
    join workflows w on w.account = k.account and w.id = k.workflow and w.version <> k.version`.execute(db)
  const current = await definitions.load(db, rows)
  const byWorkflow = new Map(rows.map((row) => [`${row.account} ${row.workflow}`, current(row)]))
  return (run) => {
    const found = byWorkflow.get(`${run.account} ${run.workflow}`)
    return found?.settings.migration === 'atWaits' && found.version !== run.version ? found : null
  }
}
