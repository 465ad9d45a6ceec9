import type { CappingPlaces } from '../../capping/increments.ts'
import type { ContactValues } from '../../rendering/scope.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import type { EndStatus, Run, TraceEntry } from './run.ts'
import { type EventRecord, type Leave, type Outcome, RESOLUTION, type Settled, type WaitFor } from './step.ts'

/** Something counted: of a node, an output, a listener, a run. */
export interface Count {
  subject: 'run' | 'refused' | 'node' | 'output' | 'listener' | 'task'
  id: string
  name: string
  /** 1 when absent. */
  n?: number
  /** The version it is of, where that is not the run's at the end of its step. */
  version?: number
}

/** A run on its way: what is changed is written at the end of the transaction. */
export interface Draft {
  /** As it was read; never changed. */
  readonly stored: Run
  readonly run: Run
  definition: ReadyDefinition
  /** What happened of what it waits for, by wait; in order. */
  readonly happened: Map<string, EventRecord>
  /** What happened to a goal of it. */
  readonly reached: { goal: string; event: EventRecord } | null
  /** Stored events have not been looked at for its goals. */
  readonly hasNewGoals: boolean
  /** The contact as it is; undefined: not read yet. */
  contact: ContactValues | null | undefined
  readonly trace: TraceEntry[]
  readonly counts: Count[]
  /** Waits to be registered in place of those it has; undefined: they stay. */
  waits: readonly WaitFor[] | undefined
  /** The place in the log from where its next wait looks: here, or behind the event it left by. */
  mark: 'here' | EventRecord | undefined
  /** Its transaction has an effect, or has looked for events: no other is begun in it. */
  hasEffect: boolean
  /** Stored events have not been looked at for its waits. */
  mustLook: boolean
  /** They have been now. */
  hasLooked: boolean
  /** This process has begun the request of the node, which must not be repeated. */
  hasBegun: boolean
  /** Increments of capping of a node that has failed. */
  givenBack: CappingPlaces | undefined
  /** Moves the next look at the run (milliseconds) without changing its wait. */
  again: number | undefined
}

/** Begins to work on a run. */
export function draftOf(
  stored: Run,
  definition: ReadyDefinition,
  waits: Pick<Draft, 'happened' | 'reached' | 'mustLook'> & Partial<Pick<Draft, 'hasNewGoals'>> = {
    happened: new Map(),
    reached: null,
    mustLook: false,
  },
): Draft {
  return {
    hasNewGoals: false,
    ...waits,
    stored,
    run: {
      ...stored,
      visits: { ...stored.visits },
      variables: { ...stored.variables },
      sends: stored.sends && { ...stored.sends },
    },
    definition,
    contact: stored.contact === null ? null : undefined,
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
export function count(draft: Draft, subject: Count['subject'], id: string, name: string): void {
  draft.counts.push({ subject, id, name })
}

/** Counts that the run leaves its node otherwise than by a way of that. */
export function depart(draft: Draft): void {
  if (draft.run.phase !== 'enter') count(draft, 'node', draft.run.node, 'left')
}

/** The run goes on with another version, at the same node: what is counted as there goes with it. */
export function changeVersion(draft: Draft, definition: ReadyDefinition): void {
  const { run } = draft
  draft.counts.push({ subject: 'node', id: run.node, name: 'entered', n: -1, version: run.version })
  draft.definition = definition
  run.version = definition.version
  draft.counts.push({ subject: 'node', id: run.node, name: 'entered', n: 1, version: run.version })
}

/** Ends the run. */
export function end(
  draft: Draft,
  status: EndStatus,
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
  count(draft, 'run', '', status)
}

/** Enters what the trace keeps of the node the run stands at. */
export function traceNode(
  draft: Draft,
  type: string,
  left: { outcome: string; next: string | null; detail?: Leave['detail']; now: number },
): void {
  const { run } = draft
  const { outcome, next, detail = null, now } = left
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
export function goTo(draft: Draft, next: string | null, now: number): void {
  const { run } = draft
  run.wake = null
  run.enteredAt = null
  run.attempt = 1
  run.needed = 1
  run.memo = null
  draft.waits = []
  if (next === null) end(draft, 'completed', { now })
  else Object.assign(run, { node: next, phase: 'enter', status: 'running' })
}

/** Leaves the node the run stands at. */
export function leave(draft: Draft, type: string, plan: Leave, now: number): void {
  const { run } = draft
  const { next, outcome, value = null, into, branch } = plan
  const detail = branch === undefined ? plan.detail : { branch, ...plan.detail }
  traceNode(draft, type, { outcome, next, detail, now })
  count(draft, 'node', run.node, 'left')
  count(draft, 'output', run.node, next ?? '')
  if (outcome === 'capped') count(draft, 'node', run.node, 'capped')
  if (into) run.variables[into] = value
  run.last = { node: run.node, outcome: outcome satisfies Outcome, value, error: null }
  goTo(draft, next, now)
}

/** The event that a run leaves a node by: what it waits for next is behind it. */
export function consumed(
  { run }: Draft,
  plan: Settled,
  happened: ReadonlyMap<string, EventRecord>,
): EventRecord | 'here' {
  const taken = run.needed === 1 && plan.type === 'leave' ? happened.get(plan.branch ?? '') : undefined
  const inOrder = [...happened.values()].toSorted(
    (one, other) => one.timestamp - other.timestamp || (one.id < other.id ? -1 : 1),
  )
  const event = taken ?? inOrder.at(-1)!
  if (event.type === RESOLUTION) return 'here'
  run.sends = { ...run.sends, [`after ${run.node}`]: `${event.timestamp} ${event.id}` }
  return event
}
