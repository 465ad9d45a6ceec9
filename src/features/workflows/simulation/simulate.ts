import { checkCappings } from '../effects/capping.ts'
import { storedRecords } from '../effects/history.ts'
import type { EngineContext } from '../engine/context.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import type { ReadContact } from '../engine/run-contacts.ts'
import { zonesOf } from '../engine/run-contacts.ts'
import { isOpen, type Run, type TraceEntry } from '../stepping/run.ts'
import { type Draft, draftOf } from '../stepping/run-state.ts'
import type { EventRecord, NodeError, WaitFor } from '../stepping/step.ts'
import { type Wanted, walk } from '../stepping/step-run.ts'
import type { Surroundings } from '../stepping/visits.ts'
import { answerAsk, type Responses } from './asks.ts'
import { type Effect, effectsOf } from './effects.ts'
import { type Awaited, instantPlace, type ListedPlace, Timeline } from './timeline.ts'

/** What is to be simulated. */
export interface Simulation {
  definition: ReadyDefinition
  /** As it would have been stored. */
  run: Run
  contact: ReadContact | null
  events: readonly EventRecord[]
  responses: Responses
}

/** How a simulated run went: where it waits or ended, and what it would have done. */
export interface Simulated {
  run: Run
  /** Milliseconds. */
  clock: number
  trace: TraceEntry[]
  effects: Effect[]
  /** Of the node that failed. */
  error: NodeError | null
}

/** A run that is simulated: nothing of it is written, sent or fetched. Its clock jumps to what comes next. */
class Simulator {
  readonly #context: EngineContext
  readonly #given: Simulation
  readonly #timeline: Timeline
  readonly #goals: readonly Awaited[]
  readonly effects: Effect[] = []
  readonly trace: TraceEntry[] = []
  run: Run
  now: number
  #contact: Draft['contact']
  #happened = new Map<string, EventRecord>()
  #waits: readonly Awaited[] = []
  #mark: ListedPlace

  constructor(context: EngineContext, given: Simulation) {
    this.#context = context
    this.#given = given
    this.#timeline = new Timeline(given.events)
    this.run = given.run
    this.now = given.run.createdAt.getTime()
    this.#mark = instantPlace(this.now)
    this.#contact = given.contact?.values ?? null
    this.#goals = given.definition.goals.map(({ id, filter }) => ({
      ...{ id, filter, type: filter.type, since: instantPlace(this.now) },
    }))
  }

  #around(): Surroundings {
    const { definition, contact } = this.#given
    return {
      now: this.now,
      accountOf: (account) => this.#context.accounts.describe(account),
      zonesOf: () => zonesOf(definition, contact),
    }
  }

  /** The goal that has been reached by now. */
  async #reached(around: Surroundings): Promise<Draft['reached']> {
    if (this.run.goal !== null || this.run.contact === null) return null
    const draft = draftOf(this.run, this.#given.definition)
    draft.contact = this.#contact
    for (const goal of this.#goals) {
      const event = await this.#timeline.first(goal, draft, { around, until: null })
      if (event) return { goal: goal.id, event }
    }
    return null
  }

  /** What has happened of the waits, in the order of the events. */
  async #look(draft: Draft, around: Surroundings, until: number | null): Promise<Map<string, EventRecord>> {
    const found: [string, EventRecord][] = []
    for (const wait of this.#waits) {
      if (draft.happened.has(wait.id)) continue
      const event = await this.#timeline.first(wait, draft, { around, until })
      if (event) found.push([wait.id, event])
    }
    const ordered = found.toSorted(([, one], [, other]) => one.timestamp - other.timestamp)
    return new Map(ordered.slice(0, Math.max(draft.run.needed - draft.happened.size, 0)))
  }

  async #answer(draft: Draft, around: Surroundings, wanted: Wanted): Promise<unknown> {
    const { performers, db } = this.#context
    switch (wanted.kind) {
      case 'contact':
        return this.#contact
      case 'evaluate':
        return (await performers.evaluate([{ draft, asked: wanted }]))[0]
      case 'capping':
        return (await checkCappings(db, [{ draft, asked: wanted }]))[0]
      case 'look':
        return { happened: await this.#look(draft, around, wanted.until), isOpen: false }
      case 'ask': {
        const { ask, visit } = wanted
        const own = effectsOf(ask, visit, draft.definition.nodes.get(visit.node)!.type)
        this.effects.push(...own)
        if (own.length > 0) draft.mark = 'here'
        return answerAsk(this.#context, { draft, ask, visit }, this.#given.responses)
      }
      default:
        return null
    }
  }

  /** What waits of the node are for, and from where they look. */
  #awaited(waits: readonly WaitFor[]): Awaited[] {
    const { definition } = this.#given
    const { contact, node, createdAt, sends } = this.run
    const sinceOf = ({ since, sendNode }: WaitFor): ListedPlace => {
      if (since === 'previous') return this.#mark
      if (since === 'now') return instantPlace(this.now)
      if (since === 'run') return instantPlace(createdAt.getTime())
      if (since !== 'send') return instantPlace(this.now - since.backMs)
      const stored = sends?.[`at ${sendNode ?? ''}`]
      return instantPlace(stored === undefined ? createdAt.getTime() : Date.parse(stored))
    }
    return waits
      .filter(({ correlation }) => correlation !== 'contact' || contact !== null)
      .map((wait) => ({
        ...{ id: wait.id, type: wait.event.type, since: sinceOf(wait), filter: definition.filterOf(node, wait.id) },
      }))
  }

  /** Adds stored events that waits look back to: of the time before the simulation began. */
  async #lookBack(waits: readonly WaitFor[]): Promise<void> {
    const { account, contact, createdAt } = this.run
    const until = createdAt.getTime()
    for (const { event, since, correlation } of waits) {
      const own = correlation === 'contact' ? contact : null
      const isAsked = correlation === 'none' || (correlation === 'contact' && own !== null)
      if (typeof since === 'string' || !isAsked || this.now - since.backMs >= until) continue
      const asked = { account, type: event.type, contact: own, since: this.now - since.backMs, until }
      this.#timeline.add(await storedRecords(this.#context.db, asked))
    }
  }

  /** Walks as far as a transaction would go; whether the run has more to do now. */
  async #step(): Promise<boolean> {
    const around = this.#around()
    const isPausing = this.run.phase === 'wait'
    const draft = draftOf(this.run, this.#given.definition, {
      ...{ happened: this.#happened, reached: await this.#reached(around), mustLook: isPausing },
    })
    draft.contact = this.#contact
    draft.hasBegun = this.run.phase === 'begun'
    const walking = walk(draft, around)
    for (let step = walking.next(); !step.done; ) step = walking.next(await this.#answer(draft, around, step.value))
    this.run = draft.run
    this.trace.push(...draft.trace)
    if (draft.mark !== undefined)
      this.#mark = draft.mark === 'here' ? instantPlace(this.now) : this.#timeline.placeOf(draft.mark)
    if (draft.waits !== undefined) {
      this.#happened = new Map()
      await this.#lookBack(draft.waits)
      this.#waits = this.#awaited(draft.waits)
    }
    return isOpen(this.run) && (draft.mustLook || (this.run.phase !== 'wait' && this.run.phase !== 'retry'))
  }

  /** Goes on until the run has ended, or waits for what does not come. */
  async perform(): Promise<void> {
    while (true) {
      while (await this.#step());
      if (!isOpen(this.run)) return
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
export async function simulateRun(context: EngineContext, given: Simulation): Promise<Simulated> {
  const simulator = new Simulator(context, given)
  await simulator.perform()
  const { run, now: clock, trace, effects } = simulator
  const failed = run.status === 'failed'
  const last = run.last?.outcome === 'failed' ? run.last.error : null
  const error = failed ? (last ?? { type: run.reason ?? 'failed', message: run.reason ?? '', node: run.node }) : null
  return { run, clock, trace, effects, error }
}
