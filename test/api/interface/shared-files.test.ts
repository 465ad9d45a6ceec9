import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../../src/app.ts'
import type { ServiceContext } from '../../../src/context.ts'
import { purgeActionExports, writeActionExport } from '../../../src/features/actions/reports/export-files.ts'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { purgeStaleUploads } from '../../../src/features/imports/upload/upload-cleanup.ts'
import { purgeImportFiles } from '../../../src/features/imports/upload/uploads.ts'
import { runDueJobs } from '../../../src/jobs/runner.ts'
import { parseActionId } from '../../../src/lib/ids.ts'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { startS3Peer } from '../../fakes/web/s3.ts'
import { startStage } from '../../support/stages/stage.ts'

/*
 * Two machines on one database: the stage's own, and one with a data directory of its own. They share a bucket, or nothing.
 */

const keys = { region: 'eu-west-3', accessKey: 'AKIDTEST', secretKey: 'a secret of the tests' }
const peer = await startS3Peer('files', keys)
const stage = await startStage()
const { context, call, clock, own } = stage
const farDir = await mkdtemp(join(tmpdir(), 'stentor-far-'))
const bucket = { bucket: 'files', prefix: 'mine/', endpoint: peer.url, ...keys }

const machine = (dataDir: string, archives: typeof bucket | undefined): ServiceContext => ({
  ...context,
  config: { ...context.config, dataDir, archives },
})
const near = machine(stage.dataDir, bucket)
const far = machine(farDir, bucket)
const nearApi = await buildApiServer(near, new Registry())
after(async () => {
  await nearApi.close()
  await peer.close()
  await rm(farDir, { recursive: true, force: true })
})

const headers = { 'x-key': own.key, prefer: 'wait=0' }

async function importOf(): Promise<number> {
  const { body } = await call('POST', '/imports', { body: { name: 'Shared' } })
  return body.id
}

/** Uploads a file through the near machine, and starts its run. */
async function ask(
  app: typeof nearApi,
  content: string,
  name = 'list.csv',
): Promise<{ import: number; execution: number }> {
  const id = await importOf()
  const url = `/imports/${id}/executions`
  const type = { 'content-type': 'text/csv', 'content-disposition': `attachment; filename="${name}"` }
  const answer = await app.inject({ method: 'POST', url, headers: { ...headers, ...type }, payload: content })
  assert.equal(answer.statusCode, 200, answer.payload)
  return { import: id, execution: answer.json().id }
}

const outcome = async (asked: { import: number; execution: number }) =>
  (await call('GET', `/imports/${asked.import}/executions/${asked.execution}`)).body
const uploads = () => [...peer.objects.keys()].filter((key) => key.startsWith('mine/imports/'))
const filesIn = async (dataDir: string, folder: string) =>
  (await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

suite('machines that share a bucket', () => {
  test('run and preview an import uploaded to another machine, and keep no local copy', async () => {
    const asked = await ask(nearApi, 'Email\nann@far.example\nbob@far.example\n')
    assert.equal(uploads().length, 1)
    await runImport(far, { execution: asked.execution })
    const { state, created } = await outcome(asked)
    assert.deepEqual([state, created], [1, 2])
    const preview = await nearApi.inject({ method: 'GET', url: `/imports/${asked.import}/source/preview`, headers })
    assert.equal(preview.statusCode, 200, preview.payload)
    assert.deepEqual([await filesIn(farDir, 'imports'), await filesIn(stage.dataDir, 'imports')], [[], []])
    await nearApi.inject({ method: 'DELETE', url: `/imports/${asked.import}`, headers })
    assert.deepEqual(uploads(), [])
  })

  test('delete expired uploads from it, and uploads without an import after an hour', async () => {
    const asked = await ask(nearApi, 'Email\ncid@far.example\n')
    await runImport(far, { execution: asked.execution })
    const orphan = `mine/imports/${own.account}/${asked.import}/00FF00FF00`
    peer.objects.set(orphan, Buffer.from('x'))
    peer.putAt.set(orphan, new Date(clock.now()))
    await purgeStaleUploads(far)
    assert.equal(uploads().length, 2)
    clock.advance(2 * 3_600_000)
    await purgeStaleUploads(far)
    assert.equal(uploads().includes(orphan), false)
    assert.equal(uploads().length, 1)
    clock.advance(31 * DAY_MS)
    await purgeImportFiles(far.db, far.config, new Date(clock.now()))
    assert.deepEqual(uploads(), [])
  })

  test('refuse uploads and postpone runs while it is unavailable', async () => {
    const asked = await ask(nearApi, 'Email\ndan@far.example\n')
    peer.failure = { status: 503 }
    const { body } = await call('POST', '/imports', { body: { name: 'Away' } })
    const refused = await nearApi.inject({
      method: 'PUT',
      url: `/imports/${body.id}/source`,
      headers: { ...headers, 'content-type': 'text/csv' },
      payload: 'Email\neve@far.example\n',
    })
    assert.deepEqual([refused.statusCode, refused.json().type], [503, 'urn:stentor:problem:storage-away'])
    assert.deepEqual(await filesIn(stage.dataDir, 'imports'), [])
    await assert.rejects(runImport(far, { execution: asked.execution }), /503/)
    peer.failure = undefined
    await runImport(far, { execution: asked.execution })
    assert.equal((await outcome(asked)).created, 1)
  })

  test('serve an export made by another machine until it is erased', async () => {
    const action = await stage.validated(await stage.action({ settings: { purpose: { type: 'service' } } }))
    await call('PUT', '/settings/sending', { body: { reportAddresses: ['desk@acme.example'] } })
    await call('GET', `/actions/${action}/export/recipients`)
    let token = ''
    await runDueJobs(context.pool, context.log, {
      'actions.export': async (payload) => {
        await writeActionExport(far, payload)
        const { signDownloadToken } = await import('../../../src/lib/crypto/download-tokens.ts')
        const expiresAt = clock.now() + DAY_MS
        token = signDownloadToken(context.tokens, 'export', { account: own.account, id: payload.export, expiresAt })
      },
    })
    const read = () => nearApi.inject({ method: 'GET', url: `/exports/${token}` })
    const answer = await read()
    assert.deepEqual([answer.statusCode, await filesIn(farDir, 'exports')], [200, []])
    assert.equal(answer.payload.length, Number(answer.headers['content-length']))
    await context.db
      .deleteFrom('action_exports')
      .where('action', '=', parseActionId(action) ?? 0)
      .execute()
    await purgeActionExports(near)
    assert.deepEqual(
      [...peer.objects.keys()].filter((key) => key.startsWith('mine/exports/')),
      [],
    )
    assert.equal((await read()).statusCode, 404)
  })
})

suite('machines that share nothing', () => {
  test('report an import file on another machine in the run', async () => {
    const asked = await ask(stage.app, 'Email\nfay@far.example\n')
    await runImport(machine(farDir, undefined), { execution: asked.execution })
    const { state, error } = await outcome(asked)
    assert.equal(state, 2)
    assert.match(JSON.stringify(error), /file-elsewhere.*STENTOR_ARCHIVES/)
  })
})
