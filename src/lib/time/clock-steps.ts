import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'

/** A clock that runs evenly is off from the monotonic one by less than this between two samples, in milliseconds. */
const STEP_MS = 5000

/** A clock that is watched: this machine's, or the database's. */
export type WatchedClock = 'machine' | 'database'

/** What a clock said, and between which two times of `performance.now()` it was asked; all in milliseconds. */
export interface ClockSample {
  wall: number
  asked: number
  answered: number
}

/** What those who wait by the clock of this machine are told: its time in milliseconds, and whether it has just been put back. */
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
function stepBetween(before: ClockSample, after: ClockSample): number {
  const passed = after.wall - before.wall
  const [least, most] = [after.asked - before.answered, after.answered - before.asked]
  return passed < least ? passed - least : Math.max(0, passed - most)
}

/** Compares clocks with the monotonic one: a step of more than 5 s is logged, counted and told to those who listen. */
export function createClockStepWatch({ log, registry }: { log: Logger; registry: Registry }): ClockStepWatch {
  const counter = new Counter({
    name: 'stentor_clock_steps_total',
    help: 'Steps of more than 5 s of the clock of this machine or of the database, by clock and direction',
    labelNames: ['clock', 'direction'],
    registers: [registry],
  })
  const known = new Map<WatchedClock, ClockSample>()
  const listeners: ((clock: WatchedClock, ms: number) => void)[] = []
  return {
    sample(clock, sample) {
      const before = known.get(clock)
      known.set(clock, sample)
      const ms = before ? Math.round(stepBetween(before, sample)) : 0
      if (Math.abs(ms) <= STEP_MS) return
      log.warn({ clock, stepMs: ms }, 'a clock stepped')
      counter.inc({ clock, direction: ms < 0 ? 'back' : 'forward' })
      for (const listener of listeners) listener(clock, ms)
    },
    onStep(listener) {
      listeners.push(listener)
    },
  }
}
