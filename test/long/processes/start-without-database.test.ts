import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { type DatabaseProxy, startDatabaseProxy } from '../../fakes/database-proxy.ts'
import { cloneDatabase } from '../../support/database/database.ts'
import { type Program, startProgram } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

interface Start extends Program {
  proxy: DatabaseProxy
  /** Resolves once the program has written a text. */
  said(text: string): Promise<unknown>
  /** What `/health/ready` answers. */
  readiness(): Promise<{ status: number; checks: Record<string, string> }>
}

/** Starts a service whose database is lost, by cutting or freezing the way to it, as soon as the HTTP server listens. */
async function startAndLose(t: TestContext, how: 'cut' | 'freeze'): Promise<Start> {
  const database = await cloneDatabase()
  const proxy = await startDatabaseProxy(database.url)
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-e2e-'))
  const settings = { STENTOR_DATA_DIR: dataDir, STENTOR_DATABASE_URL: proxy.url, STENTOR_LOG_LEVEL: 'info' }
  const program = startProgram(['start'], settings)
  t.after(async () => {
    program.child.kill('SIGKILL')
    await program.ended
    await proxy.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  let lines = ''
  const collect = (text: string): void => {
    lines += text
    if (text.includes('Server listening')) proxy[how]()
  }
  program.child.stdout?.on('data', collect)
  program.child.stderr?.on('data', collect)
  const said = (text: string) => eventually(() => lines.includes(text), t.signal)
  await said('Server listening')
  async function readiness() {
    const [url] = /http:\/\/[\d.]+:\d+/.exec(lines.slice(lines.indexOf('Server listening')))!
    const response = await fetch(`${url}/health/ready`)
    const { checks } = (await response.json()) as { checks: Record<string, string> }
    return { status: response.status, checks }
  }
  return { ...program, proxy, said, readiness }
}

suite('a database that is lost while the service starts', () => {
  for (const how of ['cut', 'freeze'] as const)
    test(`is waited for, and the start ends once it is back (${how})`, async (t) => {
      const { proxy, said, readiness, child, ended } = await startAndLose(t, how)
      await said('waiting for the database')
      const { status, checks } = await readiness()
      assert.equal(status, 503)
      assert.equal(checks['start'], 'not finished yet')
      assert.match(checks['database']!, how === 'cut' ? /^failing( \(\w+\))?$|^no answer/ : /^no answer in 2000 ms$/)
      proxy.restore()
      await said('Stentor is at')
      assert.deepEqual((await readiness()).checks, { database: 'ok' })
      child.kill('SIGTERM')
      assert.equal((await ended).status, 0)
    })

  test('does not keep the program from ending when it is asked to', async (t) => {
    const { said, child, ended } = await startAndLose(t, 'cut')
    await said('waiting for the database')
    child.kill('SIGTERM')
    assert.equal((await ended).status, 0)
  })
})
