import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'

/** A clock that runs evenly is off from the monotonic one by less than this between two samples, in milliseconds. */
const MIN_STEP_MS = 5000

/** A clock that is watched: this machine's, or the database's. */
export type WatchedClock = 'machine' | 'database'

/** The time that a clock showed, and the two times of `performance.now()` between which it was read; all in milliseconds. */
export interface ClockSample {
  wall: number
  asked: number
  answered: number
}

/** The state passed to those who wait by the clock of this machine: its time in milliseconds, and whether it has just been put back. */
export interface ClockState {
  now: number
  hasStepped: boolean
}

/** Notices steps of clocks. */
export interface ClockStepWatch {
  /** Takes a sample of a clock; those of one clock come in the order in which they were taken. */
  sample(clock: WatchedClock, sample: ClockSample): void
  /** Calls a function with each step from now on: by how many milliseconds a clock went forward, below zero back. */
  onStep(listener: (clock: WatchedClock, ms: number) => void): void
}

/** By how many milliseconds a clock moved between two samples beyond what the monotonic clock allows; 0: it may have run evenly. */
function computeStepMs(before: ClockSample, after: ClockSample): number {
  const wallElapsedMs = after.wall - before.wall
  const [minElapsedMs, maxElapsedMs] = [after.asked - before.answered, after.answered - before.asked]
  return wallElapsedMs < minElapsedMs ? wallElapsedMs - minElapsedMs : Math.max(0, wallElapsedMs - maxElapsedMs)
}

/** Compares clocks with the monotonic one: a step of more than 5 s is logged, counted and reported to the listeners. */
export function createClockStepWatch({ log, registry }: { log: Logger; registry: Registry }): ClockStepWatch {
  const counter = new Counter({
    name: 'stentor_clock_steps_total',
    help: 'Steps of more than 5 s of the clock of this machine or of the database, by clock and direction',
    labelNames: ['clock', 'direction'],
    registers: [registry],
  })
  const lastSamples = new Map<WatchedClock, ClockSample>()
  const listeners: ((clock: WatchedClock, ms: number) => void)[] = []
  return {
    sample(clock, sample) {
      const previousSample = lastSamples.get(clock)
      lastSamples.set(clock, sample)
      const measuredStepMs = previousSample ? Math.round(computeStepMs(previousSample, sample)) : 0
      if (Math.abs(measuredStepMs) <= MIN_STEP_MS) return
      log.warn({ clock, stepMs: measuredStepMs }, 'a clock stepped')
      counter.inc({ clock, direction: measuredStepMs < 0 ? 'back' : 'forward' })
      for (const listener of listeners) listener(clock, measuredStepMs)
    },
    onStep(listener) {
      listeners.push(listener)
    },
  }
}
