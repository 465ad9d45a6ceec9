import type { CappingVisit } from '../../capping/increments.ts'
import type { ContactValues } from '../../rendering/scope.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import {
  type EventWait,
  type FinalStepPlan,
  type LeavePlan,
  RESOLUTION_EVENT_TYPE,
  type RunEventRecord,
  type WorkflowStepOutcome,
} from '../nodes/node-contract.ts'
import type { EndedRunStatus, RunTraceEntry, StoredRun } from './run.ts'

/** Something counted: of a node, an output, a listener, a run. */
export interface RunCount {
  subject: 'run' | 'refused' | 'node' | 'output' | 'listener' | 'task'
  id: string
  name: string
  /** 1 when absent. */
  n?: number
  /** The version it is of, where that is not the run's at the end of its step. */
  version?: number
}

/** A run on its way: what is changed is written at the end of the transaction. */
export interface WorkflowRunState {
  /** As it was read; never changed. */
  readonly stored: StoredRun
  readonly run: StoredRun
  definition: ReadyDefinition
  /** Events that its waits matched, by wait; in order. */
  readonly happened: Map<string, RunEventRecord>
  /** Event that reached one of its goals. */
  readonly reached: { goal: string; event: RunEventRecord } | null
  /** Stored events have not been looked at for its goals. */
  readonly hasNewGoals: boolean
  /** The contact as it is; undefined: not read yet. */
  contact: ContactValues | null | undefined
  readonly trace: RunTraceEntry[]
  readonly counts: RunCount[]
  /** Waits to be registered in place of those it has; undefined: they stay. */
  waits: readonly EventWait[] | undefined
  /** The place in the log from where its next wait looks: here, or behind the event it left by. */
  mark: 'here' | RunEventRecord | undefined
  /** Its transaction has an effect, or has looked for events: no other is begun in it. */
  hasEffect: boolean
  /** Stored events have not been looked at for its waits. */
  mustLook: boolean
  /** They have been now. */
  hasLooked: boolean
  /** This process has begun the request of the node, which must not be repeated. */
  hasBegun: boolean
  /** Increments of capping of a node that has failed. */
  givenBack: CappingVisit | undefined
  /** Moves the next look at the run (milliseconds) without changing its wait. */
  again: number | undefined
}

/** Begins to work on a run. */
export function createWorkflowRunState(
  storedRun: StoredRun,
  definition: ReadyDefinition,
  waits: Pick<WorkflowRunState, 'happened' | 'reached' | 'mustLook'> &
    Partial<Pick<WorkflowRunState, 'hasNewGoals'>> = {
    happened: new Map(),
    reached: null,
    mustLook: false,
  },
): WorkflowRunState {
  return {
    hasNewGoals: false,
    ...waits,
    stored: storedRun,
    run: {
      ...storedRun,
      visits: { ...storedRun.visits },
      variables: { ...storedRun.variables },
      sends: storedRun.sends && { ...storedRun.sends },
    },
    definition,
    contact: storedRun.contact === null ? null : undefined,
    trace: [],
    counts: [],
    waits: undefined,
    mark: undefined,
    hasEffect: false,
    hasLooked: false,
    hasBegun: false,
    givenBack: undefined,
    again: undefined,
  }
}

/** Adds to what is counted. */
export function addRunCount(draft: WorkflowRunState, subject: RunCount['subject'], id: string, name: string): void {
  draft.counts.push({ subject, id, name })
}

/** Counts that the run leaves its node otherwise than by a way of that. */
export function countNodeDeparture(draft: WorkflowRunState): void {
  if (draft.run.phase !== 'enter') addRunCount(draft, 'node', draft.run.node, 'left')
}

/** The run goes on with another version, at the same node: what is counted as there goes with it. */
export function changeRunVersion(draft: WorkflowRunState, definition: ReadyDefinition): void {
  const { run } = draft
  draft.counts.push({ subject: 'node', id: run.node, name: 'entered', n: -1, version: run.version })
  draft.definition = definition
  run.version = definition.version
  draft.counts.push({ subject: 'node', id: run.node, name: 'entered', n: 1, version: run.version })
}

/** Ends the run. */
export function endRun(
  draft: WorkflowRunState,
  status: EndedRunStatus,
  { reason = null, outcome = null, now }: { reason?: string | null; outcome?: string | null; now: number },
): void {
  const { run } = draft
  run.status = status
  run.reason = reason
  run.outcome = run.goal === null ? outcome : 'goal'
  run.wake = null
  run.interrupt = null
  run.endedAt = new Date(now)
  draft.waits = []
  addRunCount(draft, 'run', '', status)
}

/** Enters what the trace keeps of the node the run stands at. */
export function traceRunNode(
  draft: WorkflowRunState,
  type: string,
  departure: { outcome: string; next: string | null; detail?: LeavePlan['detail']; now: number },
): void {
  const { run } = draft
  const { outcome, next, detail = null, now } = departure
  draft.trace.push({
    seq: run.steps,
    node: run.node,
    type,
    visit: run.visit,
    attempt: run.attempt,
    enter: run.enteredAt?.getTime() ?? now,
    leave: now,
    outcome,
    next,
    detail,
  })
}

/** Moves the run to the node `next`; null completes it. */
export function moveRunToNode(draft: WorkflowRunState, next: string | null, now: number): void {
  const { run } = draft
  run.wake = null
  run.enteredAt = null
  run.attempt = 1
  run.needed = 1
  run.memo = null
  draft.waits = []
  if (next === null) endRun(draft, 'completed', { now })
  else Object.assign(run, { node: next, phase: 'enter', status: 'running' })
}

/** Leaves the node the run stands at. */
export function leaveRunNode(draft: WorkflowRunState, type: string, plan: LeavePlan, now: number): void {
  const { run } = draft
  const { next, outcome, value = null, into, branch } = plan
  const detail = branch === undefined ? plan.detail : { branch, ...plan.detail }
  traceRunNode(draft, type, { outcome, next, detail, now })
  addRunCount(draft, 'node', run.node, 'left')
  addRunCount(draft, 'output', run.node, next ?? '')
  if (outcome === 'capped') addRunCount(draft, 'node', run.node, 'capped')
  if (into) run.variables[into] = value
  run.last = { node: run.node, outcome: outcome satisfies WorkflowStepOutcome, value, error: null }
  moveRunToNode(draft, next, now)
}

/** The event that a run leaves a node by: what it waits for next is behind it. */
export function consumeRunEvent(
  { run }: WorkflowRunState,
  plan: FinalStepPlan,
  happened: ReadonlyMap<string, RunEventRecord>,
): RunEventRecord | 'here' {
  const consumedEvent = run.needed === 1 && plan.type === 'leave' ? happened.get(plan.branch ?? '') : undefined
  const orderedEvents = [...happened.values()].toSorted(
    (leftEvent, rightEvent) => leftEvent.timestamp - rightEvent.timestamp || (leftEvent.id < rightEvent.id ? -1 : 1),
  )
  const event = consumedEvent ?? orderedEvents.at(-1)!
  if (event.type === RESOLUTION_EVENT_TYPE) return 'here'
  run.sends = { ...run.sends, [`after ${run.node}`]: `${event.timestamp} ${event.id}` }
  return event
}
