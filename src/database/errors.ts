import pg from 'pg'
import { Problem } from '../lib/errors/problem.ts'

/** The problem that a refusal of the database becomes. A constraint's own name goes before its kind. */
export interface ConstraintProblems {
  unique?: () => Problem
  foreignKey?: () => Problem
  check?: () => Problem
  [constraint: string]: (() => Problem) | undefined
}

/** Kinds of refusals by SQLSTATE (class 23, integrity constraint violation). */
const refusalKinds = new Map([
  ['23505', 'unique'],
  ['23503', 'foreignKey'],
  ['23514', 'check'],
])

/** Awaits a statement; what the database refuses with a listed constraint becomes its problem, all else is rethrown. */
export async function mapConstraintErrors<T>(statement: Promise<T>, refusals: ConstraintProblems): Promise<T> {
  try {
    return await statement
  } catch (error) {
    throw toRefusalProblem(error, refusals) ?? error
  }
}

function toRefusalProblem(error: unknown, refusals: ConstraintProblems): Problem | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined
  const kind = refusalKinds.get(error.code ?? '')
  if (!kind) return undefined
  const refusal = (error.constraint === undefined ? undefined : refusals[error.constraint]) ?? refusals[kind]
  return refusal?.()
}

/**
 * SQLSTATEs (PostgreSQL, appendix A) of a database that is away, or refuses for now what it would take at another time:
 * none of them is the fault of what it was given.
 */
const unavailableStates = [
  // Connections: broken, refused, or not let in while an operator works on the database or restores it.
  /^08...$/,
  /^28...$/,
  /^3D000$/,
  // Resources: the disk is full, no memory, too many connections.
  /^53...$/,
  // It stops, starts, or an operator ended the connection.
  /^57P..$/,
  // The system below it: input and output, files.
  /^58...$/,
  // It is read-only; so it is with its file system, or with what its owner lets us do, of which it says 42501.
  /^25006$/,
  /^42501$/,
]

/** The routine in which PostgreSQL stops assigning transaction ids until it is vacuumed; the error has the SQLSTATE of limits (54000). */
const OUT_OF_TRANSACTION_IDS = /^GetNew(TransactionId|MultiXactId)$/

function isUnavailableState(code: string, error: Error): boolean {
  if (code === '54000') return error instanceof pg.DatabaseError && OUT_OF_TRANSACTION_IDS.test(error.routine ?? '')
  return unavailableStates.some((state) => state.test(code))
}

/** Codes of Node for a server that cannot be reached. */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Messages of pg for a connection that is lost, was never opened or was not free in time: they carry no code. */
const lostConnectionMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired$|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|driver has already been destroyed)/

/** Kinds of problems that say that something the database reads from is away. */
const unavailableKinds: readonly string[] = ['event-history-away']

/** Returns true if the database, or a store it reads from, is unavailable, full or read-only for now: the same call may work later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof Problem && unavailableKinds.includes(error.kind)) return true
  if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true
  if ('code' in error && typeof error.code === 'string') {
    return (
      isUnavailableState(error.code, error) || unreachableCodes.has(error.code) || isDatabaseUnavailable(error.cause)
    )
  }
  return lostConnectionMessages.test(error.message) || isDatabaseUnavailable(error.cause)
}

/** Returns true if a statement took longer than allowed or was cancelled. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014'
}

/** Returns true if a connection may have been opened while the database was read-only: it stays read-only afterwards. */
export function isReadOnlyDbError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006'
}

/** Returns true if the database has an internal fault (class XX: damaged files, a corrupt index). */
export function isInternalDbError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('XX') === true
}

/** SQLSTATE of serialisation, deadlock, and the time-out of a transaction. */
const transientStates = new Set(['40001', '40P01', '25P04'])

/** Returns true if a transaction failed for a reason that a retry resolves. */
export function isTransientDbError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && transientStates.has(error.code ?? '')
}

/** Returns true if the database rejected a text for a character it cannot store: NUL, or half a surrogate pair. */
export function isUnstorableTextError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '22021' || error.code === '22P05')
}

/** True if the database has no rules for a time zone in the statement. */
export function isUnknownTimeZoneError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '22023' && error.message.startsWith('time zone ')
}

/** SQLSTATEs of a transaction that met another one: a deadlock, or a row that came or went meanwhile. */
const conflictStates = new Set(['40P01', '40001', '23505', '23503'])

/** Returns true if a transaction failed that may succeed when it starts again and reads the changes of another one. */
export function isRetryableConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && conflictStates.has(error.code ?? '')
}
