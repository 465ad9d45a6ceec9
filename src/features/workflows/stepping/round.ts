import type { Db } from '../../../database/connection/connect.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import { appendEvents } from '../../events/record/append.ts'
import { parkRuns } from '../waits/parking.ts'
import type { NodeRequest, Performers, Request, StepTransaction } from './effect-handlers.ts'
import { isOpen, type Run } from './run.ts'
import type { Draft } from './run-state.ts'
import type { AskKind } from './step.ts'
import type { Walk, Wanted } from './step-run.ts'
import { walk } from './step-run.ts'
import { lockRuns } from './stored-runs.ts'
import type { Surroundings } from './visits.ts'
import { type Marked, writeDrafts } from './write-runs.ts'

/** A run that is being walked. */
export interface Walker {
  draft: Draft
  walk: Walk
  /** What it needs to go on; undefined: it has gone as far as this transaction goes. */
  wanted: Wanted | undefined
}

/** Begins to walk. */
export function startWalk(draft: Draft, around: Surroundings): Walker {
  const walker: Walker = { draft, walk: walk(draft, around), wanted: undefined }
  resume(walker, undefined)
  return walker
}

function resume(walker: Walker, answer: unknown): void {
  const { value, done } = walker.walk.next(answer)
  walker.wanted = done ? undefined : (value as Wanted)
}

function resumeAll(walkers: readonly Walker[], answers: readonly unknown[]): void {
  for (const [index, walker] of walkers.entries()) resume(walker, answers[index])
}

/** The walkers that want something of a kind, with what they ask for. */
function wanting<Kind extends Wanted['kind']>(walkers: readonly Walker[], kind: Kind) {
  const found = walkers.filter((walker) => walker.wanted?.kind === kind)
  const requests = found.map(({ draft, wanted }) => ({ draft, asked: wanted as Extract<Wanted, { kind: Kind }> }))
  return { found, requests }
}

/** The walkers whose node asks for something of a kind. */
function asking<Kind extends AskKind>(walkers: readonly Walker[], kind: Kind) {
  const found = walkers.filter(({ wanted }) => wanted?.kind === 'ask' && wanted.ask.kind === kind)
  const requests = found.map(({ draft, wanted }) => {
    const { ask, visit } = wanted as Extract<Wanted, { kind: 'ask' }>
    return { draft, asked: ask, visit } as unknown as NodeRequest<Kind>
  })
  return { found, requests }
}

/** Makes ready what effects are to do, of every kind that needs it. */
async function prepare({ prepares }: Performers, walkers: readonly Walker[], now: number): Promise<boolean> {
  const preparing = walkers.filter(({ wanted }) => wanted?.kind === 'prepare')
  for (const [kind, own] of Map.groupBy(preparing, ({ wanted }) => (wanted as Preparing).ask.kind)) {
    const perform = prepares[kind] as
      | ((list: readonly unknown[], now: number) => Promise<readonly unknown[]>)
      | undefined
    const requests = own.map(({ draft, wanted }) => {
      const { ask, visit } = wanted as Preparing
      return { draft, asked: ask, visit }
    })
    resumeAll(own, perform ? await perform(requests, now) : [])
  }
  return preparing.length > 0
}

type Preparing = Extract<Wanted, { kind: 'prepare' }>

/** Does what reads nothing but the database and the sandbox, until no walker needs it. */
export async function performReads(
  db: Db,
  performers: Performers,
  walkers: readonly Walker[],
  now: number,
): Promise<void> {
  for (let isBusy = true; isBusy; ) {
    isBusy = await prepare(performers, walkers, now)
    const contacts = wanting(walkers, 'contact')
    if (contacts.found.length > 0) {
      isBusy = true
      resumeAll(
        contacts.found,
        await performers.contact(
          db,
          contacts.requests.map(({ draft }) => draft),
        ),
      )
    }
    const scripts = wanting(walkers, 'evaluate')
    if (scripts.found.length > 0) {
      isBusy = true
      resumeAll(scripts.found, await performers.evaluate(scripts.requests))
    }
    for (const [kind, perform] of Object.entries(performers.reads)) {
      const asked = asking(walkers, kind as AskKind)
      if (asked.found.length === 0) continue
      isBusy = true
      const answers = await (perform as (db: Db, list: readonly unknown[], now: number) => Promise<readonly unknown[]>)(
        db,
        asked.requests,
        now,
      )
      resumeAll(asked.found, answers)
    }
  }
}

/** Whether what a walker wants leaves the service. */
export function callOf({ calls }: Performers, { wanted }: Walker): boolean {
  return wanted?.kind === 'ask' && wanted.ask.kind in calls
}

/** Does what a walker wants of the outside, and goes on. */
export async function performCall(db: Db, performers: Performers, walker: Walker, now: number): Promise<void> {
  const { ask } = walker.wanted as Extract<Wanted, { kind: 'ask' }>
  const { requests } = asking([walker], ask.kind)
  const perform = performers.calls[ask.kind] as (db: Db, request: unknown, now: number) => Promise<unknown>
  resume(walker, await perform(db, requests[0], now))
}

/** Asks and resumes; what is done in the transaction ends the walks at this node. */
async function answer<Asked>(
  found: readonly Walker[],
  requests: readonly Request<Asked>[],
  perform: (requests: readonly Request<Asked>[]) => Promise<readonly unknown[]>,
): Promise<boolean> {
  if (found.length === 0) return false
  resumeAll(found, await perform(requests))
  return true
}

/** Does what changes something, in the transaction of the steps, until no walker needs it. */
async function performEffects(
  step: StepTransaction,
  performers: Performers,
  walkers: readonly Walker[],
): Promise<void> {
  for (let isBusy = true; isBusy; ) {
    const looks = wanting(walkers, 'look')
    for (const { draft } of looks.found) draft.hasEffect = true
    isBusy = await answer(looks.found, looks.requests, (list) => performers.look(step, list))
    const begun = wanting(walkers, 'begin')
    isBusy = (await answer(begun.found, begun.requests, async (list) => list)) || isBusy
    const capped = wanting(walkers, 'capping')
    isBusy = (await answer(capped.found, capped.requests, (list) => performers.capping(step, list))) || isBusy
    for (const [kind, perform] of Object.entries(performers.effects)) {
      const asked = asking(walkers, kind as AskKind)
      for (const { draft } of asked.found) {
        draft.hasEffect = true
        draft.mark = 'here'
      }
      isBusy = (await answer(asked.found, asked.requests, (list) => perform(step, list as never))) || isBusy
    }
    await performReads(step.tx, performers, walkers, step.now)
  }
}

/** Throws when there is no performer for what a walker wants. */
function refuseOpen(walkers: readonly Walker[]): void {
  const open = walkers.find(({ wanted }) => wanted !== undefined)
  if (open?.wanted) throw new Error(`a node wants what nothing performs: ${JSON.stringify(open.wanted).slice(0, 200)}`)
}

/** What became of the walkers of one transaction. */
export interface Stepped {
  /** Their runs are at their next step, and still the worker's. */
  goOn: Run[]
  /** Another process wrote them meanwhile: they are to be read again. */
  changed: Draft[]
}

/** Commits what walkers have done, with its effects, in one transaction. */
export async function commit(
  { db, performers, worker }: { db: Db; performers: Performers; worker: string },
  walkers: readonly Walker[],
  around: Surroundings,
): Promise<Stepped> {
  const { now } = around
  const keys = walkers.map(({ draft }) => draft.run)
  return inTransaction(db, async (tx) => {
    const locked = new Map((await lockRuns(tx, worker, keys)).map((one) => [`${one.account} ${one.id}`, one]))
    const found = walkers.map((walker) => ({
      walker,
      lock: locked.get(`${walker.draft.run.account} ${walker.draft.run.id}`),
    }))
    await parkRuns(
      tx,
      found.flatMap(({ lock }) => (lock && !lock.isActive ? [lock] : [])),
    )
    const active = found.filter(({ lock }) => lock?.isActive)
    const { mine = [], changed = [] } = Object.groupBy(active, ({ walker, lock }) =>
      lock!.moves === walker.draft.stored.moves ? 'mine' : 'changed',
    )
    const step: StepTransaction = { tx, now, around, events: [] }
    const own = mine.map(({ walker }) => walker)
    await performEffects(step, performers, own)
    refuseOpen(own)
    const drafts = own.map(({ draft }) => draft)
    await performers.giveBack(step, drafts)
    const marks = await writeDrafts(tx, drafts, now)
    await appendEvents(tx, step.events)
    return {
      goOn: drafts.flatMap((draft) => nextOf(draft, marks) ?? []),
      changed: changed.map(({ walker }) => walker.draft),
    }
  })
}

/** What a worker does at once. */
const inHand: ReadonlySet<Run['phase']> = new Set(['enter', 'cleared', 'begun'])

/** The run as it is stored now, when its worker goes on with it. */
function nextOf({ run, mustLook, again }: Draft, marks: readonly Marked[]): Run | undefined {
  if (!isOpen(run) || again !== undefined || (!inHand.has(run.phase) && !mustLook)) return undefined
  const written = marks.find(({ id, account }) => id === run.id && account === run.account)
  // What it was told meanwhile makes it due.
  if (written?.interrupt) return undefined
  // One that has only been looked for is not written.
  return written ? { ...run, moves: run.moves + 1, mark: written.mark } : run
}
