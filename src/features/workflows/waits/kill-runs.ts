import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { countRunMove, storeVersionCounts, type WorkflowVersionCount } from '../counts/version-counts.ts'
import { buildRunKeyTable } from '../run-stepper/load-runs.ts'
import type { StoredRun, WorkflowRunKey } from '../run-stepper/run.ts'
import { closeRunEntries } from '../starts/run-entries.ts'

type KilledRun = WorkflowRunKey & Pick<StoredRun, 'workflow' | 'version' | 'entryKey' | 'node' | 'phase' | 'status'>

/** It is killed, open no more, and has left its node where it had entered it. */
function buildKillCounts(run: KilledRun): WorkflowVersionCount[] {
  const { account, workflow, version, node, phase } = run
  const killCount = { account, workflow, version, n: 1 }
  return [
    { ...killCount, subject: 'run', id: '', name: 'killed' },
    ...(phase === 'enter' ? [] : [{ ...killCount, subject: 'node' as const, id: node, name: 'left' }]),
    ...countRunMove(run, null),
  ]
}

/** Ends open runs as killed, in the caller's transaction; gives those that were open. Their traces stay. */
export async function killStoredRuns(
  tx: Db,
  keys: readonly WorkflowRunKey[],
  { reason, now }: { reason: string; now: number },
): Promise<WorkflowRunKey[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<KilledRun>`
    with k as materialized (
      select r.account, r.id
      from ${buildRunKeyTable(keys)}
      join workflow_runs r using (account, id)
      where r.ended_at is null order by r.id for update of r
    ), gone as (delete from workflow_timers t using k where t.account = k.account and t.run = k.id
    ), forgotten as (delete from workflow_waits w using k where w.account = k.account and w.run = k.id)
    update workflow_runs r set status = 'killed', reason = ${reason}, ended_at = ${new Date(now)}, updated_at = ${new Date(now)},
      wake = null, interrupt = null, moves = r.moves + 1
    from k where r.account = k.account and r.id = k.id
    returning r.account, r.id, r.workflow, r.version, r.entry_key as "entryKey", r.node, r.phase, old.status`.execute(
    tx,
  )
  await closeRunEntries(tx, rows)
  await storeVersionCounts(tx, rows.flatMap(buildKillCounts), now)
  return rows
}
