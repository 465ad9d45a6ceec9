import { overloadedProblem } from '../../../lib/errors/problem.ts'
import { ScriptRoundFailure } from '../../../scripting/sandbox/rounds.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import type { PipelineRow } from '../values/values.ts'
import { createLimitFailure, type ExecutionError, ExecutionFailure } from './failures.ts'

/** How much an execution may take and give. */
export interface ExecutionBudget {
  limitMs: number
  rows: number
  /** Of the JSON of its value. */
  bytes: number
}

/** Of what a client asks for. */
export const PIPELINE_REQUEST_BUDGET: ExecutionBudget = { limitMs: 5000, rows: 10_000, bytes: 5 * 1024 * 1024 }
/** Of a node of a workflow. */
export const PIPELINE_NODE_BUDGET: ExecutionBudget = { limitMs: 5000, rows: 1000, bytes: 256 * 1024 }

const sizeWords = (bytes: number): string => (bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${bytes / 1024} KB`)

/** The value is too large. */
export const createResultSizeFailure = ({ bytes }: ExecutionBudget): ExecutionFailure =>
  createLimitFailure(`The result passes ${sizeWords(bytes)}`)

/** A value within its budget. Throws ExecutionFailure `limit`. */
export function requireWithinBudget<T>(value: T, budget: ExecutionBudget): T {
  if (Buffer.byteLength(JSON.stringify(value) ?? '') > budget.bytes) throw createResultSizeFailure(budget)
  return value
}

/** Rows that are put together within a budget. Throws ExecutionFailure `limit`. */
export function createRowCollector(budget: ExecutionBudget) {
  const { rows: most, bytes } = budget
  const rows: PipelineRow[] = []
  let size = 2
  return {
    rows,
    add(some: readonly PipelineRow[]): void {
      for (const row of some) size += Buffer.byteLength(JSON.stringify(row)) + 1
      rows.push(...some)
      if (rows.length > most) throw createLimitFailure(`The result passes ${most.toLocaleString('en-US')} rows`)
      if (size > bytes) throw createResultSizeFailure(budget)
    },
  }
}

/** What of an error is answered. Throws what is none of the author's. */
export function toExecutionError(error: unknown): ExecutionError {
  if (error instanceof ExecutionFailure) return error.failed
  if (error instanceof ScriptFailure || error instanceof ScriptRoundFailure) return error.error
  throw error
}

/** The same; throws 503 where there was no place for a script. */
export function toExecutionErrorUnlessBusy(error: unknown): ExecutionError {
  const failed = toExecutionError(error)
  if (failed.type === 'busy') throw overloadedProblem(failed.message)
  return failed
}
