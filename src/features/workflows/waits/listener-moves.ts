import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { ListenedEvent } from '../dispatch/event-records.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import type { ReadyDefinition, ReadyListener } from '../engine/ready-definition.ts'

/** An event that a listener of a workflow is for. */
export interface ListenerMatch {
  event: ListenedEvent
  definition: ReadyDefinition
  listener: ReadyListener
}

/** Result for the open runs of a contact or thread. */
export interface MovedRunCounts {
  moved: number
  /** Runs of a version that does not have this handler: they stay at their node. */
  lacking: number
}

interface OpenRun {
  nth: number
  account: AccountId
  id: string
  workflow: number
  version: number
}

/** Open runs of the contact, or of the thread, of what was heard; they are locked. */
async function lockOpenRuns(tx: Db, listenerMatches: readonly ListenerMatch[]): Promise<OpenRun[]> {
  const { rows } = await sql<OpenRun>`
    select g.nth, r.account, r.id, r.workflow, r.version
    from unnest(
      ${listenerMatches.map((_, nth) => nth)}::integer[], ${listenerMatches.map(({ definition }) => definition.account)}::integer[],
      ${listenerMatches.map(({ definition }) => definition.workflow)}::integer[],
      ${listenerMatches.map(({ event, listener }) => (listener.correlation === 'contact' ? event.row.contact : null))}::bigint[],
      ${listenerMatches.map(({ event, listener }) => (listener.correlation === 'thread' ? event.thread : null))}::uuid[])
      as g (nth, account, workflow, contact, thread)
    join workflow_runs r on r.account = g.account and r.workflow = g.workflow and r.ended_at is null
      and (r.contact = g.contact or r.thread = g.thread)
    order by r.id for update of r`.execute(tx)
  return rows
}

/**
 * Moves open runs of the contact, or of the thread, to the handler; gives for each that was heard what became of them. A run that a
 * worker has in hand ends its node first.
 */
export async function moveOpenRuns(
  { definitions }: Pick<WorkflowEngineContext, 'definitions'>,
  tx: Db,
  listenerMatches: readonly ListenerMatch[],
  now: number,
): Promise<MovedRunCounts[]> {
  if (listenerMatches.length === 0) return []
  const openRuns = await lockOpenRuns(tx, listenerMatches)
  const definitionOf = await definitions.load(tx, openRuns)
  const hasHandler = (run: OpenRun) => definitionOf(run)?.nodes.has(listenerMatches[run.nth]!.listener.handler) === true
  const movableRuns = openRuns.filter(hasHandler)
  if (movableRuns.length > 0) {
    const moveRows = movableRuns.map(({ account, id, nth }) => ({
      account,
      id,
      handler: listenerMatches[nth]!.listener.handler,
      event: listenerMatches[nth]!.event.record,
    }))
    await sql`
      with g as materialized (
        select * from jsonb_to_recordset(${toJsonbText(moveRows)}::jsonb) as g (account integer, id uuid, handler text, event jsonb)
      ), told as (
        update workflow_runs r set moves = r.moves + case r.status when 'waiting' then 1 else 0 end,
          interrupt = jsonb_build_object('type', 'move', 'handler', g.handler, 'event', g.event)
        from g where r.account = g.account and r.id = g.id
      )
      update workflow_timers t set due = ${new Date(now)} from g
      where t.account = g.account and t.run = g.id and t.claimed_by is null and t.due is not null`.execute(tx)
  }
  return listenerMatches.map((_, nth) => {
    const matchRuns = openRuns.filter((run) => run.nth === nth)
    const movedCount = matchRuns.filter(hasHandler).length
    return { moved: movedCount, lacking: matchRuns.length - movedCount }
  })
}
