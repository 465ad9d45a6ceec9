import { overloadedProblem } from '../../../lib/errors/problem.ts'
import { ScriptRoundFailure } from '../../../scripting/sandbox/rounds.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import type { PipelineRow } from '../values/values.ts'
import { createLimitFailure, type ExecutionError, ExecutionFailure } from './failures.ts'

/** Limits of an execution: the resources it may use, and the size of its result. */
export interface ExecutionBudget {
  limitMs: number
  rows: number
  /** Bytes of its value as JSON. */
  bytes: number
}

/** Budget of a request by a client. */
export const PIPELINE_REQUEST_BUDGET: ExecutionBudget = { limitMs: 5000, rows: 10_000, bytes: 5 * 1024 * 1024 }
/** Budget of a node of a workflow. */
export const PIPELINE_NODE_BUDGET: ExecutionBudget = { limitMs: 5000, rows: 1000, bytes: 256 * 1024 }

const formatSize = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${bytes / 1024} KB`

/** The value is too large. */
export const createResultSizeFailure = ({ bytes }: ExecutionBudget): ExecutionFailure =>
  createLimitFailure(`The result exceeds ${formatSize(bytes)}.`)

/** A value within its budget. Throws ExecutionFailure `limit`. */
export function requireWithinBudget<T>(value: T, budget: ExecutionBudget): T {
  if (Buffer.byteLength(JSON.stringify(value) ?? '') > budget.bytes) throw createResultSizeFailure(budget)
  return value
}

/** Rows that are put together within a budget. Throws ExecutionFailure `limit`. */
export function createRowCollector(budget: ExecutionBudget) {
  const { rows: maxRows, bytes } = budget
  const rows: PipelineRow[] = []
  let totalBytes = 2
  return {
    rows,
    add(some: readonly PipelineRow[]): void {
      for (const row of some) totalBytes += Buffer.byteLength(JSON.stringify(row)) + 1
      rows.push(...some)
      if (rows.length > maxRows) throw createLimitFailure(`The result exceeds ${maxRows.toLocaleString('en-US')} rows.`)
      if (totalBytes > bytes) throw createResultSizeFailure(budget)
    },
  }
}

/** Part of an error that is returned to the client. Rethrows errors that the author did not cause. */
export function toExecutionError(error: unknown): ExecutionError {
  if (error instanceof ExecutionFailure) return error.failed
  if (error instanceof ScriptFailure || error instanceof ScriptRoundFailure) return error.error
  throw error
}

/** The same; throws 503 where there was no place for a script. */
export function toExecutionErrorUnlessBusy(error: unknown): ExecutionError {
  const executionError = toExecutionError(error)
  if (executionError.type === 'busy') throw overloadedProblem(executionError.message)
  return executionError
}
