import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it, type TestContext } from 'node:test'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { isRunningAsRoot } from '../../../src/database/embedded/account.ts'
import { findClusterHome } from '../../../src/database/embedded/home.ts'
import { findPostmaster } from '../../../src/database/embedded/postmaster.ts'
import {
  type EmbeddedPostgres,
  findEmbeddedPostgresUrl,
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/database/embedded.ts'
import { eventually } from '../../support/wait.ts'

const settings = { fsync: 'off', shared_buffers: '16MB' }

/** Private to its owner, as `mktemp -d` makes it: PostgreSQL's account cannot enter when the tests run as root. */
let directory: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stentor-embedded-'))
})
after(() => removeEmbeddedPostgres(directory))

/** Stopped at the end of the test, if not before. */
async function start(context: TestContext, log: (line: string) => void = () => undefined): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ directory, log, settings })
  context.after(() => server.stop())
  return server
}

/** The first value of the first row. */
async function ask(url: string, query: string): Promise<unknown> {
  const { pool, close } = openDatabasePool(url, { max: 1 })
  try {
    const { rows } = await pool.query({ text: query, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await close()
  }
}

async function clusterFolder(): Promise<string> {
  return join(await findClusterHome(directory), 'cluster')
}

/** Another program that starts the database, prints its url, and on a signal queries it once more before it stops it. */
async function startOwner(
  context: TestContext,
): Promise<{ owner: ChildProcess; url: string; lines: AsyncIterator<string> }> {
  const code = `
    import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('../../../src/database/embedded.ts'))}
    import { openDatabasePool } from ${JSON.stringify(import.meta.resolve('../../../src/database/connection/connect.ts'))}
    const server = await startEmbeddedPostgres({ directory: process.argv[1], log: () => {}, settings: ${JSON.stringify(settings)} })
    const { pool, close } = openDatabasePool(server.url)
    await pool.query('select 1')
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, async () => {
      const { rows } = await pool.query("select 'still there' as answer")
      await close()
      await server.stop()
      console.log(rows[0].answer)
    })
    console.log(server.url)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', code, directory], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(owner.stdout)[Symbol.asyncIterator]()
  context.after(() => kill(owner))
  return { owner, url: (await lines.next()).value ?? '', lines }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.kill('SIGKILL')) await once(child, 'exit')
}

describe('embedded PostgreSQL: first start', () => {
  it('creates a UTF-8 database with a non-superuser role and keeps its data across a restart', async (context) => {
    const first = await start(context)
    assert.equal(await ask(first.url, 'show server_encoding'), 'UTF8')
    assert.equal(await ask(first.url, 'show is_superuser'), 'off')
    await ask(first.url, 'create table kept as select 1 as one')
    await first.stop()
    const second = await start(context)
    assert.equal(await ask(second.url, 'select one from kept'), 1)
    await second.stop()
  })

  it('restricts access to a private password on the loopback interface, without a socket', async (context) => {
    const server = await start(context)
    const home = await findClusterHome(directory)
    assert.equal((await stat(join(home, 'password'))).mode & 0o777, 0o600)
    const wrong = new URL(server.url)
    wrong.password = 'wrong'
    await assert.rejects(ask(wrong.href, 'select 1'), { code: '28P01' })
    wrong.username = 'postgres'
    await assert.rejects(ask(wrong.href, 'select 1'), { code: '28P01' })
    assert.equal(await ask(server.url, 'show listen_addresses'), '127.0.0.1')
    const [, , , , socketFolder] = (await readFile(join(home, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')
    assert.equal(socketFolder, '')
    await server.stop()
  })

  it('recovers from an interrupted first start', async () => {
    const interrupted = await mkdtemp(join(tmpdir(), 'stentor-embedded-'))
    await chmod(interrupted, 0o755)
    await mkdir(join(interrupted, 'cluster.new'))
    await writeFile(join(interrupted, 'cluster.new', 'PG_VERSION'), '18\n')
    const server = await startEmbeddedPostgres({ directory: interrupted, log: () => undefined, settings })
    assert.equal(await ask(server.url, 'select 1'), 1)
    await server.stop()
    await removeEmbeddedPostgres(interrupted)
  })
})

describe('embedded PostgreSQL: log', () => {
  it('contains server errors but no statement errors', async (context) => {
    const lines: string[] = []
    const server = await start(context, (line) => lines.push(line))
    await assert.rejects(ask(server.url, `select E'a secret\\nof two lines'::int`), { code: '22P02' })
    await ask(server.url, 'create table lost as select 1 as one')
    await rm(join(await clusterFolder(), String(await ask(server.url, `select pg_relation_filepath('lost')`))))
    await assert.rejects(
      ask(server.url, 'create database of_a_checkpoint strategy file_copy'),
      /checkpoint request failed/,
    )
    await ask(server.url, 'drop table lost')
    await server.stop()
    assert.match(lines.join('\n'), /^checkpointer: ERROR: {2}could not open file "base\//m)
    assert.doesNotMatch(lines.join('\n'), /secret|two lines/)
  })
})

describe('embedded PostgreSQL: a folder that others cannot enter', () => {
  it('keeps its permissions, and records where the files are when running as root', async (context) => {
    const server = await start(context)
    assert.equal((await stat(directory)).mode & 0o777, 0o700)
    const noted = await readFile(join(directory, 'location'), 'utf8').catch(() => undefined)
    const home = await findClusterHome(directory)
    assert.equal(noted?.split('\n')[0], isRunningAsRoot() ? home : undefined)
    const { uid } = await stat(`/proc/${(await findPostmaster(join(home, 'cluster')))?.pid}`)
    assert.equal(uid, (await stat(join(home, 'cluster'))).uid)
    assert.notEqual(uid, 0)
    await server.stop()
  })

  it('refuses to start when the recorded location is gone', async () => {
    const moved = await mkdtemp(join(tmpdir(), 'stentor-embedded-'))
    await writeFile(join(moved, 'location'), '/var/lib/stentor/gone\n')
    await assert.rejects(
      startEmbeddedPostgres({ directory: moved, log: () => undefined }),
      /was stored in .*gone, which no longer exists/,
    )
    await rm(moved, { recursive: true })
  })
})

describe('embedded PostgreSQL: two programs on one directory', () => {
  it("refuses the second, which can find the first's database", async (context) => {
    const { owner, url } = await startOwner(context)
    await assert.rejects(start(context), new RegExp(`in use by another Stentor \\(process ${owner.pid}\\)`))
    assert.equal(await findEmbeddedPostgresUrl(directory), url)
    owner.kill('SIGTERM')
    await once(owner, 'exit')
    assert.equal(await findEmbeddedPostgresUrl(directory), undefined)
  })

  it('refuses the second in the same process, and frees the directory once stopped', async (context) => {
    const server = await start(context)
    await assert.rejects(start(context), /in use by another Stentor/)
    await server.stop()
    await (await start(context)).stop()
  })
})

describe('embedded PostgreSQL: signals and crashes', () => {
  it('a signal to the process group reaches the server only after the program has ended', async (context) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const { owner, lines } = await startOwner(context)
      process.kill(-(owner.pid ?? 0), signal)
      assert.equal((await lines.next()).value, 'still there')
      await once(owner, 'exit')
    }
  })

  it('a server ends when its program is killed', async (context) => {
    const { owner } = await startOwner(context)
    const cluster = await clusterFolder()
    await kill(owner)
    await eventually(async () => !(await findPostmaster(cluster)))
  })

  it('a start right after a kill finds all committed data', async (context) => {
    const { owner, url } = await startOwner(context)
    await ask(url, 'create table committed as select 7 as seven')
    await kill(owner)
    const server = await start(context)
    assert.equal(await ask(server.url, 'select seven from committed'), 7)
    await server.stop()
  })

  it('a start ends an orphaned server and its connections', async (context) => {
    const { owner, url } = await startOwner(context)
    const orphan = await findPostmaster(await clusterFolder())
    // Its watching shell is killed first, so that no signal reaches the server.
    const children = await readFile(`/proc/${owner.pid}/task/${owner.pid}/children`, 'utf8')
    for (const pid of children.trim().split(' ').map(Number)) if (pid !== orphan?.pid) process.kill(pid, 'SIGKILL')
    await kill(owner)
    const { pool, close } = openDatabasePool(url)
    context.after(close)
    await pool.query('select 1')
    const said: string[] = []
    const server = await start(context, (line) => said.push(line))
    assert.match(said[0] ?? '', new RegExp(`still running \\(process ${orphan?.pid}\\)`))
    assert.equal(await ask(server.url, 'select 1'), 1)
    await server.stop()
  })

  it('a start never mistakes a live process for the server because of an old lock file', async (context) => {
    await (await start(context)).stop()
    const cluster = await clusterFolder()
    const { uid, gid } = await stat(cluster)
    const account = isRunningAsRoot() ? { uid, gid } : {}
    const unrelated = spawn('sleep', ['600'], { cwd: '/', stdio: 'ignore', ...account })
    context.after(() => kill(unrelated))
    for (const pid of [unrelated.pid, 4_000_000]) {
      await writeFile(join(cluster, 'postmaster.pid'), `${pid}\n${cluster}\n1700000000\n5432\n\n127.0.0.1\n`)
      const server = await start(context)
      assert.equal(await ask(server.url, 'select 1'), 1)
      await server.stop()
    }
    assert.equal(unrelated.exitCode, null)
  })

  it('a killed server is restarted on its port', async (context) => {
    const server = await start(context)
    const { pool, close } = openDatabasePool(server.url)
    context.after(close)
    await pool.query('begin; select 1')
    const killed = await findPostmaster(await clusterFolder())
    process.kill(killed?.pid ?? 0, 'SIGKILL')
    await eventually(async () => (await ask(server.url, 'select 1')) === 1)
    await server.stop()
  })

  it('a stop does not wait for open connections', async (context) => {
    const server = await start(context)
    const { pool, close } = openDatabasePool(server.url)
    context.after(close)
    const client = await pool.connect()
    await client.query('begin')
    await server.stop()
    client.release()
    await assert.rejects(ask(server.url, 'select 1'), { code: 'ECONNREFUSED' })
  })

  it('a lost password is replaced on the next start', async (context) => {
    await rm(join(await findClusterHome(directory), 'password'))
    const server = await start(context)
    assert.equal(await ask(server.url, 'select one from kept'), 1)
    await server.stop()
  })
})

describe('removeEmbedded', () => {
  it('deletes the directory and the files of the server', async () => {
    const home = await findClusterHome(directory)
    await removeEmbeddedPostgres(directory)
    await assert.rejects(access(home))
    await assert.rejects(access(directory))
    await mkdir(directory)
  })
})
