import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

const VERSION = '3.4.0'

const LOCK_PAUSE_MS = 200

/**
 * The folder whose node_modules hold ClickHouse as a library. It is 540 MB, too much for the program's own dependencies, so it is
 * installed by the first test that wants it, once for all checkouts of this user. Throws what npm said, or why it cannot be.
 */
export async function installEngine(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'stentor-tests')
  const root = join(cache, `chdb-${VERSION}`)
  if (existsSync(root)) return root
  if (process.platform === 'win32') throw new Error('ClickHouse is not made for Windows.')
  await mkdir(cache, { recursive: true })
  const release = await lock(`${root}.lock`)
  try {
    if (!existsSync(root)) await install(cache, root)
    return root
  } finally {
    await release()
  }
}

/** The last step is a rename: what an interruption leaves is a folder of another name, which nobody reads. */
async function install(cache: string, root: string): Promise<void> {
  const unfinished = await mkdtemp(join(cache, 'unfinished-'))
  try {
    // Without a file of its own npm would install into the nearest project above.
    await writeFile(join(unfinished, 'package.json'), '{"private":true}')
    const words = ['install', `chdb@${VERSION}`, '--prefix', unfinished, '--no-save', '--ignore-scripts', '--no-audit']
    await run('npm', [...words, '--no-fund', '--no-package-lock', '--loglevel=error'], { cwd: unfinished })
    await rename(unfinished, root)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

/** A file with the holder's process id, so that one left behind by a process that was killed is noticed. */
async function lock(path: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' })
      return () => rm(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    if (holder > 0 && !isAlive(holder)) await rm(path, { force: true })
    else await delay(LOCK_PAUSE_MS)
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
