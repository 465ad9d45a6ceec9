import { hash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { attachToDatabase, findDatabaseAttachment } from '../database/attached.ts'
import { buildPreparedPrefix, type Db } from '../database/connection/connect.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { ClockStepWatch } from '../lib/time/clock-steps.ts'

/** An SQL condition that holds whenever there may be work at a moment; it may hold for nothing, never the reverse. */
export type DueWorkCondition = (now: Date) => RawBuilder<unknown>

/**
 * Looks for work in the database for all who wait for some in a process: with one statement a tick, so that an idle process asks
 * a few times a second and not once for each of its pollers.
 */
export interface DueWorkWatch {
  /** Names a condition, before anybody waits for it. */
  add(name: string, condition: DueWorkCondition): void
  /**
   * Resolves with true when the condition of that name holds, with false after `mostMs` or when `signal` is aborted. Rejects when
   * the database cannot be asked.
   */
  until(name: string, options: { signal: AbortSignal; mostMs: number }): Promise<boolean>
}

/** Milliseconds between two looks, also where it rests, and the least after something was written here. */
const TICK_MS = 100
const RESTING_TICK_MS = 250
const LONG_RESTING_TICK_MS = 1000
const HURRY_MS = 5

/** A rest is a long one after so many times what it takes to begin it. */
const LONG_REST = 6

const HURRY = Symbol('hurry')

/** Says that work was committed through a handle: the watch of this process, if it has one, looks at once. */
export function signalDueWork(db: Db): void {
  findDatabaseAttachment<{ hurry(): void }>(db, HURRY)?.hurry()
}

/** Lets the watch of a handle hear of what is committed through another one on the same database; gives that one. */
export function shareDueWorkWatch(db: Db, other: Db): Db {
  const watch = findDatabaseAttachment(db, HURRY)
  if (watch) attachToDatabase(other, HURRY, watch)
  return other
}

/** The pause after some milliseconds without work. */
function tickAfter(idleMs: number, restsAfterMs: number): number {
  if (idleMs < restsAfterMs) return TICK_MS
  return idleMs < LONG_REST * restsAfterMs ? RESTING_TICK_MS : LONG_RESTING_TICK_MS
}

/** Pauses between looks, which end early when work was committed; longer ones after so long without work, of which `worked` is told. */
function createPauses(db: Db, restsAfterMs: number) {
  let hurried = Promise.withResolvers<void>()
  let workedAt = performance.now()
  const worked = (): void => {
    workedAt = performance.now()
  }
  attachToDatabase(db, HURRY, {
    hurry() {
      worked()
      hurried.resolve()
    },
  })
  async function pause(): Promise<void> {
    await delay(HURRY_MS)
    const tickMs = tickAfter(performance.now() - workedAt, restsAfterMs)
    const resting = new AbortController()
    const rest = delay(tickMs - HURRY_MS, undefined, { signal: resting.signal }).catch(() => undefined)
    await Promise.race([hurried.promise, rest])
    resting.abort()
    hurried = Promise.withResolvers()
  }
  return { pause, worked }
}

type Conditions = ReadonlyMap<string, DueWorkCondition>
type Waiting = Map<string, Set<PromiseWithResolvers<boolean>>>

/** The names whose conditions hold. What the clocks of machine and database say is on the way. */
async function look(db: Db, conditions: Conditions, now: Date, steps?: ClockStepWatch): Promise<ReadonlySet<string>> {
  const names = [...conditions.keys()]
  const all = [...conditions.values()].map((condition) => sql`(${condition(now)})`)
  const asked = performance.now()
  steps?.sample('machine', { wall: now.getTime(), asked, answered: asked })
  const { rows } = await sql<{
    due: boolean[]
    at: Date
  }>`${buildPreparedPrefix(`due-work-${hash('md5', names.join())}`)}
    select array[${sql.join(all)}] as due, clock_timestamp() as at`.execute(db)
  if (rows[0]) steps?.sample('database', { wall: rows[0].at.getTime(), asked, answered: performance.now() })
  return new Set(names.filter((_, n) => rows[0]?.due[n]))
}

function settle(waiting: Waiting, names: Iterable<string>, how: (one: PromiseWithResolvers<boolean>) => void): void {
  for (const name of names) {
    for (const one of waiting.get(name) ?? []) how(one)
    waiting.delete(name)
  }
}

/**
 * Creates the watch of a process. `restsAfterMs`: after so long without work it looks four times a second, after six times as long once,
 * where most of what comes is committed in this process; never unless given. `steps`: learns from each look what clocks say.
 */
export function createDueWorkWatch(
  { db, clock }: { db: Db; clock: Clock },
  { restsAfterMs = Number.POSITIVE_INFINITY, steps }: { restsAfterMs?: number; steps?: ClockStepWatch } = {},
): DueWorkWatch {
  const conditions = new Map<string, DueWorkCondition>()
  const waiting: Waiting = new Map()
  let isLooking = false
  const { pause, worked } = createPauses(db, restsAfterMs)

  async function keepLooking(): Promise<void> {
    if (isLooking) return
    isLooking = true
    while (waiting.size > 0) {
      await pause()
      if (waiting.size === 0) break
      try {
        const found = await look(db, conditions, new Date(clock.now()), steps)
        if (found.size > 0) worked()
        settle(waiting, found, ({ resolve }) => resolve(true))
      } catch (error) {
        settle(waiting, [...waiting.keys()], ({ reject }) => reject(error))
      }
    }
    isLooking = false
  }

  return {
    add(name, condition) {
      conditions.set(name, condition)
    },
    async until(name, { signal, mostMs }) {
      if (signal.aborted) return false
      const own = Promise.withResolvers<boolean>()
      const others = waiting.get(name) ?? new Set()
      waiting.set(name, others.add(own))
      const stop = () => own.resolve(false)
      const timer = setTimeout(stop, mostMs)
      signal.addEventListener('abort', stop)
      void keepLooking()
      try {
        return await own.promise
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        others.delete(own)
        if (others.size === 0 && waiting.get(name) === others) waiting.delete(name)
      }
    },
  }
}
