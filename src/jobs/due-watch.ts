import { hash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../database/connection/connect.ts'
import { getDatabaseServices } from '../database/services.ts'
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
const IDLE_TICK_MS = 250
const LONG_IDLE_TICK_MS = 1000
const MIN_PAUSE_MS = 5

/** An idle period is long after this multiple of the time that begins one. */
const LONG_IDLE_FACTOR = 6

declare module '../database/services.ts' {
  interface DatabaseServices {
    /** The watch of this process, for whoever commits work; absent when nobody here waits for some. */
    dueWork?: { lookAtOnce(): void }
  }
}

/** Says that work was committed through a handle: the watch of this process, if it has one, looks at once. */
export function signalDueWork(db: Db): void {
  getDatabaseServices(db).dueWork?.lookAtOnce()
}

/** Lets the watch of a handle hear of what is committed through another one on the same database; gives that one. */
export function shareDueWorkWatch(db: Db, otherDb: Db): Db {
  const { dueWork } = getDatabaseServices(db)
  if (dueWork) getDatabaseServices(otherDb).dueWork = dueWork
  return otherDb
}

/** The pause after some milliseconds without work. */
function getTickMs(idleMs: number, restsAfterMs: number): number {
  if (idleMs < restsAfterMs) return TICK_MS
  return idleMs < LONG_IDLE_FACTOR * restsAfterMs ? IDLE_TICK_MS : LONG_IDLE_TICK_MS
}

/** Pauses between checks. They end early when work was committed, and are longer after a period without work, which `worked` resets. */
function createPauses(db: Db, restsAfterMs: number) {
  let wakeUp = Promise.withResolvers<void>()
  let lastWorkAt = performance.now()
  const resetIdleTime = (): void => {
    lastWorkAt = performance.now()
  }
  getDatabaseServices(db).dueWork = {
    lookAtOnce() {
      resetIdleTime()
      wakeUp.resolve()
    },
  }
  async function waitForTick(): Promise<void> {
    await delay(MIN_PAUSE_MS)
    const tickMs = getTickMs(performance.now() - lastWorkAt, restsAfterMs)
    const restAbort = new AbortController()
    const tickDelay = delay(tickMs - MIN_PAUSE_MS, undefined, { signal: restAbort.signal }).catch(() => undefined)
    await Promise.race([wakeUp.promise, tickDelay])
    restAbort.abort()
    wakeUp = Promise.withResolvers()
  }
  return { pause: waitForTick, worked: resetIdleTime }
}

type DueWorkConditions = ReadonlyMap<string, DueWorkCondition>
type WaitersByName = Map<string, Set<PromiseWithResolvers<boolean>>>

/** The names whose conditions hold. What the clocks of machine and database say is on the way. */
async function findDueNames(
  db: Db,
  conditions: DueWorkConditions,
  now: Date,
  steps?: ClockStepWatch,
): Promise<ReadonlySet<string>> {
  const names = [...conditions.keys()]
  const conditionSqls = [...conditions.values()].map((condition) => sql`(${condition(now)})`)
  const queriedAt = performance.now()
  steps?.sample('machine', { wall: now.getTime(), asked: queriedAt, answered: queriedAt })
  const { rows } = await sql<{
    due: boolean[]
    at: Date
  }>`${buildPreparedPrefix(`due-work-${hash('md5', names.join())}`)}
    select array[${sql.join(conditionSqls)}] as due, clock_timestamp() as at`.execute(db)
  if (rows[0]) steps?.sample('database', { wall: rows[0].at.getTime(), asked: queriedAt, answered: performance.now() })
  return new Set(names.filter((_, n) => rows[0]?.due[n]))
}

function resolveWaiters(
  waiters: WaitersByName,
  names: Iterable<string>,
  resolveWaiter: (waiter: PromiseWithResolvers<boolean>) => void,
): void {
  for (const name of names) {
    for (const waiter of waiters.get(name) ?? []) resolveWaiter(waiter)
    waiters.delete(name)
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
  const waiters: WaitersByName = new Map()
  let isLooking = false
  const { pause: waitForTick, worked: resetIdleTime } = createPauses(db, restsAfterMs)

  async function keepLooking(): Promise<void> {
    if (isLooking) return
    isLooking = true
    while (waiters.size > 0) {
      await waitForTick()
      if (waiters.size === 0) break
      try {
        const dueNames = await findDueNames(db, conditions, new Date(clock.now()), steps)
        if (dueNames.size > 0) resetIdleTime()
        resolveWaiters(waiters, dueNames, ({ resolve }) => resolve(true))
      } catch (error) {
        resolveWaiters(waiters, [...waiters.keys()], ({ reject }) => reject(error))
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
      const ownWaiter = Promise.withResolvers<boolean>()
      const sameNameWaiters = waiters.get(name) ?? new Set()
      waiters.set(name, sameNameWaiters.add(ownWaiter))
      const giveUp = () => ownWaiter.resolve(false)
      const timer = setTimeout(giveUp, mostMs)
      signal.addEventListener('abort', giveUp)
      void keepLooking()
      try {
        return await ownWaiter.promise
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
        sameNameWaiters.delete(ownWaiter)
        if (sameNameWaiters.size === 0 && waiters.get(name) === sameNameWaiters) waiters.delete(name)
      }
    },
  }
}
