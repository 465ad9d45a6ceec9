import { execFile } from 'node:child_process'
import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../../lib/errors/operator-error.ts'

const runProgram = promisify(execFile)

/** A system account as the kernel knows it. */
export interface SystemAccount {
  uid: number
  gid: number
}

/** PostgreSQL's own account where the system has one; else an unprivileged one. */
const UNPRIVILEGED_ACCOUNTS = ['postgres', 'nobody']

/** Returns true if this process is root, under which PostgreSQL refuses to run. */
export function isRunningAsRoot(): boolean {
  return process.getuid?.() === 0
}

/** The mode of folders above the database files: when root owns them, other accounts pass through them but cannot list them. */
export const passableFolderMode = (): number => (isRunningAsRoot() ? 0o711 : 0o700)

/** Makes a folder above the database files, and its missing parents. */
export async function createPassableFolder(directory: string): Promise<void> {
  const firstCreated = await mkdir(directory, { recursive: true })
  if (firstCreated === undefined) return
  for (let folder = directory; ; folder = dirname(folder)) {
    await chmod(folder, passableFolderMode())
    if (folder === firstCreated || folder === dirname(folder)) return
  }
}

/** The account that root runs PostgreSQL as. Throws when the system has neither `postgres` nor `nobody`. */
export async function resolvePostgresAccount(): Promise<SystemAccount> {
  for (const name of UNPRIVILEGED_ACCOUNTS) {
    const account = await findSystemAccount(name)
    if (account && account.uid !== 0) return account
  }
  throw new OperatorError(
    'PostgreSQL does not run as root, and this system has no account "postgres" or "nobody". ' +
      'Create one (useradd --system postgres), start as another account, or set STENTOR_DATABASE_URL.',
  )
}

async function findSystemAccount(name: string): Promise<SystemAccount | undefined> {
  try {
    const [uid, gid] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

/** Returns true if `account` may enter the folder and every folder above it, according to their modes (path_resolution(7)). */
export async function canEnterFolder(account: SystemAccount, folder: string): Promise<boolean> {
  const { uid, gid, mode } = await stat(folder)
  const executeBit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  if ((mode & executeBit) === 0) return false
  const parentFolder = dirname(folder)
  return parentFolder === folder || canEnterFolder(account, parentFolder)
}
