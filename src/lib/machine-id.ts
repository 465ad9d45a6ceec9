import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The name of the file; copies of a data directory for backups leave it out. */
const FILE = 'machine'

function read(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return /^[0-9a-f]{8}$/.test(text) ? text : undefined
  } catch {
    return undefined
  }
}

/** The id of the machine that a data directory stands for: eight hexadecimal digits, made with its first process. */
export function loadMachineId(dataDir: string): string {
  const path = join(dataDir, FILE)
  const known = read(path)
  if (known !== undefined) return known
  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(4).toString('hex')}\n`)
  try {
    // Whole or not at all, and never over that of a process which starts at the same moment.
    linkSync(draft, path)
  } catch (error) {
    if (read(path) === undefined) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return read(path) ?? loadMachineId(dataDir)
}
