import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** SQLITE_BUSY: another connection holds the lock. */
const BUSY = 5

/**
 * Takes the lock of a folder for this process; the answer releases it. Throws when a living process has it.
 * It is a lock of the kernel (through SQLite, the one way to such a lock that Node brings): a killed process
 * cannot leave it behind, and no process id that was given out anew can be taken for its holder.
 */
export function takeLock(folder: string): () => void {
  const holder = join(folder, 'holder')
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    throw new Error(
      `The database in ${folder} is in use by another Stentor (process ${readHolder(holder)}). ` +
        'Stop that one first, or choose another data directory.',
    )
  }
  writeFileSync(holder, `${process.pid}\n`)
  return () => lock.close()
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === BUSY
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
