import { DatabaseSync } from 'node:sqlite'

/** SQLITE_BUSY: another connection holds the lock. */
const SQLITE_BUSY_CODE = 5

function isBusyError(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY_CODE
}

/**
 * Takes the lock of a file, which is made when it is missing; the answer releases it. Undefined: another thread or a
 * living process has it. It is a lock of the kernel (through SQLite, the only API for one in Node): it
 * ends with its process, and a reused process id cannot be mistaken for its holder.
 * Nothing else may open the file: a process that closes it would lose its lock (POSIX, fcntl).
 */
export function acquireFileLock(file: string): (() => void) | undefined {
  const lock = new DatabaseSync(file)
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    if (!isBusyError(error)) throw error
    return undefined
  }
  return () => lock.close()
}
