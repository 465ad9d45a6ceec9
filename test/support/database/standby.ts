import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isRunningAsRoot, resolvePostgresAccount } from '../../../src/database/embedded/account.ts'
import { findPostgresBinaries } from '../../../src/database/embedded/binaries.ts'
import { openClusterHome } from '../../../src/database/embedded/home.ts'
import { startEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { databaseFolder } from './database.ts'

const run = promisify(execFile)

/** A database server, by the folder of its cluster. */
interface ClusterServer {
  folder: string
  url: string
}

/** Two database servers, of which one follows the other: what that one has committed, the other has. */
export interface Pair {
  primary: ClusterServer
  standby: ClusterServer
  /** The path of a `pg_ctl` that may be run by the account of the tests. */
  control: string
  stop(): Promise<void>
}

/** A program that runs PostgreSQL's `pg_ctl` as the account that PostgreSQL may have. */
async function writeControl(directory: string): Promise<string> {
  const account = isRunningAsRoot() ? await resolvePostgresAccount() : undefined
  const { postgres } = await findPostgresBinaries(account)
  const as = account ? `setpriv --reuid=${account.uid} --regid=${account.gid} --clear-groups ` : ''
  const file = join(directory, 'pg_ctl')
  await writeFile(file, `#!/bin/sh\ncd /\nexec ${as}'${join(dirname(postgres), 'pg_ctl')}' "$@"\n`, { mode: 0o755 })
  return file
}

/** Starts both; the standby is a copy of the primary as it was when it was made. */
export async function startPair(): Promise<Pair> {
  const directory = await mkdtemp(join(await databaseFolder(), 'stentor-database-'))
  await chmod(directory, 0o755)
  const control = await writeControl(directory)
  const access = join(directory, 'access.conf')
  await writeFile(access, 'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n', { mode: 0o644 })
  const made = await startEmbeddedPostgres({ directory, log: () => undefined, settings: { fsync: 'off' } })
  await made.stop()
  const { folder: home } = await openClusterHome(directory)
  const [primary, standby] = [join(home, 'cluster'), join(home, 'standby')]
  await run('cp', ['-a', primary, standby])
  await run('cp', ['-a', join(standby, 'PG_VERSION'), join(standby, 'standby.signal')])
  const ports = [await findFreePort(), await findFreePort()]
  async function start(folder: string, port: number, setting: string): Promise<ClusterServer> {
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      `hba_file=${access}`,
      'fsync=off',
      setting,
    ]
    const options = settings.map((one) => `-c ${one}`).join(' ')
    const log = join(folder, 'server.log')
    await run(control, ['-D', folder, '-l', log, '-w', '-o', `-p ${port} ${options}`, 'start'])
    return { folder, url: `postgres://stentor@127.0.0.1:${port}/stentor?sslmode=disable` }
  }
  const following = `host=127.0.0.1 port=${ports[0]} user=postgres application_name=standby`
  const servers = {
    primary: await start(primary, ports[0]!, 'synchronous_standby_names=standby'),
    standby: await start(standby, ports[1]!, `primary_conninfo='${following}'`),
  }
  return {
    ...servers,
    control,
    async stop() {
      // One of them may have ended.
      for (const { folder } of Object.values(servers))
        await run(control, ['-D', folder, '-m', 'immediate', '-w', 'stop']).catch(() => undefined)
      await rm(home, { recursive: true, force: true })
      await rm(directory, { recursive: true, force: true })
    },
  }
}
