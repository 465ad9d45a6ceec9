import type { Expression } from '../../../scripting/expressions/expression.ts'
import { type CappingWanted, type Counted, cappedPlan, cappingsOf, countVisit } from '../counts/count-visit.ts'
import { fail } from '../engine/fail-run.ts'
import { MAX_NODES_IN_A_ROW, MAX_RUN_BYTES } from '../engine/limits.ts'
import type { ReadyNode, Scope, ScriptValue } from '../engine/ready-definition.ts'
import { isOpen, type Run } from './run.ts'
import { changeVersion, consumed, count, type Draft, depart, end, goTo, leave, traceNode } from './run-state.ts'
import { isTooLarge } from './sizes.ts'
import {
  type Ask,
  callKinds,
  checkedAnswer,
  type EventRecord,
  type NodeSteps,
  type Plan,
  type Settled,
  StepFailure,
  type Visit,
  type Wake,
} from './step.ts'
import { type Surroundings, scopeOf, visitOf } from './visits.ts'

/** What a walk asks of the engine, beside what nodes ask for. */
export type Wanted =
  | { kind: 'ask'; ask: Ask; visit: Visit }
  | { kind: 'prepare'; ask: Ask; visit: Visit }
  | { kind: 'contact' }
  | { kind: 'evaluate'; expressions: readonly Expression[]; scope: Scope }
  | CappingWanted
  | { kind: 'look'; until: number | null; isDue?: boolean; isGoals?: boolean }
  | { kind: 'begin' }

/** What is answered of a `look`. */
export interface Looked {
  happened: ReadonlyMap<string, EventRecord>
  /** A hit that is not settled yet may be what the run waits for. */
  isOpen: boolean
  /** What the workflow listens to has changed, and something may still be published that it is not told of. */
  isEarly?: boolean
}

export type Walk = Generator<Wanted, void, unknown>

const HELD_BACK_MS = 1000
const NOT_COUNTED: Counted = { isCounted: false, capped: null }
const EARLY_MS = 200

/** Reads what the expressions of the node need. */
function* prepareVisit(draft: Draft, node: ReadyNode, around: Surroundings): Generator<Wanted, Visit, unknown> {
  const isCapped = cappingsOf(draft, node, around).length > 0
  if ((node.usesContact || isCapped) && draft.contact === undefined)
    draft.contact = (yield { kind: 'contact' }) as Draft['contact']
  let scripts: ReadonlyMap<Expression, ScriptValue> = new Map()
  if (node.scripts.length > 0) {
    const scope = scopeOf(draft, around)
    scripts = checkedAnswer(yield { kind: 'evaluate', expressions: node.scripts, scope }) as typeof scripts
  }
  return visitOf(draft, node, around, scripts)
}

/** What a node is about to do, with all that is made ready before the transaction. */
function* ready(plan: Plan, visit: Visit): Generator<Wanted, Plan, unknown> {
  if (plan.type !== 'ask' || (plan.ask.kind !== 'send' && plan.ask.kind !== 'writes')) return plan
  const prepared = checkedAnswer(yield { kind: 'prepare', ask: plan.ask, visit })
  return { type: 'ask', ask: { ...plan.ask, prepared } }
}

/** Asks for what the plan asks for, until it says where the run goes. */
function* settled(
  draft: Draft,
  node: ReadyNode,
  visit: Visit,
  first: Plan,
): Generator<Wanted, Settled | null, unknown> {
  const steps = node.steps as NodeSteps<unknown>
  let plan: Plan = first
  while (plan.type === 'ask') {
    const { ask } = plan
    if (ask.kind === 'request' && !ask.repeat && !draft.hasBegun) {
      if (draft.run.phase === 'begun') throw new StepFailure('in doubt', 'The end of the request is unknown.')
      yield { kind: 'begin' }
      draft.run.phase = 'begun'
      return null
    }
    const answer = checkedAnswer(yield { kind: 'ask', ask, visit })
    if (!steps.answered) throw new Error(`nodes of type ${node.type} take no answers`)
    plan = yield* ready(steps.answered(visit, answer) as Plan, visit)
  }
  return plan as Settled
}

/** Enters the node where the run stands, or tries it again. Null: the transaction ends first. */
function* entered(draft: Draft, node: ReadyNode, around: Surroundings): Generator<Wanted, Settled | null, unknown> {
  const { run } = draft
  const isNew = run.phase === 'enter'
  if (isNew) {
    run.visit = (run.visits[node.id] ?? 0) + 1
    run.visits[node.id] = run.visit
    run.steps++
    run.enteredAt = new Date(around.now)
    count(draft, 'node', node.id, 'entered')
  }
  const visit = yield* prepareVisit(draft, node, around)
  const plan = yield* ready((node.steps as NodeSteps<unknown>).enter(visit) as Plan, visit)
  // What a try before had counted was given back when it failed.
  const mustCount = isNew || run.phase === 'retry'
  const { isCounted, capped } = mustCount ? yield* countVisit(draft, node, visit, around) : NOT_COUNTED
  if (capped) return yield* cappedPlan(node, visit, { plan, capped })
  if (isCounted && plan.type === 'ask' && callKinds.has(plan.ask.kind)) {
    // The increment is committed before the service is left, and stays whatever comes of that.
    run.phase = 'cleared'
    run.memo = null
    return null
  }
  return yield* settled(draft, node, visit, plan)
}

/** Whether what the run waits for has happened. */
const hasHappened = ({ run, happened }: Draft): boolean => run.needed > 0 && happened.size >= run.needed

/** Looks whether the wait of the run is over; null: it is not. */
function* wakeOf(draft: Draft, { now }: Surroundings): Generator<Wanted, Wake | null, unknown> {
  const { run } = draft
  const isDue = run.wake !== null && run.wake.getTime() <= now
  const isOver = () => hasHappened(draft)
  if (run.interrupt?.type === 'release') return { type: 'released' }
  if (!isOver() && (draft.mustLook || isDue) && run.needed > 0) {
    const search = (yield { kind: 'look', until: run.wake?.getTime() ?? null, isDue }) as Looked
    for (const [wait, event] of search.happened) draft.happened.set(wait, event)
    const isEarly = !isOver() && !isDue && search.isEarly === true
    draft.mustLook = isEarly
    draft.hasLooked = !isEarly
    if (isEarly) {
      draft.again = now + EARLY_MS
      return null
    }
    if (!isOver() && isDue && search.isOpen) {
      draft.again = now + HELD_BACK_MS
      return null
    }
  }
  if (isOver()) return { type: 'events', happened: draft.happened }
  return isDue ? { type: 'deadline' } : null
}

/**
 * The node as the version has it that the run goes on with: the current one, where that takes waiting runs over and has a node
 * of the same id and type.
 */
function currentNode(draft: Draft, own: ReadyNode, { currentOf }: Surroundings): ReadyNode {
  const current = currentOf?.(draft)
  if (!current || current.version === draft.run.version || current.settings.migration !== 'atWaits') return own
  const node = current.nodes.get(own.id)
  // Who resumes it names a node of its own version.
  if (node?.type !== own.type || draft.run.interrupt?.type === 'resume') return own
  changeVersion(draft, current)
  return node
}

/** Goes on with a run that waits. Null: it goes on waiting. */
function* woken(draft: Draft, own: ReadyNode, around: Surroundings): Generator<Wanted, Settled | null, unknown> {
  const wake = yield* wakeOf(draft, around)
  if (wake === null) return null
  const node = currentNode(draft, own, around)
  const { steps } = node as { steps: NodeSteps<unknown> }
  if (!steps.woken) throw new Error(`nodes of type ${node.type} do not wait`)
  const plan = steps.woken(visitOf(draft, node, around, new Map()), wake)
  draft.mark = wake.type === 'events' ? consumed(draft, plan, wake.happened) : 'here'
  const { interrupt } = draft.run
  return plan.type === 'leave' && interrupt?.type === 'resume' ? { ...plan, next: interrupt.node } : plan
}

/** Does what the plan of a node says. */
function apply(draft: Draft, node: ReadyNode, plan: Settled, now: number): void {
  if (plan.type === 'leave') leave(draft, node.type, plan, now)
  else if (plan.type === 'pause') {
    const { run } = draft
    const { until, waits, needed, memo = null } = plan
    run.status = 'waiting'
    run.wake = until === null ? null : new Date(until)
    run.needed = needed === 'all' ? waits.length : Math.min(waits.length, 1)
    run.phase = 'wait'
    run.memo = memo
    draft.waits = waits
    draft.mustLook = waits.length > 0
  } else {
    const { status = 'completed', outcome, detail } = plan
    const isCapped = status === 'capped'
    traceNode(draft, node.type, { outcome: isCapped ? 'capped' : 'done', next: null, detail, now })
    count(draft, 'node', node.id, 'left')
    if (isCapped) count(draft, 'node', node.id, 'capped')
    end(draft, status, { outcome, reason: isCapped ? 'capping' : null, now })
  }
}

/** Whether the run has entered a wait or pause. */
const isPausing = ({ phase }: Run): boolean => phase === 'wait'

/** Throws where the run cannot hold what its node has come to. */
function refuseTooLarge({ run }: Draft, plan: Settled): void {
  if (plan.type !== 'leave' || !plan.into) return
  const variables = { ...run.variables, [plan.into]: plan.value ?? null }
  if (isTooLarge({ ...run, variables }))
    throw new StepFailure('too large', `With "${plan.into}" the run would hold more than ${MAX_RUN_BYTES / 1024} KB.`)
}

/** Performs the node where the run stands. */
function* perform(draft: Draft, node: ReadyNode, around: Surroundings): Generator<Wanted, void, unknown> {
  try {
    const plan = yield* isPausing(draft.run) ? woken(draft, node, around) : entered(draft, node, around)
    if (plan !== null) refuseTooLarge(draft, plan)
    if (plan !== null) apply(draft, node, plan, around.now)
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error
    fail(draft, node, error, around.now)
  }
}

/** What others asked of the run since it was read last. */
function interrupted(draft: Draft, { now }: Surroundings): void {
  const { run, reached, definition } = draft
  const { interrupt } = run
  if (run.goal === null && reached) {
    const goal = definition.goals.find(({ id }) => id === reached.goal)
    run.goal = reached.goal
    run.event = reached.event
    // Between two nodes the last number is that of the node it has left.
    if (run.phase === 'enter') run.steps++
    traceNode(draft, 'goal', { outcome: 'done', next: goal?.next ?? null, now, detail: { goal: reached.goal } })
    draft.mark = reached.event
    depart(draft)
    run.interrupt = null
    goTo(draft, goal?.next ?? null, now)
    return
  }
  if (interrupt?.type === 'move' && definition.nodes.has(interrupt.handler)) {
    run.event = interrupt.event
    draft.mark = interrupt.event
    depart(draft)
    goTo(draft, interrupt.handler, now)
  } else if (interrupt?.type === 'resume') {
    // It leaves its wait first: `woken` takes it to the node.
    if (interrupt.leaves && isPausing(run) && hasHappened(draft)) return
    depart(draft)
    goTo(draft, interrupt.node, now)
  }
  if (interrupt?.type !== 'release') run.interrupt = null
}

/**
 * Whether a node can still be performed in this transaction: once it has an effect, none that has another, or that leaves
 * the service while rows are locked.
 */
function canPerform(draft: Draft, node: ReadyNode, around: Surroundings): boolean {
  if (!draft.hasEffect) return true
  return !node.isEffect && node.scripts.length === 0 && cappingsOf(draft, node, around).length === 0
}

/**
 * Walks a run along its nodes as far as one transaction goes: to an effect, a wait, its end, or 50 nodes. It yields what it
 * needs, and is the same for runs and simulations.
 */
export function* walk(draft: Draft, around: Surroundings): Walk {
  const { run } = draft
  const { now } = around
  if (run.expiresAt.getTime() <= now) {
    depart(draft)
    return end(draft, 'expired', { reason: 'maxDuration', now })
  }
  if (draft.hasNewGoals) {
    const { isEarly } = (yield { kind: 'look', until: null, isGoals: true }) as Looked
    if (isEarly) draft.again = now + EARLY_MS
    else if (run.phase === 'wait' || run.phase === 'retry') draft.again = now
    return
  }
  interrupted(draft, around)
  if (!isOpen(run)) return
  for (let n = 0; n < MAX_NODES_IN_A_ROW; n++) {
    const { nodes, settings } = draft.definition
    const node = nodes.get(run.node)
    if (!node) return end(draft, 'failed', { reason: 'node missing', now })
    if (!canPerform(draft, node, around)) return
    if (run.phase === 'enter' && run.steps >= settings.maxNodes) {
      return end(draft, 'failed', { reason: 'too many nodes', now })
    }
    yield* perform(draft, node, around)
    run.interrupt = null
    if (!isOpen(run) || run.phase !== 'enter') return
  }
}
