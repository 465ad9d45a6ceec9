import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, lchown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import type { SystemAccount } from './account.ts'
import type { PostgresBinaries } from './binaries.ts'
import type { ClusterHome } from './home.ts'

/** The role of the program and its database. It is no superuser, as on an operator's own server. */
export const DATABASE_ROLE = 'stentor'

/** The major version of the packaged server; a cluster of another one needs a dump. */
const MAJOR_VERSION = '18'

/** The environment of the server and its tools, without variables such as PGPORT. */
export function buildPostgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
}

/** Makes the cluster at the first start and answers the password of the program's role. No server may run on it. */
export async function preparePostgresCluster(
  home: ClusterHome,
  binaries: PostgresBinaries,
  { isDurable, announce }: { isDurable: boolean; announce?: ((step: string) => void) | undefined },
): Promise<string> {
  const version = await readOptionalFile(join(home.cluster, 'PG_VERSION'))
  if (version === undefined) {
    announce?.('Creating the database (only once, takes about ten seconds) …')
    await createCluster(home, binaries, isDurable)
  } else if (version !== MAJOR_VERSION) {
    throw new OperatorError(
      `The database in ${home.folder} was created by PostgreSQL ${version}, but this program includes ${MAJOR_VERSION}. ` +
        'Run "stentor backup" with the program that created it, then "stentor restore" with this one into a new STENTOR_DATA_DIR.',
    )
  }
  // Files that root restored from a backup belong to root.
  if (home.account && (await stat(home.cluster)).uid === 0) await changeOwner(home.account, home.cluster)
  return (await readDatabasePassword(home.folder)) ?? ensurePassword(home, binaries)
}

/** The password of the program's role; undefined before the first start. */
export async function readDatabasePassword(folder: string): Promise<string | undefined> {
  return readOptionalFile(join(folder, 'password'))
}

/** Created under another name and renamed, so that an interrupted start leaves no partial cluster. */
async function createCluster(home: ClusterHome, binaries: PostgresBinaries, isDurable: boolean): Promise<void> {
  const temporaryCluster = `${home.cluster}.new`
  await rm(temporaryCluster, { recursive: true, force: true })
  await mkdir(temporaryCluster, { mode: 0o700 })
  if (home.account) await chown(temporaryCluster, home.account.uid, home.account.gid)
  // The superuser gets no password and there is no socket, so it cannot log in.
  const options = [
    '--username=postgres',
    '--auth-local=peer',
    '--auth-host=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  ]
  const collation = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions']
  await runPostgresTool(
    binaries.initdb,
    ['-D', temporaryCluster, ...options, ...collation, ...(isDurable ? [] : ['--no-sync'])],
    home,
  )
  await runSingleUserSql(binaries, { ...home, cluster: temporaryCluster }, [
    `create role ${DATABASE_ROLE} login createdb`,
    `create database ${DATABASE_ROLE} owner ${DATABASE_ROLE}`,
  ])
  await rename(temporaryCluster, home.cluster)
}

/** A lost password file is written again: an account that may read the folder owns the database anyway. */
async function ensurePassword(home: ClusterHome, binaries: PostgresBinaries): Promise<string> {
  const password = randomBytes(24).toString('hex')
  await runSingleUserSql(binaries, home, [`alter role ${DATABASE_ROLE} password '${password}'`])
  const passwordFile = join(home.folder, 'password')
  await writeFile(`${passwordFile}.new`, `${password}\n`, { mode: 0o600 })
  await rename(`${passwordFile}.new`, passwordFile)
  return password
}

/** Runs statements, one a line, in the server's single-user mode: without a server, and without a login. */
async function runSingleUserSql(binaries: PostgresBinaries, home: ClusterHome, statements: string[]): Promise<void> {
  const options = ['--single', '-D', home.cluster, '-c', 'exit_on_error=on', 'postgres']
  await runPostgresTool(binaries.postgres, options, home, `${statements.join('\n')}\n`)
}

async function runPostgresTool(program: string, options: string[], home: ClusterHome, input = ''): Promise<void> {
  const toolProcess = spawn(program, options, { cwd: '/', env: buildPostgresEnvironment(), ...home.account })
  let output = ''
  toolProcess.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  toolProcess.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  // A tool that ended early closes its input; its exit code says why.
  toolProcess.stdin.on('error', () => undefined).end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    toolProcess.once('error', reject).once('close', resolve)
  })
  if (code !== 0) throw new OperatorError(`${program} failed (${code ?? 'killed'}):\n${output.trim()}`)
}

async function changeOwner(account: SystemAccount, path: string): Promise<void> {
  const entries = await readdir(path, { recursive: true })
  await Promise.all(
    [path, ...entries.map((entry) => join(path, entry))].map((at) => lchown(at, account.uid, account.gid)),
  )
}

async function readOptionalFile(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
}
