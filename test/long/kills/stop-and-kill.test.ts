import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { enqueueTask } from '../../../src/jobs/enqueue.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { startSftpPeer } from '../../fakes/web/sftp-server.ts'
import { KEY, prepareService } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

/** What died is taken up within a minute; the machine of the tests may be busy. */
const TAKEN_UP_MS = 60_000

suite('stops and kills while remote servers do not answer', { concurrency: true }, () => {
  test('a pull is ended by a stop with status 0, and resumes once within a minute after a kill', async (t) => {
    const root = await mkdtemp(join(tmpdir(), 'stentor-drop-'))
    let reads = 0
    const released = Promise.withResolvers<void>()
    const peer = await startSftpPeer(root, { name: 'drop', password: 'secret' }, async () => {
      reads++
      await released.promise
    })
    t.after(async () => {
      released.resolve()
      await peer.close()
      await rm(root, { recursive: true, force: true })
    })
    const service = await prepareService(t)
    const { database, dataDir, call } = service
    await service.start()
    await service.run(
      'drop-places',
      'set',
      '--account',
      'DEMO001',
      '--url',
      `sftp://drop:secret@127.0.0.1:${peer.port}/`,
    )
    const { id } = await call('POST', '/imports', { name: 'pulled', source: { type: 'ftp', folder: '{id}' } })
    const { rows } = await database.pool.query<{ account: number }>('select account from imports')
    const account = rows[0]?.account ?? 0
    const text = 'Email\nann@pulled.example\nbob@pulled.example\n'
    const written = Date.now() - 60_000
    await mkdir(join(root, String(id)))
    await writeFile(join(root, String(id), 'people.csv'), text)
    await utimes(join(root, String(id), 'people.csv'), written / 1000, written / 1000)
    const seen = [{ name: 'people.csv', bytes: text.length, modifiedAt: written }]
    const name = `imports.pull ${id}`
    await enqueueTask(database.db, 'imports.pull', { account, import: id, seen }, { key: name, queue: name })
    await eventually(() => reads > 0, t.signal)

    const stopped = await service.end('SIGTERM')
    assert.equal(stopped.status, 0)
    const left = await readdir(join(dataDir, 'imports', String(account), String(id)))
    assert.deepEqual(left, [], 'nothing of the file is left')

    const before = reads
    await service.start()
    await eventually(() => reads > before, t.signal)
    await service.end('SIGKILL')
    released.resolve()
    const killed = performance.now()
    await service.start()
    // Asked for by name: without that, old clients are answered the last state alone.
    const executions = async (): Promise<{ state: number; created: number }[]> => {
      const headers = { 'x-key': KEY, accept: 'application/json' }
      return (await fetch(`${service.url}/imports/${id}/executions`, { headers })).json() as never
    }
    await eventually(async () => (await executions())[0]?.state === 1, t.signal)
    assert.ok(performance.now() - killed < TAKEN_UP_MS)
    assert.deepEqual(
      (await executions()).map(({ created }) => created),
      [2],
    )
  })

  test('a stop succeeds despite a slow mail server, doubtful messages are held, and an export is mailed again', async (t) => {
    const bodies: string[] = []
    const received: string[] = []
    let isSlow = true
    const sink = await startSink({
      keep: 'pass',
      behave({ stage, address }) {
        if (stage !== 'final' || !isSlow) return undefined
        bodies.push(address)
        return 'stall'
      },
      onMessage: ({ to }) => {
        if (!isSlow) received.push(...to)
      },
    })
    t.after(() => sink.close())
    const service = await prepareService(t, {
      STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none&connections=2`,
    })
    const { call } = service
    await service.start()
    await call('PUT', '/settings/sending', { testRequired: false, reportAddresses: ['desk@slow.example'] })
    const { id } = await call('POST', '/actions', {
      type: 'mailMessage',
      name: 'Slow',
      content: { subject: 'Hello', html: '<p>Come in.</p>' },
    })
    await call('POST', `/actions/${id}/validation`, { fortest: false })
    await eventually(async () => (await call('GET', `/actions/${id}`)).state === 50, t.signal)
    const people = ['ann', 'bob', 'eve'].map((person) => `${person}@slow.example`)
    await call(
      'PUT',
      '/targets',
      people.map((Email) => ({ Email })),
    )
    const recipients = people.map((value) => ({ recipient: { type: 'unicity', value: [value] } }))
    await call('POST', `/actions/${id}/executions`, recipients)
    await call('GET', `/actions/${id}/export/recipients`)
    await eventually(() => bodies.length >= 3 && bodies.includes('desk@slow.example'), t.signal)

    const stopped = await service.end('SIGTERM')
    assert.equal(stopped.status, 0)
    const doubtful = people.filter((address) => bodies.includes(address))

    await service.start()
    await eventually(() => bodies.filter((address) => address === 'desk@slow.example').length > 1, t.signal)
    await service.end('SIGKILL')
    isSlow = false
    await service.start()
    await call('GET', `/actions/${id}/export/recipients`)
    await eventually(() => received.includes('desk@slow.example'), t.signal)
    const held = await eventually(async () => {
      const list = await call('GET', `/settings/sending/held?action=${id}`)
      return received.length + list.length >= people.length + 1 && list
    }, t.signal)
    const sent = received.filter((address) => people.includes(address))
    assert.equal(held.length + sent.length, people.length, 'each is held or was sent')
    assert.deepEqual(
      sent.filter((address) => doubtful.includes(address)),
      [],
      'none in doubt is sent again',
    )
  })
})
