import type { ScriptPosition } from '../../../scripting/sandbox/types.ts'

/** Error of an execution that returned no value. */
export interface ExecutionError {
  type: string
  message: string
  position?: ScriptPosition
  /** Only for a timeout. */
  limit?: 'cpu' | 'wall' | 'budget'
  /** Only for a write that could not be applied. */
  call?: number
  problem?: unknown
}

/** Ends an execution: what is in it is answered. */
export class ExecutionFailure extends Error {
  readonly failed: ExecutionError
  constructor(failed: ExecutionError) {
    super(failed.message)
    this.failed = failed
  }
}

const createFailure = (type: string, message: string): ExecutionFailure => new ExecutionFailure({ type, message })

/** Too many rows, or bytes. */
export const createLimitFailure = (message: string): ExecutionFailure => createFailure('limit', message)

/** Too much is held in memory. */
export const createMemoryFailure = (): ExecutionFailure =>
  createFailure('rows', 'The cursors hold more than 100,000 rows or 64 MB in memory. Filter or limit earlier.')

/** The failure of an execution that computed (`cpu`) or took (`wall`) too long. */
export const createTimeoutFailure = (limit: 'cpu' | 'wall', limitMs: number): ExecutionFailure =>
  new ExecutionFailure({
    type: 'timeout',
    limit,
    message: `The execution ${limit === 'cpu' ? 'used the CPU for' : 'took'} more than ${limitMs / 1000} s.`,
  })
