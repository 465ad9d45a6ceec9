import { Problem } from '../../../../lib/problem.ts'
import { busyError } from '../../sandbox/faults.ts'
import { RoundEnded } from '../../sandbox/rounds.ts'
import type { ScriptError } from '../../sandbox/types.ts'
import { ScriptFailure } from '../../script-port.ts'
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

const overloaded = (): Problem =>
  new Problem(503, 'overloaded', busyError().message, { headers: { 'retry-after': '1' } })

function scriptFailed(error: ScriptError): Failed {
  if (error.type === 'busy') throw overloaded()
  return error
}

/** What of an error is answered. Throws 503 where there was no place, and what is none of the author's. */
export function failedOf(error: unknown): Failed {
  if (error instanceof ExecutionFailure) return scriptFailed(error.failed as ScriptError)
  if (error instanceof ScriptFailure || error instanceof RoundEnded) return scriptFailed(error.error)
  throw error
}
