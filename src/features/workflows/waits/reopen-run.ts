import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import type { WorkflowRunKey } from '../run-stepper/run.ts'
import { registerRunGoals } from '../starts/start-runs.ts'

/** Opens a run again that has failed: it is due at once, to enter the node where it stands. Its row is locked. */
export async function reopenFailedRun(
  tx: Db,
  { account, id }: WorkflowRunKey,
  definition: ReadyDefinition,
  now: number,
): Promise<void> {
  const { rows } = await sql<{ contact: number | null }>`
    update workflow_runs r set status = 'running', reason = null, outcome = null, ended_at = null, phase = 'enter', attempt = 1,
      entered_at = null, needed = 1, memo = null, wake = null, interrupt = null, moves = r.moves + 1, updated_at = ${new Date(now)},
      kills = (select kills from workflows w where w.account = r.account and w.id = r.workflow)
    where account = ${account} and id = ${id} returning contact`.execute(tx)
  await sql`insert into workflow_timers (account, run, due) values (${account}, ${id}, ${new Date(now)})`.execute(tx)
  await sql`
    update workflow_entries e set open = e.open + 1 from workflow_runs r
    where r.account = ${account} and r.id = ${id} and e.account = r.account and e.workflow = r.workflow and e.key = r.entry_key`.execute(
    tx,
  )
  await registerRunGoals(tx, [{ definition, contact: rows[0]!.contact, id }])
}
