import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { type PreparedService, prepareService, startSenders } from '../../support/processes/process.ts'
import { limit } from '../../support/stages/pressure.ts'
import { eventually } from '../../support/wait.ts'

const SENDERS = 4

/** An action that a rule of so many messages in 7 days holds for, and a contact. */
async function prepared({ call }: Pick<PreparedService, 'call'>, count: number) {
  await call('PUT', '/settings/sending', { testRequired: false })
  const predicate = { type: 'and', expressions: [limit(count)] }
  await call('POST', '/marketing/pressure/rules', { label: 'A few a week', predicate })
  const { id: contact } = await call('POST', '/targets', { Email: 'ann@pressed.example' })
  const content = { subject: 'Hello', html: '<p>Come in.</p>' }
  const { id } = await call('POST', '/actions', { type: 'mailMessage', name: 'Sale', content })
  await call('POST', `/actions/${id}/validation`, { fortest: false })
  return { action: id as string, recipient: { type: 'id', value: contact as string } }
}

test('of 100 simultaneous executions over 4 sender processes, pressure lets 3 be sent and cancels 97', async (t) => {
  const received: string[] = []
  const sink = await startSink({ keep: 'pass', onMessage: ({ to }) => void received.push(...to) })
  t.after(() => sink.close())
  const settings = { STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none` }
  const service = await prepareService(t, settings)
  const { database, call } = service
  await service.start()
  const { action, recipient } = await prepared(service, 3)
  const { dataDir } = service
  const endSenders = await startSenders(
    t,
    { ...settings, STENTOR_DATABASE_URL: database.url, STENTOR_DATA_DIR: dataDir },
    SENDERS - 1,
  )
  await Promise.all(Array.from({ length: 100 }, () => call('POST', `/actions/${action}/execution`, { recipient })))
  const outcomes = async () => {
    const { rows } = await database.pool.query<{ outcome: string; n: number }>(
      'select outcome, count(*)::integer as n from sent_messages group by outcome order by outcome',
    )
    return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]))
  }
  await eventually(async () => Object.values(await outcomes()).reduce((sum, n) => sum + n, 0) === 100, t.signal)
  await endSenders()
  assert.deepEqual(await outcomes(), { accepted: 3, cancelled: 97 })
  assert.equal(received.length, 3)
  const { rows } = await database.pool.query<{ type: string; n: number }>(
    `select detail #>> '{cancellation,type}' as type, count(*)::integer as n from events where kind = 'cancellations' group by 1`,
  )
  assert.deepEqual(rows, [{ type: 'marketing pressure', n: 97 }])
})

/** A mail server that says nothing until it is told to: then it passes connections on. */
async function startMuteServer(t: TestContext, port: number) {
  const open = new Set<Socket>()
  let isMute = true
  let asked = 0
  const server = createServer((socket) => {
    open.add(socket.on('error', () => undefined))
    asked++
    if (isMute) return
    const beyond = connect(port, '127.0.0.1').on('error', () => socket.destroy())
    open.add(beyond)
    socket.pipe(beyond).pipe(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    asked: () => asked,
    speak: () => {
      isMute = false
    },
  }
}

test('a message whose sender is killed between decision and handover is sent after the restart and counted once', async (t) => {
  const received: string[] = []
  const sink = await startSink({ keep: 'pass', onMessage: ({ to }) => void received.push(...to) })
  t.after(() => sink.close())
  const mute = await startMuteServer(t, sink.port)
  const service = await prepareService(t, { STENTOR_SMTP_URL: `smtp://127.0.0.1:${mute.port}?tls=none` })
  const { database, call } = service
  await service.start()
  const { action, recipient } = await prepared(service, 1)
  const counted = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ n: number }>(
      'select coalesce(sum(b & 16383), 0)::integer as n from pressure_counters, unnest(buckets) as b',
    )
    return rows[0]!.n
  }
  await call('POST', `/actions/${action}/execution`, { recipient })
  await eventually(async () => mute.asked() > 0 && (await counted()) === 1, t.signal)
  await service.kill()
  mute.speak()
  await service.start()
  await eventually(() => received.length === 1, t.signal)
  await eventually(async () => {
    const { rows } = await database.pool.query<{ outcome: string }>('select outcome from sent_messages')
    return rows[0]?.outcome === 'accepted'
  }, t.signal)
  assert.equal(await counted(), 1)
})
