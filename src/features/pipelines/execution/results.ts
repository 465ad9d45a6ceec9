import { overloaded } from '../../../lib/errors/problem.ts'
import { RoundEnded } from '../../../scripting/sandbox/rounds.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import type { Row } from '../values/values.ts'
import { ExecutionFailure, type Failed, limitFailure } from './failures.ts'

/** How much an execution may take and give. */
export interface Budget {
  limitMs: number
  rows: number
  /** Of the JSON of its value. */
  bytes: number
}

/** Of what a client asks for. */
export const REQUEST: Budget = { limitMs: 5000, rows: 10_000, bytes: 5 * 1024 * 1024 }
/** Of a node of a workflow. */
export const NODE: Budget = { limitMs: 5000, rows: 1000, bytes: 256 * 1024 }

const sizeWords = (bytes: number): string => (bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${bytes / 1024} KB`)

/** The value is too large. */
export const sizeFailure = ({ bytes }: Budget): ExecutionFailure =>
  limitFailure(`The result passes ${sizeWords(bytes)}`)

/** A value within its budget. Throws ExecutionFailure `limit`. */
export function fitting<T>(value: T, budget: Budget): T {
  if (Buffer.byteLength(JSON.stringify(value) ?? '') > budget.bytes) throw sizeFailure(budget)
  return value
}

/** Rows that are put together within a budget. Throws ExecutionFailure `limit`. */
export function openRows(budget: Budget) {
  const { rows: most, bytes } = budget
  const rows: Row[] = []
  let size = 2
  return {
    rows,
    add(some: readonly Row[]): void {
      for (const row of some) size += Buffer.byteLength(JSON.stringify(row)) + 1
      rows.push(...some)
      if (rows.length > most) throw limitFailure(`The result passes ${most.toLocaleString('en-US')} rows`)
      if (size > bytes) throw sizeFailure(budget)
    },
  }
}

/** What of an error is answered. Throws what is none of the author's. */
export function failedOf(error: unknown): Failed {
  if (error instanceof ExecutionFailure) return error.failed
  if (error instanceof ScriptFailure || error instanceof RoundEnded) return error.error
  throw error
}

/** The same; throws 503 where there was no place for a script. */
export function placedFailure(error: unknown): Failed {
  const failed = failedOf(error)
  if (failed.type === 'busy') throw overloaded(failed.message)
  return failed
}
