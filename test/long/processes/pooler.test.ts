import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { NO_POOLER, startPooler } from '../../fakes/pooler.ts'
import { cloneDatabase } from '../../support/database/database.ts'
import { makeService, type Service, startProgram } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const CONTACTS = 3000

suite('database behind a pooler that shares sessions', { skip: NO_POOLER }, () => {
  for (const mode of ['transaction', 'statement'] as const)
    test(`a start and doctor refuse the ${mode} mode in one sentence`, async (t) => {
      const database = await cloneDatabase()
      const pooler = await startPooler(database.url, mode)
      const dataDir = await mkdtemp(join(tmpdir(), 'stentor-e2e-'))
      t.after(async () => {
        await pooler.stop()
        await database.drop()
        await rm(dataDir, { recursive: true, force: true })
      })
      const settings = { STENTOR_DATA_DIR: dataDir, STENTOR_DATABASE_URL: pooler.url, STENTOR_LOG_LEVEL: 'silent' }
      const sentence =
        'STENTOR_DATABASE_URL points to a pooler that shares sessions among its clients. Set its pool_mode to session'
      const start = await startProgram(['start'], settings).ended
      assert.equal(start.status, 1)
      assert.match(start.errors, new RegExp(`^stentor: ${sentence}.*\\n$`))
      assert.match((await startProgram(['doctor'], settings).ended).out, new RegExp(`^BAD +database: ${sentence}`, 'm'))
    })
})

suite('database behind a pooler in session mode', { skip: NO_POOLER }, () => {
  test('a connection has its own settings and passes none on to the next', async (t) => {
    const database = await cloneDatabase()
    const pooler = await startPooler(database.url)
    t.after(() => pooler.stop().then(() => database.drop()))
    const read = async (url: string, statementTimeoutMs: number) => {
      const { pool, close } = openDatabasePool(url, {
        applicationName: `has ${statementTimeoutMs}`,
        statementTimeoutMs,
        max: 1,
      })
      const { rows } = await pool.query(
        `select current_setting('timezone') as zone, current_setting('statement_timeout') as most,
           current_setting('idle_in_transaction_session_timeout') as idle, current_setting('application_name') as name`,
      )
      await close()
      return rows[0]
    }
    assert.deepEqual(await read(pooler.url, 7000), { zone: 'UTC', most: '7s', idle: '1min', name: 'has 7000' })
    assert.deepEqual(await read(pooler.url, 0), { zone: 'UTC', most: '0', idle: '1min', name: 'has 0' })
  })

  test('an import and a campaign complete, and the work of a killed process is resumed', async (t) => {
    const { signal } = t
    const database = await cloneDatabase()
    const pooler = await startPooler(database.url)
    const received: string[] = []
    let service: Service | undefined
    const sink = await startSink({
      keep: 'pass',
      onMessage({ to }) {
        received.push(...to)
        if (received.length === CONTACTS / 2) service?.signal('SIGKILL')
      },
    })
    const dataDir = await mkdtemp(join(tmpdir(), 'stentor-e2e-'))
    service = await makeService(
      {
        STENTOR_DATA_DIR: dataDir,
        STENTOR_DATABASE_URL: pooler.url,
        STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
      },
      signal,
    )
    const { start, call, kill, ended } = service
    t.after(async () => {
      await kill()
      await sink.close()
      await pooler.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    })
    await start()
    const { id: source } = await call('POST', '/imports', { name: 'everybody' })
    const file = `Email\n${Array.from({ length: CONTACTS }, (_, n) => `p${n}@pooled.example\n`).join('')}`
    const { id: execution } = await call('POST', `/imports/${source}/executions`, file, 'text/csv')
    const run = () => call('GET', `/imports/${source}/executions/${execution}`)
    // Killed with the job of the import in its hands, or just after.
    await kill()
    await start()
    const { state, created } = await eventually(async () => {
      const shown = await run()
      return shown.state !== 0 && shown
    }, signal)
    assert.deepEqual([state, created], [1, CONTACTS])
    const everybody = await call('POST', '/segments', { type: 'dynamic', name: 'Everybody', criteria: { all: [] } })
    await call('PUT', '/settings/sending', { testRequired: false })
    const { id } = await call('POST', '/actions', {
      type: 'mailCampaign',
      name: 'Sale',
      content: { subject: 'Hello', html: '<p>Come in.</p>' },
      scheduler: { type: 'asap', segments: { selected: [everybody.id] } },
    })
    await call('POST', `/actions/${id}/validation`, { fortest: false })
    await ended()
    await start()
    const { monitor } = await eventually(async () => {
      const shown = await call('GET', `/actions/${id}`)
      return shown.state === 60 && shown
    }, signal)
    assert.equal(monitor.sent + monitor.held, CONTACTS)
    assert.equal(new Set(received).size, received.length, 'nobody gets it twice')
  })
})
