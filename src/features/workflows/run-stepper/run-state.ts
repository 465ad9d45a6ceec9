import type { CappingVisit } from '../../capping/increments.ts'
import type { ContactValues } from '../../rendering/scope.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import {
  type EventWait,
  type FinalStepPlan,
  type LeavePlan,
  type NodeError,
  type PausePlan,
  RESOLUTION_EVENT_TYPE,
  type RunEventRecord,
  type WorkflowStepOutcome,
} from '../nodes/node-contract.ts'
import type { EndedRunStatus, RunInterrupt, RunTraceEntry, StoredRun } from './run.ts'

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

/**
 * Stage of a run in the transaction that steps it:
 * - `free`: nothing binds its transaction yet, so that it may perform any node.
 * - `goalsUnsearched`: stored events are searched for its new goals, and nothing else is done.
 * - `waitsUnsearched`: it waits, and stored events must still be searched for its waits.
 * - `waitsSearched`: it waits, and they were searched in this transaction.
 * - `requestBegun`: this process has committed that it begins the request of the node, which must not be repeated.
 * - `acted`: its transaction has an effect or has searched events, so that no other effect is begun in it.
 */
export type RunStage = 'free' | 'goalsUnsearched' | 'waitsUnsearched' | 'waitsSearched' | 'requestBegun' | 'acted'

/** A run on its way: what is changed is written at the end of the transaction. Only the functions of this file change it. */
export interface WorkflowRunState {
  /** As it was read; never changed. */
  readonly stored: StoredRun
  readonly run: Readonly<StoredRun>
  readonly stage: RunStage
  readonly definition: ReadyDefinition
  /** Events that its waits matched, by wait; in order. */
  readonly happened: Map<string, RunEventRecord>
  /** Event that reached one of its goals. */
  readonly reached: { goal: string; event: RunEventRecord } | null
  /** The contact as it is; undefined: not read yet. */
  readonly contact: ContactValues | null | undefined
  readonly trace: RunTraceEntry[]
  readonly counts: RunCount[]
  /** Waits to be registered in place of those it has; undefined: they stay. */
  readonly waits: readonly EventWait[] | undefined
  /** The place in the log from where its next wait looks: here, or behind the event it left by. */
  readonly mark: 'here' | RunEventRecord | undefined
  /** Increments of capping of a node that has failed. */
  readonly failedCapping: CappingVisit | undefined
  /** The moment at which the run is stepped again without a change of its wait (milliseconds). */
  readonly dueAt: number | undefined
}

/** A run state for the functions that change it. */
type ChangingRunState = Omit<{ -readonly [Member in keyof WorkflowRunState]: WorkflowRunState[Member] }, 'run'> & {
  run: StoredRun
}

/** The state of a run when its work begins, in addition to its stored row. */
type InitialRunState = Pick<WorkflowRunState, 'happened' | 'reached' | 'stage'> &
  Partial<Pick<WorkflowRunState, 'contact'>>

/** Begins to work on a run. */
export function createWorkflowRunState(
  storedRun: StoredRun,
  definition: ReadyDefinition,
  initial: InitialRunState = { happened: new Map(), reached: null, stage: 'free' },
): WorkflowRunState {
  return {
    contact: storedRun.contact === null ? null : undefined,
    ...initial,
    stored: storedRun,
    run: {
      ...storedRun,
      visits: { ...storedRun.visits },
      variables: { ...storedRun.variables },
      sends: storedRun.sends && { ...storedRun.sends },
    },
    definition,
    trace: [],
    counts: [],
    waits: undefined,
    mark: undefined,
    failedCapping: undefined,
    dueAt: undefined,
  }
}

/** Sets the contact of the run; `undefined` if it must be read again. */
export function setRunContact(draft: ChangingRunState, contact: WorkflowRunState['contact']): void {
  draft.contact = contact
}

/** The next wait looks from the place in the log where the run is now. */
export function markRunHere(draft: ChangingRunState): void {
  draft.mark = 'here'
}

/** The run has an effect in its transaction. */
export function recordRunEffect(draft: ChangingRunState): void {
  draft.stage = 'acted'
  draft.mark = 'here'
}

/** Capping has locked the keys of a visit, and may have counted it. */
export function recordVisitCapping(draft: ChangingRunState, counted?: { places: CappingVisit | null }): void {
  draft.stage = 'acted'
  if (counted) draft.run.memo = counted.places && { capping: counted.places }
}

/** Stored events were searched for the waits of the run. */
export function recordWaitSearch(draft: ChangingRunState): void {
  draft.stage = 'waitsSearched'
}

/** Adds events that its waits matched. */
export function addHappenedEvents(draft: WorkflowRunState, events: ReadonlyMap<string, RunEventRecord>): void {
  for (const [wait, event] of events) draft.happened.set(wait, event)
}

/** The run is stepped again at a moment (milliseconds); its wait stays as it is. */
export function postponeRun(draft: ChangingRunState, dueAt: number): void {
  draft.dueAt = dueAt
}

/** Forgets what another process had asked of the run: it is done, or cannot be. */
export function clearRunInterrupt({ run }: ChangingRunState): void {
  run.interrupt = null
}

/** Keeps the stamps of what a node has sent in its run: waits ask for the last, and for events of all of them. `at`: ISO 8601. */
export function recordNodeSends({ run }: ChangingRunState, node: string, stamps: readonly string[], at: string): void {
  const lastStamp = stamps.at(-1)
  if (lastStamp === undefined) return
  const earlierStamps = Object.fromEntries(stamps.slice(0, -1).map((stamp, index) => [`${node} ${index + 1}`, stamp]))
  run.sends = { ...run.sends, ...earlierStamps, [node]: lastStamp, '': lastStamp, [`at ${node}`]: at, 'at ': at }
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
export function changeRunVersion(draft: ChangingRunState, definition: ReadyDefinition): void {
  const { run } = draft
  draft.counts.push({ subject: 'node', id: run.node, name: 'entered', n: -1, version: run.version })
  draft.definition = definition
  run.version = definition.version
  draft.counts.push({ subject: 'node', id: run.node, name: 'entered', n: 1, version: run.version })
}

/** Ends the run. */
export function endRun(
  draft: ChangingRunState,
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

/** Begins a visit of the node where the run stands. */
export function startNodeVisit(draft: ChangingRunState, now: number): void {
  const { run } = draft
  run.visit = (run.visits[run.node] ?? 0) + 1
  run.visits[run.node] = run.visit
  run.steps++
  run.enteredAt = new Date(now)
  addRunCount(draft, 'node', run.node, 'entered')
}

/** Capping has let the visit pass. That is committed before the service is left, and stays whatever comes of the call. */
export function clearNodeVisit({ run }: ChangingRunState): void {
  run.phase = 'cleared'
  run.memo = null
}

/** The request of the node begins. That is committed before it is made: it must not be repeated. */
export function startNodeRequest({ run }: ChangingRunState): void {
  run.phase = 'begun'
}

/** The run waits at its node. */
export function pauseRun(draft: ChangingRunState, { until, waits, needed, memo = null }: PausePlan): void {
  const { run } = draft
  run.status = 'waiting'
  run.wake = until === null ? null : new Date(until)
  run.needed = needed === 'all' ? waits.length : Math.min(waits.length, 1)
  run.phase = 'wait'
  run.memo = memo
  draft.waits = waits
  if (waits.length > 0) draft.stage = 'waitsUnsearched'
}

/** Moves the run to the node `next`; null completes it. */
export function moveRunToNode(draft: ChangingRunState, next: string | null, now: number): void {
  const { run, stage } = draft
  run.wake = null
  run.enteredAt = null
  run.attempt = 1
  run.needed = 1
  run.memo = null
  draft.waits = []
  draft.stage = stage === 'acted' || stage === 'waitsSearched' ? 'acted' : 'free'
  if (next === null) endRun(draft, 'completed', { now })
  else Object.assign(run, { node: next, phase: 'enter', status: 'running' })
}

/** Leaves the node the run stands at. */
export function leaveRunNode(draft: ChangingRunState, type: string, plan: LeavePlan, now: number): void {
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

/** The node did not act: its capping increments are returned. A node that fails after it in the same step has counted nothing. */
export function revertNodeCapping(draft: ChangingRunState, counted: CappingVisit | undefined): void {
  draft.failedCapping = counted ?? draft.failedCapping
  draft.run.memo = null
}

/** The node is tried again at a moment. */
export function retryRunNode(draft: ChangingRunState, at: Date): void {
  const { run } = draft
  run.phase = 'retry'
  run.status = 'waiting'
  run.wake = at
  run.attempt++
  run.needed = 0
  addRunCount(draft, 'node', run.node, 'retried')
}

/** The node has failed for good. */
export function recordNodeFailure(
  draft: ChangingRunState,
  type: string,
  error: NodeError,
  departure: { next: string | null; now: number },
): void {
  const { run } = draft
  traceRunNode(draft, type, { ...departure, outcome: 'failed', detail: { error } })
  addRunCount(draft, 'node', run.node, 'failed')
  addRunCount(draft, 'node', run.node, 'left')
  run.last = { node: run.node, outcome: 'failed', value: null, error }
}

/** The run has reached a goal: it leaves its node for where the goal leads. */
export function moveRunToGoal(
  draft: ChangingRunState,
  { goal, event }: NonNullable<WorkflowRunState['reached']>,
  { type, next, now }: { type: string; next: string | null; now: number },
): void {
  const { run } = draft
  run.goal = goal
  run.event = event
  // Between two nodes the last number is that of the node it has left.
  if (run.phase === 'enter') run.steps++
  traceRunNode(draft, type, { outcome: 'done', next, now, detail: { goal } })
  draft.mark = event
  countNodeDeparture(draft)
  run.interrupt = null
  moveRunToNode(draft, next, now)
}

/** A listener moves the run to its handler. */
export function moveRunToHandler(
  draft: ChangingRunState,
  { handler, event }: Extract<RunInterrupt, { type: 'move' }>,
  now: number,
): void {
  draft.run.event = event
  draft.mark = event
  countNodeDeparture(draft)
  moveRunToNode(draft, handler, now)
}

/** The run leaves a wait by an event: what it waits for next is behind that. */
export function consumeRunEvent(
  draft: ChangingRunState,
  plan: FinalStepPlan,
  happened: ReadonlyMap<string, RunEventRecord>,
): void {
  const { run } = draft
  const consumedEvent = run.needed === 1 && plan.type === 'leave' ? happened.get(plan.branch ?? '') : undefined
  const orderedEvents = [...happened.values()].toSorted(
    (leftEvent, rightEvent) => leftEvent.timestamp - rightEvent.timestamp || (leftEvent.id < rightEvent.id ? -1 : 1),
  )
  const event = consumedEvent ?? orderedEvents.at(-1)!
  if (event.type === RESOLUTION_EVENT_TYPE) {
    markRunHere(draft)
    return
  }
  draft.mark = event
  run.sends = { ...run.sends, [`after ${run.node}`]: `${event.timestamp} ${event.id}` }
}
