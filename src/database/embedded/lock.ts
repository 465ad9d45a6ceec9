import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { acquireFileLock } from '../../lib/files/file-lock.ts'

/** Takes the lock of a folder for this process; the answer releases it. Throws when a living process has it. */
export function acquireFolderLock(folder: string): () => void {
  const holderFile = join(folder, 'holder')
  const releaseFileLock = acquireFileLock(join(folder, 'lock'))
  if (!releaseFileLock) {
    throw new OperatorError(
      `The database in ${folder} is in use by another Stentor (process ${readLockHolder(holderFile)}). ` +
        'Stop that one first, or choose another data directory (STENTOR_DATA_DIR).',
    )
  }
  writeFileSync(holderFile, `${process.pid}\n`)
  return releaseFileLock
}

function readLockHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
