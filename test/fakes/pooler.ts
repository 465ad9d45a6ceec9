import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../src/lib/net/free-port.ts'
import { eventually } from '../support/wait.ts'

/** The reason to skip tests of a pooler; false when PgBouncer is installed. */
export const NO_POOLER =
  spawnSync('pgbouncer', ['--version']).error === undefined ? false : 'PgBouncer is not installed: npm run test:setup'

export interface Pooler {
  /** Of the same database, through the pooler. */
  url: string
  stop(): Promise<void>
}

type PoolMode = 'session' | 'transaction' | 'statement'

/** The settings other than the defaults: nothing that Stentor needs but the mode and the size. */
function settingsOf(url: URL, port: number, mode: PoolMode): string {
  const target = `host=${url.hostname} port=${url.port} user=${url.username} password=${decodeURIComponent(url.password)}`
  return `[databases]
* = ${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 90
`
}

/** Starts PgBouncer in front of a database. */
export async function startPooler(databaseUrl: string, mode: PoolMode = 'session'): Promise<Pooler> {
  const directory = await mkdtemp(join(tmpdir(), 'stentor-pooler-'))
  await chmod(directory, 0o755)
  const port = await findFreePort()
  const settings = join(directory, 'pgbouncer.ini')
  await writeFile(settings, settingsOf(new URL(databaseUrl), port, mode))
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child: ChildProcess = spawn('pgbouncer', ['-q', ...account, settings], { stdio: 'ignore' })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
    return true
  })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    async stop() {
      process.off('exit', kill)
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true })
    },
  }
}
