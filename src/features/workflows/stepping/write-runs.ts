import { sql } from 'kysely'
import { buildPreparedPrefix, type Db, toJsonbText } from '../../../database/connection/connect.ts'
import { storeRunCounts } from '../counts/counts.ts'
import { closeRunEntries } from '../starts/entries.ts'
import { deleteLeftWaits, markWaitsSearched, registerRunWaits } from '../waits/waits.ts'
import { type EventLogPosition, isOpenRun, type RunInterrupt, type WorkflowRunKey } from './run.ts'
import type { WorkflowRunState } from './run-state.ts'

/** What of a run changes. `hereMark`: its place in the log is that of this transaction. */
interface Written {
  account: number
  id: string
  status: string
  reason: string | null
  outcome: string | null
  version: number
  node: string
  phase: string
  visit: number
  attempt: number
  entered_at: Date | null
  needed: number
  memo: unknown
  steps: number
  visits: object
  variables: object
  event: object | null
  last: object | null
  sends: object | null
  here_mark: boolean
  mark_at: Date
  mark_event: string | null
  mark_snapshot: string | null
  wake: Date | null
  /** What it was told when it was read; another that came meanwhile stays. */
  told: object | null
  goal: string | null
  ended_at: Date | null
}

function writtenOf({ stored, run, mark }: WorkflowRunState): Written {
  const consumed = mark === undefined || mark === 'here' ? undefined : mark
  return {
    account: run.account,
    id: run.id,
    status: run.status,
    reason: run.reason,
    outcome: run.outcome,
    version: run.version,
    node: run.node,
    phase: run.phase,
    visit: run.visit,
    attempt: run.attempt,
    entered_at: run.enteredAt,
    needed: run.needed,
    memo: run.memo,
    steps: run.steps,
    visits: run.visits,
    variables: run.variables,
    event: run.event,
    last: run.last,
    sends: run.sends,
    here_mark: mark === 'here',
    mark_at: consumed ? new Date(consumed.timestamp) : run.mark.at,
    mark_event: consumed ? consumed.id : run.mark.event,
    mark_snapshot: consumed ? null : run.mark.snapshot,
    wake: run.wake,
    told: stored.interrupt,
    goal: run.goal,
    ended_at: run.endedAt,
  }
}

/** The place in the log of a run that was written. */
export interface WrittenRunPosition extends WorkflowRunKey {
  mark: EventLogPosition
  /** What it has been told meanwhile. */
  interrupt: RunInterrupt | null
}

/** Writes where runs stand; the moment is that of the step (milliseconds). */
async function updateRuns(tx: Db, drafts: readonly WorkflowRunState[], now: number): Promise<WrittenRunPosition[]> {
  const { rows } = await sql<{
    account: number
    id: string
    at: Date
    event: string | null
    snapshot: string | null
    interrupt: RunInterrupt | null
  }>`${buildPreparedPrefix('write-workflow-runs')}
    update workflow_runs r set
      status = g.status, reason = g.reason, outcome = g.outcome, version = g.version, node = g.node, phase = g.phase,
      visit = g.visit, attempt = g.attempt, entered_at = g.entered_at, needed = g.needed, memo = g.memo, steps = g.steps,
      visits = g.visits, variables = g.variables, event = g.event, last = g.last,
      sends = g.sends, wake = g.wake, interrupt = case when g.ended_at is null and r.interrupt is distinct from g.told then r.interrupt end, goal = g.goal, ended_at = g.ended_at,
      mark_at = case when g.here_mark then clock_timestamp() else g.mark_at end,
      mark_event = case when g.here_mark then null else g.mark_event end,
      mark_snapshot = case when g.here_mark then pg_current_snapshot()::text || ' ' || pg_current_xact_id()::text else g.mark_snapshot end,
      moves = r.moves + 1, updated_at = ${new Date(now)}
    from jsonb_to_recordset(${toJsonbText(drafts.map(writtenOf))}::jsonb) as g (
      account integer, id uuid, status text, reason text, outcome text, version integer, node text, phase text, visit integer,
      attempt smallint, entered_at timestamptz, needed smallint, memo jsonb, steps integer, visits jsonb,
      variables jsonb, event jsonb, last jsonb, sends jsonb, here_mark boolean, mark_at timestamptz, mark_event uuid,
      mark_snapshot text, wake timestamptz, told jsonb, goal text, ended_at timestamptz)
    where r.account = g.account and r.id = g.id
    returning r.account, r.id, r.mark_at as at, r.mark_event as event, r.mark_snapshot as snapshot, r.interrupt`.execute(
    tx,
  )
  return rows.map(({ account, id, interrupt, ...mark }) => ({ account, id, mark, interrupt }))
}

/** When a run is to be taken again (milliseconds); undefined: its worker goes on with it. */
function dueOf({ run, again, mustLook }: WorkflowRunState): number | undefined {
  if (again !== undefined) return again
  if ((run.phase !== 'wait' && run.phase !== 'retry') || mustLook) return undefined
  return Math.min(run.wake?.getTime() ?? Number.POSITIVE_INFINITY, run.expiresAt.getTime())
}

/** Ended runs leave the queue; those that wait are due at the end of their wait. */
async function updateTimers(
  tx: Db,
  drafts: readonly WorkflowRunState[],
  { marks, now }: { marks: readonly WrittenRunPosition[]; now: number },
): Promise<void> {
  const ended = drafts.filter(({ run }) => !isOpenRun(run)).map(({ run }) => run)
  if (ended.length > 0) {
    await sql`${buildPreparedPrefix('end-workflow-timers')}
      delete from workflow_timers t
      using unnest(${ended.map(({ account }) => account)}::integer[], ${ended.map(({ id }) => id)}::uuid[]) as k (account, id)
      where t.account = k.account and t.run = k.id`.execute(tx)
  }
  const told = new Set(marks.flatMap(({ id, interrupt }) => (interrupt === null ? [] : [id])))
  const waiting = drafts.flatMap((draft) => {
    const due = isOpenRun(draft.run) && told.has(draft.run.id) ? now : isOpenRun(draft.run) ? dueOf(draft) : undefined
    return due === undefined ? [] : [{ run: draft.run, due }]
  })
  if (waiting.length === 0) return
  await sql`${buildPreparedPrefix('wait-workflow-timers')}
    update workflow_timers t set claimed_by = null, due = k.due
    from unnest(
      ${waiting.map(({ run }) => run.account)}::integer[], ${waiting.map(({ run }) => run.id)}::uuid[],
      ${waiting.map(({ due }) => new Date(due))}::timestamptz[]) as k (account, id, due)
    where t.account = k.account and t.run = k.id`.execute(tx)
}

/** Entries of the trace, as the settings of the workflow keep them. */
async function writeTraces(tx: Db, drafts: readonly WorkflowRunState[]): Promise<void> {
  const kept = drafts.flatMap(({ run, trace, definition }) => {
    const { trace: mode } = definition.settings
    const entries =
      mode === 'all' ? trace : mode === 'errors' ? trace.filter(({ outcome }) => outcome === 'failed') : []
    return entries.length === 0 ? [] : [{ account: run.account, run: run.id, seq: entries[0]!.seq, entries }]
  })
  if (kept.length === 0) return
  await sql`${buildPreparedPrefix('write-workflow-traces')}
    insert into workflow_traces (account, run, seq, entries)
    select * from unnest(
      ${kept.map(({ account }) => account)}::integer[], ${kept.map(({ run }) => run)}::uuid[],
      ${kept.map(({ seq }) => seq)}::integer[], ${kept.map(({ entries }) => toJsonbText(entries))}::jsonb[])`.execute(
    tx,
  )
}

/** Whether its row changes: one that has only been looked for waits on as it did. */
function isChanged({ stored, run, trace, waits }: WorkflowRunState): boolean {
  return (
    run.phase !== stored.phase ||
    trace.length > 0 ||
    waits !== undefined ||
    run.steps > stored.steps ||
    run.attempt !== stored.attempt ||
    run.interrupt !== stored.interrupt
  )
}

const isEnded = ({ stored, run }: WorkflowRunState): boolean => isOpenRun(stored) && !isOpenRun(run)

/** Writes what runs have done, with their waits, timers, traces and counts; part of the transaction of their effects. */
export async function writeWorkflowRunStates(
  tx: Db,
  drafts: readonly WorkflowRunState[],
  now: number,
): Promise<WrittenRunPosition[]> {
  if (drafts.length === 0) return []
  const marks = await updateRuns(tx, drafts.filter(isChanged), now)
  await deleteLeftWaits(tx, drafts)
  await registerRunWaits(tx, drafts, now)
  await markWaitsSearched(tx, drafts)
  await updateTimers(tx, drafts, { marks, now })
  await writeTraces(tx, drafts)
  await closeRunEntries(
    tx,
    drafts.filter(isEnded).map(({ run }) => run),
  )
  await storeRunCounts(tx, drafts, now)
  return marks
}
