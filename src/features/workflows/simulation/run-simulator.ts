import { previewCappings } from '../effects/capping.ts'
import { readStoredWaitEvents } from '../effects/history.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import type { RunContact } from '../engine/run-contacts.ts'
import { resolveRunZones } from '../engine/run-contacts.ts'
import type { EventWait, NodeError, RunEventRecord } from '../nodes/node-contract.ts'
import type { StepContext } from '../run-stepper/node-visit.ts'
import { isOpenRun, type RunTraceEntry, type StoredRun } from '../run-stepper/run.ts'
import { createWorkflowRunState, markRunHere, type RunStage, type WorkflowRunState } from '../run-stepper/run-state.ts'
import { stepRun } from '../run-stepper/step-run.ts'
import type { StepperRequest } from '../run-stepper/stepper-requests.ts'
import { answerSimulatedRequest, type SimulatedResponses } from './simulated-answers.ts'
import { listSimulatedEffects, type SimulatedEffect } from './simulated-effects.ts'
import {
  createTimelinePosition,
  type PendingWait,
  SimulationTimeline,
  type TimelinePosition,
} from './simulation-timeline.ts'

/** Input of a simulation. */
export interface RunSimulation {
  definition: ReadyDefinition
  /** As it would have been stored. */
  run: StoredRun
  contact: RunContact | null
  events: readonly RunEventRecord[]
  responses: SimulatedResponses
}

/** Result of a simulated run: where it waits or ended, and the effects that it would have had. */
export interface SimulatedRun {
  run: StoredRun
  /** Milliseconds. */
  clock: number
  trace: RunTraceEntry[]
  effects: SimulatedEffect[]
  /** Error of the failed node. */
  error: NodeError | null
}

/** A run that is simulated: nothing of it is written, sent or fetched. Its clock jumps to what comes next. */
class RunSimulator {
  readonly #context: WorkflowEngineContext
  readonly #given: RunSimulation
  readonly #timeline: SimulationTimeline
  readonly #goals: readonly PendingWait[]
  readonly effects: SimulatedEffect[] = []
  readonly trace: RunTraceEntry[] = []
  run: StoredRun
  now: number
  #contact: WorkflowRunState['contact']
  #happened = new Map<string, RunEventRecord>()
  #waits: readonly PendingWait[] = []
  #mark: TimelinePosition

  constructor(context: WorkflowEngineContext, simulation: RunSimulation) {
    this.#context = context
    this.#given = simulation
    this.#timeline = new SimulationTimeline(simulation.events)
    this.run = simulation.run
    this.now = simulation.run.createdAt.getTime()
    this.#mark = createTimelinePosition(this.now)
    this.#contact = simulation.contact?.values ?? null
    this.#goals = simulation.definition.goals.map(({ id, filter }) => ({
      id,
      filter,
      type: filter.type,
      since: createTimelinePosition(this.now),
    }))
  }

  #around(): StepContext {
    const { definition, contact } = this.#given
    return {
      now: this.now,
      accountOf: (account) => this.#context.accounts.describe(account),
      zonesOf: () => resolveRunZones(definition, contact),
    }
  }

  /** The goal that has been reached by now. */
  async #reached(stepContext: StepContext): Promise<WorkflowRunState['reached']> {
    if (this.run.goal !== null || this.run.contact === null) return null
    const runState = createWorkflowRunState(this.run, this.#given.definition, {
      happened: new Map(),
      reached: null,
      stage: 'free',
      contact: this.#contact,
    })
    for (const goal of this.#goals) {
      const event = await this.#timeline.first(goal, runState, { around: stepContext, until: null })
      if (event) return { goal: goal.id, event }
    }
    return null
  }

  /** Finds the waits that have happened, in the order of the events. */
  async #searchEvents(
    runState: WorkflowRunState,
    stepContext: StepContext,
    until: number | null,
  ): Promise<Map<string, RunEventRecord>> {
    const matchedEvents: [string, RunEventRecord][] = []
    for (const wait of this.#waits) {
      if (runState.happened.has(wait.id)) continue
      const event = await this.#timeline.first(wait, runState, { around: stepContext, until })
      if (event) matchedEvents.push([wait.id, event])
    }
    const orderedEvents = matchedEvents.toSorted(
      ([, leftEvent], [, rightEvent]) => leftEvent.timestamp - rightEvent.timestamp,
    )
    return new Map(orderedEvents.slice(0, Math.max(runState.run.needed - runState.happened.size, 0)))
  }

  async #answer(
    runState: WorkflowRunState,
    stepContext: StepContext,
    stepperRequest: StepperRequest,
  ): Promise<unknown> {
    const { performers, db } = this.#context
    switch (stepperRequest.kind) {
      case 'contact':
        return this.#contact
      case 'evaluate':
        return (await performers.evaluate([{ draft: runState, asked: stepperRequest }]))[0]
      case 'capping':
        return (await previewCappings(db, [{ draft: runState, asked: stepperRequest }]))[0]
      case 'searchEvents':
        return { happened: await this.#searchEvents(runState, stepContext, stepperRequest.until), isOpen: false }
      case 'ask': {
        const { ask: effectRequest, visit } = stepperRequest
        const simulatedEffects = listSimulatedEffects(
          effectRequest,
          visit,
          runState.definition.nodes.get(visit.node)!.type,
        )
        this.effects.push(...simulatedEffects)
        if (simulatedEffects.length > 0) markRunHere(runState)
        return answerSimulatedRequest(
          this.#context,
          { draft: runState, ask: effectRequest, visit },
          this.#given.responses,
        )
      }
      default:
        return null
    }
  }

  /** Builds the pending waits of the node, each with its start position. */
  #awaited(waits: readonly EventWait[]): PendingWait[] {
    const { definition } = this.#given
    const { contact, node, createdAt, sends } = this.run
    const toWaitStart = ({ since, sendNode }: EventWait): TimelinePosition => {
      if (since === 'previous') return this.#mark
      if (since === 'now') return createTimelinePosition(this.now)
      if (since === 'run') return createTimelinePosition(createdAt.getTime())
      if (since !== 'send') return createTimelinePosition(this.now - since.backMs)
      const sendTime = sends?.[`at ${sendNode ?? ''}`]
      return createTimelinePosition(sendTime === undefined ? createdAt.getTime() : Date.parse(sendTime))
    }
    return waits
      .filter(({ correlation }) => correlation !== 'contact' || contact !== null)
      .map((wait) => ({
        id: wait.id,
        type: wait.event.type,
        since: toWaitStart(wait),
        filter: definition.filterOf(node, wait.id),
      }))
  }

  /** Adds stored events that waits look back to: of the time before the simulation began. */
  async #lookBack(waits: readonly EventWait[]): Promise<void> {
    const { account, contact, createdAt } = this.run
    const until = createdAt.getTime()
    for (const { event, since, correlation } of waits) {
      const searchedContact = correlation === 'contact' ? contact : null
      const isSearchable = correlation === 'none' || (correlation === 'contact' && searchedContact !== null)
      if (typeof since === 'string' || !isSearchable || this.now - since.backMs >= until) continue
      const eventSearch = { account, type: event.type, contact: searchedContact, since: this.now - since.backMs, until }
      this.#timeline.add(await readStoredWaitEvents(this.#context.db, eventSearch))
    }
  }

  /** The stage in which a worker would take the run: what it waits for is searched among the listed events at each step. */
  #initialStage(): RunStage {
    const { phase, needed } = this.run
    if (phase === 'wait') return needed > 0 ? 'waitsUnsearched' : 'free'
    return phase === 'begun' ? 'requestBegun' : 'free'
  }

  /** Walks as far as a transaction would go; whether the run has more to do now. */
  /** A failed node is tried again when its delay is over: an event that reaches no goal does not hurry it. */
  #isBeforeRetry(): boolean {
    const { phase, wake, expiresAt } = this.run
    return phase === 'retry' && wake !== null && this.now < wake.getTime() && this.now < expiresAt.getTime()
  }

  async #step(): Promise<boolean> {
    const stepContext = this.#around()
    const reached = await this.#reached(stepContext)
    if (reached === null && this.#isBeforeRetry()) return false
    const runState = createWorkflowRunState(this.run, this.#given.definition, {
      happened: this.#happened,
      reached,
      stage: this.#initialStage(),
      contact: this.#contact,
    })
    const runSteps = stepRun(runState, stepContext)
    for (let stepResult = runSteps.next(); !stepResult.done; )
      stepResult = runSteps.next(await this.#answer(runState, stepContext, stepResult.value))
    this.run = runState.run
    this.trace.push(...runState.trace)
    if (runState.mark !== undefined)
      this.#mark = runState.mark === 'here' ? createTimelinePosition(this.now) : this.#timeline.placeOf(runState.mark)
    if (runState.waits !== undefined) {
      this.#happened = new Map()
      await this.#lookBack(runState.waits)
      this.#waits = this.#awaited(runState.waits)
    }
    return (
      isOpenRun(this.run) &&
      (runState.stage === 'waitsUnsearched' || (this.run.phase !== 'wait' && this.run.phase !== 'retry'))
    )
  }

  /** Goes on until the run has ended, or waits for what does not come. */
  async perform(): Promise<void> {
    while (true) {
      while (await this.#step());
      if (!isOpenRun(this.run)) return
      const waits = this.#waits.filter(({ id }) => !this.#happened.has(id))
      const goals = this.run.goal === null && this.run.contact !== null ? this.#goals : []
      const event = this.#timeline.nextAfter(this.now, [...(this.run.phase === 'wait' ? waits : []), ...goals])
      const nextTime = Math.min(this.run.wake?.getTime() ?? Infinity, event ?? Infinity)
      if (nextTime === Infinity) return
      this.now = Math.min(nextTime, Math.max(this.run.expiresAt.getTime(), this.now))
    }
  }
}

/** Simulates a run. Its account is loaded. */
export async function simulateRun(context: WorkflowEngineContext, simulation: RunSimulation): Promise<SimulatedRun> {
  const simulator = new RunSimulator(context, simulation)
  await simulator.perform()
  const { run, now: clock, trace, effects } = simulator
  const hasFailed = run.status === 'failed'
  const lastError = run.last?.outcome === 'failed' ? run.last.error : null
  const error = hasFailed
    ? (lastError ?? { type: run.reason ?? 'failed', message: run.reason ?? '', node: run.node })
    : null
  return { run, clock, trace, effects, error }
}
