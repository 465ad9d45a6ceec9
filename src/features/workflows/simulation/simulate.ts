import { previewCappings } from '../effects/capping.ts'
import { readStoredWaitEvents } from '../effects/history.ts'
import type { WorkflowEngineContext } from '../engine/context.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import type { RunContact } from '../engine/run-contacts.ts'
import { resolveRunZones } from '../engine/run-contacts.ts'
import { isOpenRun, type RunTraceEntry, type StoredRun } from '../stepping/run.ts'
import { createWorkflowRunState, type WorkflowRunState } from '../stepping/run-state.ts'
import type { EventWait, NodeError, RunEventRecord } from '../stepping/step.ts'
import { type StepperRequest, stepRun } from '../stepping/step-run.ts'
import type { StepContext } from '../stepping/visits.ts'
import { answerSimulatedRequest, type SimulatedResponses } from './asks.ts'
import { listSimulatedEffects, type SimulatedEffect } from './effects.ts'
import { createTimelinePosition, type PendingWait, SimulationTimeline, type TimelinePosition } from './timeline.ts'

/** What is to be simulated. */
export interface RunSimulation {
  definition: ReadyDefinition
  /** As it would have been stored. */
  run: StoredRun
  contact: RunContact | null
  events: readonly RunEventRecord[]
  responses: SimulatedResponses
}

/** How a simulated run went: where it waits or ended, and what it would have done. */
export interface SimulatedRun {
  run: StoredRun
  /** Milliseconds. */
  clock: number
  trace: RunTraceEntry[]
  effects: SimulatedEffect[]
  /** Of the node that failed. */
  error: NodeError | null
}

/** A run that is simulated: nothing of it is written, sent or fetched. Its clock jumps to what comes next. */
class Simulator {
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

  constructor(context: WorkflowEngineContext, given: RunSimulation) {
    this.#context = context
    this.#given = given
    this.#timeline = new SimulationTimeline(given.events)
    this.run = given.run
    this.now = given.run.createdAt.getTime()
    this.#mark = createTimelinePosition(this.now)
    this.#contact = given.contact?.values ?? null
    this.#goals = given.definition.goals.map(({ id, filter }) => ({
      ...{ id, filter, type: filter.type, since: createTimelinePosition(this.now) },
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
  async #reached(around: StepContext): Promise<WorkflowRunState['reached']> {
    if (this.run.goal !== null || this.run.contact === null) return null
    const draft = createWorkflowRunState(this.run, this.#given.definition)
    draft.contact = this.#contact
    for (const goal of this.#goals) {
      const event = await this.#timeline.first(goal, draft, { around, until: null })
      if (event) return { goal: goal.id, event }
    }
    return null
  }

  /** What has happened of the waits, in the order of the events. */
  async #look(
    draft: WorkflowRunState,
    around: StepContext,
    until: number | null,
  ): Promise<Map<string, RunEventRecord>> {
    const found: [string, RunEventRecord][] = []
    for (const wait of this.#waits) {
      if (draft.happened.has(wait.id)) continue
      const event = await this.#timeline.first(wait, draft, { around, until })
      if (event) found.push([wait.id, event])
    }
    const ordered = found.toSorted(([, one], [, other]) => one.timestamp - other.timestamp)
    return new Map(ordered.slice(0, Math.max(draft.run.needed - draft.happened.size, 0)))
  }

  async #answer(draft: WorkflowRunState, around: StepContext, wanted: StepperRequest): Promise<unknown> {
    const { performers, db } = this.#context
    switch (wanted.kind) {
      case 'contact':
        return this.#contact
      case 'evaluate':
        return (await performers.evaluate([{ draft, asked: wanted }]))[0]
      case 'capping':
        return (await previewCappings(db, [{ draft, asked: wanted }]))[0]
      case 'look':
        return { happened: await this.#look(draft, around, wanted.until), isOpen: false }
      case 'ask': {
        const { ask, visit } = wanted
        const own = listSimulatedEffects(ask, visit, draft.definition.nodes.get(visit.node)!.type)
        this.effects.push(...own)
        if (own.length > 0) draft.mark = 'here'
        return answerSimulatedRequest(this.#context, { draft, ask, visit }, this.#given.responses)
      }
      default:
        return null
    }
  }

  /** What waits of the node are for, and from where they look. */
  #awaited(waits: readonly EventWait[]): PendingWait[] {
    const { definition } = this.#given
    const { contact, node, createdAt, sends } = this.run
    const sinceOf = ({ since, sendNode }: EventWait): TimelinePosition => {
      if (since === 'previous') return this.#mark
      if (since === 'now') return createTimelinePosition(this.now)
      if (since === 'run') return createTimelinePosition(createdAt.getTime())
      if (since !== 'send') return createTimelinePosition(this.now - since.backMs)
      const stored = sends?.[`at ${sendNode ?? ''}`]
      return createTimelinePosition(stored === undefined ? createdAt.getTime() : Date.parse(stored))
    }
    return waits
      .filter(({ correlation }) => correlation !== 'contact' || contact !== null)
      .map((wait) => ({
        ...{ id: wait.id, type: wait.event.type, since: sinceOf(wait), filter: definition.filterOf(node, wait.id) },
      }))
  }

  /** Adds stored events that waits look back to: of the time before the simulation began. */
  async #lookBack(waits: readonly EventWait[]): Promise<void> {
    const { account, contact, createdAt } = this.run
    const until = createdAt.getTime()
    for (const { event, since, correlation } of waits) {
      const own = correlation === 'contact' ? contact : null
      const isAsked = correlation === 'none' || (correlation === 'contact' && own !== null)
      if (typeof since === 'string' || !isAsked || this.now - since.backMs >= until) continue
      const asked = { account, type: event.type, contact: own, since: this.now - since.backMs, until }
      this.#timeline.add(await readStoredWaitEvents(this.#context.db, asked))
    }
  }

  /** Walks as far as a transaction would go; whether the run has more to do now. */
  async #step(): Promise<boolean> {
    const around = this.#around()
    const isPausing = this.run.phase === 'wait'
    const draft = createWorkflowRunState(this.run, this.#given.definition, {
      ...{ happened: this.#happened, reached: await this.#reached(around), mustLook: isPausing },
    })
    draft.contact = this.#contact
    draft.hasBegun = this.run.phase === 'begun'
    const walking = stepRun(draft, around)
    for (let step = walking.next(); !step.done; ) step = walking.next(await this.#answer(draft, around, step.value))
    this.run = draft.run
    this.trace.push(...draft.trace)
    if (draft.mark !== undefined)
      this.#mark = draft.mark === 'here' ? createTimelinePosition(this.now) : this.#timeline.placeOf(draft.mark)
    if (draft.waits !== undefined) {
      this.#happened = new Map()
      await this.#lookBack(draft.waits)
      this.#waits = this.#awaited(draft.waits)
    }
    return isOpenRun(this.run) && (draft.mustLook || (this.run.phase !== 'wait' && this.run.phase !== 'retry'))
  }

  /** Goes on until the run has ended, or waits for what does not come. */
  async perform(): Promise<void> {
    while (true) {
      while (await this.#step());
      if (!isOpenRun(this.run)) return
      const waits = this.#waits.filter(({ id }) => !this.#happened.has(id))
      const goals = this.run.goal === null && this.run.contact !== null ? this.#goals : []
      const event = this.#timeline.nextAfter(this.now, [...(this.run.phase === 'wait' ? waits : []), ...goals])
      const next = Math.min(this.run.wake?.getTime() ?? Infinity, event ?? Infinity)
      if (next === Infinity) return
      this.now = Math.min(next, Math.max(this.run.expiresAt.getTime(), this.now))
    }
  }
}

/** Simulates a run. Its account is loaded. */
export async function simulateRun(context: WorkflowEngineContext, given: RunSimulation): Promise<SimulatedRun> {
  const simulator = new Simulator(context, given)
  await simulator.perform()
  const { run, now: clock, trace, effects } = simulator
  const failed = run.status === 'failed'
  const last = run.last?.outcome === 'failed' ? run.last.error : null
  const error = failed ? (last ?? { type: run.reason ?? 'failed', message: run.reason ?? '', node: run.node }) : null
  return { run, clock, trace, effects, error }
}
