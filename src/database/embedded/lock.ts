import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { acquireFileLock } from '../../lib/files/file-lock.ts'

/** Takes the lock of a folder for this process; the answer releases it. Throws when a living process has it. */
export function acquireFolderLock(folder: string): () => void {
  const holder = join(folder, 'holder')
  const release = acquireFileLock(join(folder, 'lock'))
  if (!release) {
    throw new OperatorError(
      `The database in ${folder} is in use by another Stentor (process ${readHolder(holder)}). ` +
        'Stop that one first, or choose another data directory (STENTOR_DATA_DIR).',
    )
  }
  writeFileSync(holder, `${process.pid}\n`)
  return release
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
