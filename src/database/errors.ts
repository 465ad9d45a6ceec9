import pg from 'pg'
import type { Problem } from '../lib/problem.ts'

/** The problem that a refusal of the database becomes. A constraint's own name goes before its kind. */
export interface Refusals {
  unique?: () => Problem
  foreignKey?: () => Problem
  check?: () => Problem
  [constraint: string]: (() => Problem) | undefined
}

/** Kinds of refusals by SQLSTATE (class 23, integrity constraint violation). */
const kinds = new Map([
  ['23505', 'unique'],
  ['23503', 'foreignKey'],
  ['23514', 'check'],
])

/** Awaits a statement; what the database refuses with a listed constraint becomes its problem, all else is rethrown. */
export async function refusing<T>(statement: Promise<T>, refusals: Refusals): Promise<T> {
  try {
    return await statement
  } catch (error) {
    throw problemOf(error, refusals) ?? error
  }
}

function problemOf(error: unknown, refusals: Refusals): Problem | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined
  const kind = kinds.get(error.code ?? '')
  if (!kind) return undefined
  const refusal = (error.constraint === undefined ? undefined : refusals[error.constraint]) ?? refusals[kind]
  return refusal?.()
}

/** SQLSTATE: class 08 and what a server says that stops, starts or has no connection left. */
const unavailableStates = /^(08...|57P0[1235]|53300|53400)$/

/** Codes of Node for a server that cannot be reached. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** pg's own words for a connection that is gone, was never made or was not free in time: they carry no code. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired$|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|driver has already been destroyed)/

/** Whether the database is away or full for now: the same call may work later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true
  if ('code' in error && typeof error.code === 'string') {
    return unavailableStates.test(error.code) || unreachable.has(error.code) || isUnavailable(error.cause)
  }
  return lostConnection.test(error.message) || isUnavailable(error.cause)
}

/** SQLSTATE of serialisation, deadlock, and the time-out of a transaction. */
const passing = new Set(['40001', '40P01', '25P04'])

/** Whether a transaction failed of what its repetition cures. */
export function isPassing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && passing.has(error.code ?? '')
}

/** Whether the database refused a text for a character it cannot store: NUL, or half a surrogate pair. */
export function isUnstorable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '22021' || error.code === '22P05')
}
