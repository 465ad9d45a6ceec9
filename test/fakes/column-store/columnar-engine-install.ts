import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../../support/wait.ts'

const run = promisify(execFile)

const VERSION = '3.4.0'

/** How long another one may take to install. */
const LOCK_MS = 600_000

const CACHE = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'stentor-tests')
const ROOT = join(CACHE, `chdb-${VERSION}`)

/** The folder whose node_modules hold ClickHouse as a library; undefined when it has not been installed. */
export const installedEngine = (): string | undefined => (existsSync(ROOT) ? ROOT : undefined)

/**
 * Installs ClickHouse as a library, once for all checkouts of this user: it is 540 MB, too much for the program's own dependencies. Throws
 * what npm said, or why it cannot be.
 */
export async function installEngine(): Promise<string> {
  if (existsSync(ROOT)) return ROOT
  if (process.platform === 'win32') throw new Error('ClickHouse is not made for Windows.')
  await mkdir(CACHE, { recursive: true })
  const release = await lock(`${ROOT}.lock`)
  try {
    if (!existsSync(ROOT)) await install(ROOT)
    return ROOT
  } finally {
    await release()
  }
}

/** The last step is a rename: what an interruption leaves is a folder of another name, which the next installation removes. */
async function install(root: string): Promise<void> {
  const unfinished = `${root}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished)
  // Without a file of its own npm would install into the nearest project above.
  await writeFile(join(unfinished, 'package.json'), '{"private":true}')
  const words = [
    'install',
    `chdb@${VERSION}`,
    '--prefix',
    unfinished,
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
  ]
  await run('npm', [...words, '--no-audit', '--no-fund', '--fetch-retries=1', '--loglevel=error'], { cwd: unfinished })
  await rename(unfinished, root)
}

/** A file with the holder's process id, there from its first moment, so that one left by a process that was killed is noticed. */
async function lock(path: string): Promise<() => Promise<void>> {
  const own = `${path}.${process.pid}`
  await writeFile(own, String(process.pid))
  try {
    await eventually(async () => {
      if (await links(own, path)) return true
      const holder = Number(await readFile(path, 'utf8').catch(() => ''))
      if (holder > 0 && !isAlive(holder)) await rm(path, { force: true })
      return false
    }, LOCK_MS)
  } finally {
    await rm(own, { force: true })
  }
  return () => rm(path, { force: true })
}

async function links(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
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
