import { sql } from 'kysely'
import { buildPreparedPrefix, type Db, toJsonbText } from '../../../database/connection/connect.ts'
import { storeRunCounts } from '../counts/version-counts.ts'
import { closeRunEntries } from '../starts/run-entries.ts'
import { deleteLeftWaits, markWaitsSearched, registerRunWaits } from '../waits/register-waits.ts'
import { type EventLogPosition, isOpenRun, type RunInterrupt, type WorkflowRunKey } from './run.ts'
import type { WorkflowRunState } from './run-state.ts'

/** Changed columns of a run. `hereMark`: its position in the log is that of this transaction. */
interface RunUpdate {
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
  /** Interrupt that was stored when the run was read. Another interrupt that arrives meanwhile is retained. */
  told: object | null
  goal: string | null
  ended_at: Date | null
}

function buildRunUpdate({ stored: storedRun, run, mark }: WorkflowRunState): RunUpdate {
  const consumedEvent = mark === undefined || mark === 'here' ? undefined : mark
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
    mark_at: consumedEvent ? new Date(consumedEvent.timestamp) : run.mark.at,
    mark_event: consumedEvent ? consumedEvent.id : run.mark.event,
    mark_snapshot: consumedEvent ? null : run.mark.snapshot,
    wake: run.wake,
    told: storedRun.interrupt,
    goal: run.goal,
    ended_at: run.endedAt,
  }
}

/** The place in the log of a run that was written. */
export interface WrittenRunPosition extends WorkflowRunKey {
  mark: EventLogPosition
  /** Interrupt that has arrived meanwhile. */
  interrupt: RunInterrupt | null
}

/** Writes where runs stand; the moment is that of the step (milliseconds). */
async function writeRunUpdates(
  tx: Db,
  drafts: readonly WorkflowRunState[],
  now: number,
): Promise<WrittenRunPosition[]> {
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
    from jsonb_to_recordset(${toJsonbText(drafts.map(buildRunUpdate))}::jsonb) as g (
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

/** Computes when a run must be claimed again (milliseconds). Returns `undefined` if its worker continues with it. */
function computeDueTime({ run, dueAt, stage }: WorkflowRunState): number | undefined {
  if (dueAt !== undefined) return dueAt
  if ((run.phase !== 'wait' && run.phase !== 'retry') || stage === 'waitsUnsearched') return undefined
  return Math.min(run.wake?.getTime() ?? Number.POSITIVE_INFINITY, run.expiresAt.getTime())
}

/** Ended runs leave the queue; those that wait are due at the end of their wait. */
async function updateTimers(
  tx: Db,
  drafts: readonly WorkflowRunState[],
  { marks: writtenPositions, now }: { marks: readonly WrittenRunPosition[]; now: number },
): Promise<void> {
  const endedRuns = drafts.filter(({ run }) => !isOpenRun(run)).map(({ run }) => run)
  if (endedRuns.length > 0) {
    await sql`${buildPreparedPrefix('end-workflow-timers')}
      delete from workflow_timers t
      using unnest(${endedRuns.map(({ account }) => account)}::integer[], ${endedRuns.map(({ id }) => id)}::uuid[]) as k (account, id)
      where t.account = k.account and t.run = k.id`.execute(tx)
  }
  const interruptedRuns = new Set(writtenPositions.flatMap(({ id, interrupt }) => (interrupt === null ? [] : [id])))
  const runTimers = drafts.flatMap((draft) => {
    const dueTime =
      isOpenRun(draft.run) && interruptedRuns.has(draft.run.id)
        ? now
        : isOpenRun(draft.run)
          ? computeDueTime(draft)
          : undefined
    return dueTime === undefined ? [] : [{ run: draft.run, due: dueTime }]
  })
  if (runTimers.length === 0) return
  await sql`${buildPreparedPrefix('wait-workflow-timers')}
    update workflow_timers t set claimed_by = null, due = k.due
    from unnest(
      ${runTimers.map(({ run }) => run.account)}::integer[], ${runTimers.map(({ run }) => run.id)}::uuid[],
      ${runTimers.map(({ due: dueTime }) => new Date(dueTime))}::timestamptz[]) as k (account, id, due)
    where t.account = k.account and t.run = k.id`.execute(tx)
}

/** Entries of the trace, as the settings of the workflow keep them. */
async function writeTraces(tx: Db, drafts: readonly WorkflowRunState[]): Promise<void> {
  const traceRows = drafts.flatMap(({ run, trace, definition }) => {
    const { trace: traceMode } = definition.settings
    const traceEntries =
      traceMode === 'all' ? trace : traceMode === 'errors' ? trace.filter(({ outcome }) => outcome === 'failed') : []
    return traceEntries.length === 0
      ? []
      : [{ account: run.account, run: run.id, seq: traceEntries[0]!.seq, entries: traceEntries }]
  })
  if (traceRows.length === 0) return
  await sql`${buildPreparedPrefix('write-workflow-traces')}
    insert into workflow_traces (account, run, seq, entries)
    select * from unnest(
      ${traceRows.map(({ account }) => account)}::integer[], ${traceRows.map(({ run }) => run)}::uuid[],
      ${traceRows.map(({ seq }) => seq)}::integer[], ${traceRows.map(({ entries: traceEntries }) => toJsonbText(traceEntries))}::jsonb[])`.execute(
    tx,
  )
}

/** Returns true if the row of the run changes. A run for which events were only searched continues to wait unchanged. */
function mustWriteRun({ stored: storedRun, run, trace, waits }: WorkflowRunState): boolean {
  return (
    run.phase !== storedRun.phase ||
    trace.length > 0 ||
    waits !== undefined ||
    run.steps > storedRun.steps ||
    run.attempt !== storedRun.attempt ||
    run.interrupt !== storedRun.interrupt
  )
}

const isNewlyEnded = ({ stored: storedRun, run }: WorkflowRunState): boolean => isOpenRun(storedRun) && !isOpenRun(run)

/** Writes what runs have done, with their waits, timers, traces and counts; part of the transaction of their effects. */
export async function writeWorkflowRunStates(
  tx: Db,
  drafts: readonly WorkflowRunState[],
  now: number,
): Promise<WrittenRunPosition[]> {
  if (drafts.length === 0) return []
  const writtenPositions = await writeRunUpdates(tx, drafts.filter(mustWriteRun), now)
  await deleteLeftWaits(tx, drafts)
  await registerRunWaits(tx, drafts, now)
  await markWaitsSearched(tx, drafts)
  await updateTimers(tx, drafts, { marks: writtenPositions, now })
  await writeTraces(tx, drafts)
  await closeRunEntries(
    tx,
    drafts.filter(isNewlyEnded).map(({ run }) => run),
  )
  await storeRunCounts(tx, drafts, now)
  return writtenPositions
}
