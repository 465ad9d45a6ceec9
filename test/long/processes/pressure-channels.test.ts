import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createWebhookSecret } from '../../../src/lib/crypto/webhook-signature.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { makeAuthority } from '../../fakes/push/push-certificates.ts'
import { startHttpPeer } from '../../fakes/push/push-peer-http.ts'
import { startSmppServer } from '../../fakes/sms/smpp-server.ts'
import { type PreparedService, prepareService, startSenders } from '../../support/processes/process.ts'
import { limit } from '../../support/stages/pressure.ts'
import { eventually } from '../../support/wait.ts'

const SENDERS = 4
const SENDS = 100
const DEVICES = 2

/** A mail server, a message centre and a receiver of pushes, with what they have taken. */
async function startServices(t: TestContext) {
  const mails: string[] = []
  const sink = await startSink({ keep: 'pass', onMessage: ({ to }) => void mails.push(...to) })
  t.after(() => sink.close())
  const smsc = await startSmppServer({ credentials: { systemId: 'shop', password: 'quiet' } })
  t.after(() => smsc.close())
  const authority = makeAuthority()
  const secret = createWebhookSecret()
  const pushes = await startHttpPeer({ tls: authority.server(), secret })
  t.after(() => pushes.close())
  const directory = await mkdtemp(join(tmpdir(), 'stentor-pressure-'))
  t.after(() => rm(directory, { recursive: true }))
  const files = { gateways: join(directory, 'gateways.json'), authority: join(directory, 'ca.pem') }
  const gateways = [
    { name: 'relay', kind: 'smtp', channel: 'email', url: `smtp://127.0.0.1:${sink.port}?tls=none` },
    { name: 'smpp-fr', kind: 'sms-smpp', channel: 'sms', url: `smpp://shop:quiet@127.0.0.1:${smsc.port}` },
  ]
  await writeFile(files.gateways, JSON.stringify(gateways))
  await writeFile(files.authority, authority.certificate)
  return {
    taken: () => ({ email: mails.length, sms: smsc.submitted.length, notification: pushes.requests.length }),
    provider: { type: 'http', url: `${pushes.url}/pushes`, secret },
    settings: {
      STENTOR_GATEWAYS_FILE: files.gateways,
      STENTOR_OUTGOING_ALLOW: pushes.host,
      NODE_EXTRA_CA_CERTS: files.authority,
    },
  }
}

/** Somebody with an address, a number and devices, and where each channel asks for a message. */
async function prepared({ call }: PreparedService, provider: object) {
  await call('PUT', '/settings/sending', { testRequired: false })
  const { id: field } = await call('POST', '/fields', { type: 'phone', name: 'Mobile' })
  const person = { Email: 'ann@pressed.example', Mobile: '+33601020304' }
  const { id: contact } = await call('POST', '/targets', person)
  const action = async (body: object) => {
    const { id } = await call('POST', '/actions', { name: 'Sale', ...body })
    await call('POST', `/actions/${id}/validation`, { fortest: false })
    return `/actions/${id}/execution`
  }
  const mail = await action({ type: 'mailMessage', content: { subject: 'Hello', html: '<p>Come in.</p>' } })
  const settings = { sender: 'SHOP', field }
  const text = await action({ type: 'smsMessage', settings, content: { textContent: 'Sale. STOP 36180' } })
  const app = await call('POST', '/parameters/applications', { name: 'Orchard app', providers: [provider] })
  await call('POST', `/parameters/applications/${app.id}/activation`)
  const owner = { type: 'id', value: contact }
  for (let n = 0; n < DEVICES; n++) {
    const device = { application: app.id, provider: { type: 'http', token: randomUUID() }, contact: owner }
    await call('PUT', '/subscriptions', { id: randomUUID(), ...device })
  }
  const versions = [{ master: true, content: { title: 'Sale', body: 'Come in.' } }]
  const push = { type: 'push-app', name: 'Sale', settings: { application: app.id }, versions }
  const { id } = await call('POST', '/notifications', push)
  await call('POST', `/notifications/${id}/activation`)
  return { contact: contact as string, paths: [mail, text, `/notifications/${id}/execution`] }
}

test('of 100 simultaneous executions over 4 sender processes and 3 channels, pressure lets 3 be sent and cancels 97', async (t) => {
  const { taken, provider, settings } = await startServices(t)
  const service = await prepareService(t, settings)
  const { database, call, dataDir } = service
  await service.start()
  const { contact, paths } = await prepared(service, provider)
  const predicate = { type: 'and', expressions: [limit(3)] }
  await call('POST', '/marketing/pressure/rules', { label: 'A few a week', predicate })
  const own = { ...settings, STENTOR_DATABASE_URL: database.url, STENTOR_DATA_DIR: dataDir }
  const endSenders = await startSenders(t, own, SENDERS - 1)
  const recipient = { type: 'id', value: contact }
  await Promise.all(Array.from({ length: SENDS }, (_, n) => call('POST', paths[n % paths.length]!, { recipient })))
  const outcomes = async () => {
    const { rows } = await database.pool.query<{ channel: string; outcome: string; n: number }>(
      'select channel, outcome, count(*)::integer as n from sent_messages group by channel, outcome',
    )
    return rows
  }
  const sum = (list: readonly { n: number }[]) => list.reduce((total, { n }) => total + n, 0)
  await eventually(async () => sum(await outcomes()) === SENDS, t.signal)
  await endSenders()
  const ended = Object.groupBy(await outcomes(), ({ outcome }) => outcome)
  assert.deepEqual(
    Object.entries(ended)
      .map(([outcome, list]) => [outcome, sum(list!)])
      .sort(),
    [
      ['accepted', 3],
      ['cancelled', 97],
    ],
  )
  const sent = (channel: string) => sum((ended['accepted'] ?? []).filter((one) => one.channel === channel))
  assert.deepEqual(taken(), { email: sent('email'), sms: sent('sms'), notification: sent('notification') * DEVICES })
  const { rows } = await database.pool.query<{ type: string; n: number }>(
    `select detail #>> '{cancellation,type}' as type, count(*)::integer as n from events where kind = 'cancellations' group by 1`,
  )
  assert.deepEqual(rows, [{ type: 'marketing pressure', n: 97 }])
  const [standing] = await call('GET', `/targets/${contact}/pressure`)
  assert.deepEqual([standing.count, standing.remaining], [3, 0])
})
