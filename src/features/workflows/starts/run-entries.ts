import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import type { StoredRun } from '../run-stepper/run.ts'

/** Counts runs that have ended as open no more under their keys. */
export async function closeRunEntries(
  tx: Db,
  endedRuns: readonly Pick<StoredRun, 'account' | 'workflow' | 'entryKey'>[],
): Promise<void> {
  const countedRuns = endedRuns.filter(({ entryKey }) => entryKey !== null)
  if (countedRuns.length === 0) return
  await sql`${buildPreparedPrefix('close-workflow-entries')}
    with gone as (
      select account, workflow, key, count(*)::integer as n from unnest(
        ${countedRuns.map(({ account }) => account)}::integer[], ${countedRuns.map(({ workflow }) => workflow)}::integer[],
        ${countedRuns.map(({ entryKey }) => entryKey)}::text[]) as g (account, workflow, key)
      group by 1, 2, 3
    ), mine as materialized (
      select e.account, e.workflow, e.key, g.n from workflow_entries e join gone g using (account, workflow, key)
      order by e.account, e.workflow, e.key for no key update of e
    )
    update workflow_entries e set open = greatest(e.open - m.n, 0)
    from mine m where e.account = m.account and e.workflow = m.workflow and e.key = m.key`.execute(tx)
}
