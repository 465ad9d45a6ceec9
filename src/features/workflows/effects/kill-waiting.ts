import { sql } from 'kysely'
import { toJsonbText } from '../../../database/connection/connect.ts'
import type { EffectAnswers, NodeEffectRequest, RunStepTransaction } from '../run-stepper/effect-handlers.ts'
import type { WorkflowRunKey } from '../run-stepper/run.ts'
import { killStoredRuns } from '../waits/kill-runs.ts'

/** Kills or releases the other open runs of a contact, or thread, that wait at certain nodes; gives how many, for each. */
export async function endWaitingRuns(
  { tx, now }: RunStepTransaction,
  requests: readonly NodeEffectRequest<'killWaiting'>[],
): EffectAnswers {
  const { rows } = await sql<WorkflowRunKey & { nth: number; kill: boolean }>`
    with given as (
      select * from jsonb_to_recordset(${toJsonbText(
        requests.map(({ visit, asked: effect }, nth) => ({
          nth,
          account: visit.account,
          workflow: visit.workflow,
          own: visit.run,
          nodes: effect.nodes,
          contact: effect.scope === 'contact' ? visit.contact : null,
          thread: effect.scope === 'thread' ? visit.stamp.thread : null,
          kill: effect.action === 'kill',
        })),
      )}::jsonb) as g (nth integer, account integer, workflow integer, own uuid, nodes text[], contact bigint, thread uuid, kill boolean))
    select r.account, r.id, g.nth, g.kill from given g
    join workflow_runs r on r.account = g.account and r.workflow = g.workflow and r.id <> g.own and r.ended_at is null
      and r.status = 'waiting' and r.node = any(g.nodes) and (r.contact = g.contact or r.thread = g.thread)
    order by r.id for update of r`.execute(tx)
  const seenIds = new Set<string>()
  const newRows = rows.filter(({ id }) => !seenIds.has(id) && seenIds.add(id))
  await killStoredRuns(
    tx,
    newRows.filter(({ kill }) => kill),
    { reason: 'wait.kill', now },
  )
  const releasedRows = newRows.filter(({ kill }) => !kill)
  if (releasedRows.length > 0) {
    await sql`
      with k as (
        select * from unnest(${releasedRows.map(({ account }) => account)}::integer[], ${releasedRows.map(({ id }) => id)}::uuid[]) as k (account, id)
      ), told as (
        update workflow_runs r set moves = r.moves + 1, interrupt = '{"type":"release"}' from k where r.account = k.account and r.id = k.id)
      update workflow_timers t set due = ${new Date(now)} from k
      where t.account = k.account and t.run = k.id and t.claimed_by is null and t.due is not null`.execute(tx)
  }
  return requests.map((_, nth) => newRows.filter((row) => row.nth === nth).length)
}
