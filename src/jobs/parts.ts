import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { isUnavailable } from '../database/errors.ts'

/** The parts of a task, by what they do. */
export type TaskParts = Readonly<Record<string, () => Promise<unknown>>>

/** Runs parts one after the other until the signal is aborted. */
export type RunParts = (parts: TaskParts, signal: AbortSignal) => Promise<void>

/**
 * Gives what runs the parts of tasks. A part fails alone: it is logged and counted, the others run, and at the end the task rejects with
 * all errors, so that it is tried again. While the database is away nothing else is tried.
 */
export function createPartRunner({ log, registry }: { log: Pick<Logger, 'error'>; registry: Registry }): RunParts {
  const failures = new Counter({
    name: 'stentor_task_part_failures_total',
    help: 'parts of the housekeeping that failed; the others went on',
    labelNames: ['part'],
    registers: [registry],
  })
  return async (parts, signal) => {
    const errors: unknown[] = []
    for (const [part, run] of Object.entries(parts)) {
      signal.throwIfAborted()
      try {
        await run()
      } catch (error) {
        signal.throwIfAborted()
        if (isUnavailable(error)) throw error
        failures.inc({ part })
        log.error({ err: error, part }, 'part of a task failed')
        errors.push(error)
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} parts of the task failed`)
  }
}
