import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The name of the file; copies of a data directory for backups leave it out. */
const MACHINE_ID_FILE = 'machine'

function readMachineId(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return /^[0-9a-f]{8}$/.test(text) ? text : undefined
  } catch {
    return undefined
  }
}

/** The id of the machine that a data directory stands for: eight hexadecimal digits, made with its first process. */
export function loadMachineId(dataDir: string): string {
  const path = join(dataDir, MACHINE_ID_FILE)
  const storedId = readMachineId(path)
  if (storedId !== undefined) return storedId
  mkdirSync(dataDir, { recursive: true })
  const temporaryFile = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(temporaryFile, `${randomBytes(4).toString('hex')}\n`)
  try {
    // Whole or not at all, and never over that of a process which starts at the same moment.
    linkSync(temporaryFile, path)
  } catch (error) {
    if (readMachineId(path) === undefined) throw error
  } finally {
    rmSync(temporaryFile, { force: true })
  }
  return readMachineId(path) ?? loadMachineId(dataDir)
}
