import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isRunningAsRoot } from '../../../src/database/embedded/account.ts'

const run = promisify(execFile)

/** Whether a disk can be made here: as root, and where containers may. */
export async function canMount(): Promise<boolean> {
  if (!isRunningAsRoot() || process.platform !== 'linux') return false
  const directory = await mkdtemp(join(tmpdir(), 'stentor-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', 'tmpfs', directory])
    await run('umount', [directory])
    return true
  } catch {
    return false
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** Takes away the disks that were mounted below a folder. */
export async function unmountBelow(folder: string): Promise<void> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  const below = mounts
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? [])
    .filter((path) => path.startsWith(`${folder}/`))
  for (const path of below) await run('umount', ['-l', path])
}
