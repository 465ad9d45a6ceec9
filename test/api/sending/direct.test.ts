import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { mergeDestinationTable } from '../../../src/gateways/smtp-direct/destinations-file.ts'
import { openSmtpDirectGateway } from '../../../src/gateways/smtp-direct/direct.ts'
import { readSmtpDirectSettings } from '../../../src/gateways/smtp-direct/settings.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { createMailDnsResolver } from '../../../src/lib/net/dns.ts'
import { startSendingBatch } from '../../../src/sending/senders/sender.ts'
import { startDnsServer } from '../../fakes/mail/dns-server.ts'
import { type SinkEvent, startSink } from '../../fakes/mail/smtp-sink.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { call, clock, context, contact, sender } = stage

/** What one server says at RCPT; undefined: it takes the mail. */
let refusal: { code: number; text: string } | 'stall' | undefined
const behave = ({ stage: at }: SinkEvent) => (at === 'rcpt' ? refusal : undefined)
const odd = await startSink({ host: '127.0.0.2', behave })
const good = await startSink({ host: '127.0.0.3', port: odd.port })
const server = await startDnsServer({
  'odd.example': { mx: ['mx.odd.example'] },
  'mx.odd.example': { a: ['127.0.0.2'] },
  'good.example': { mx: ['mx.good.example'] },
  'mx.good.example': { a: ['127.0.0.3'] },
  'null.example': { mx: [['.', 0]] },
})
const replies = [{ pattern: '^4.*go away', verdict: 'suspend', minutes: 10 }]
const gateway = openSmtpDirectGateway(
  'direct',
  readSmtpDirectSettings({ allowPrivate: true, tls: 'none', mtaSts: false, port: odd.port }),
  {
    clock,
    dns: createMailDnsResolver([server.address]),
    table: mergeDestinationTable({
      destinations: [{ name: 'odd', hosts: ['odd.example'], connections: 1, rate: 1000, replies }],
    }),
    fetchPolicy: () => Promise.reject(new Error('none')),
  },
)
after(async () => {
  await gateway.close(50)
  await Promise.all([odd.close(), good.close(), server.close()])
})

const action = await stage.validated(await stage.action())
sender.gateways.gatewayOf = async () => gateway

async function queueFor(...addresses: string[]): Promise<void> {
  const items = await Promise.all(
    addresses.map(async (address) => ({ recipient: { type: 'id', value: await contact(address) } })),
  )
  const { status, text } = await call('POST', `/actions/${action}/executions`, { body: items })
  assert.ok(status < 300, text)
}

const waiting = () =>
  context.db.selectFrom('messages').select(['destination', 'attempts', 'state']).orderBy('id').execute()

const tos = (sink: typeof odd) => sink.messages.map(({ to }) => to[0]).sort()

suite('messages sent directly to mail servers', () => {
  test('reach the servers of their domains, and bounce where no server accepts mail', async () => {
    await queueFor('a@odd.example', 'b@good.example', 'c@null.example')
    await stage.sendDue()
    assert.deepEqual([tos(odd), tos(good)], [['a@odd.example'], ['b@good.example']])
    const { body } = await call('GET', `/actions/${action}/events/bounces`)
    assert.deepEqual(body.length, 1)
    assert.match(JSON.stringify(body[0]), /5\.1\.10/)
    assert.deepEqual(await waiting(), [])
  })

  test('wait untried for a destination that defers, and delay nothing else', async () => {
    refusal = { code: 451, text: '4.7.1 go away' }
    await queueFor('d@odd.example')
    await stage.sendDue()
    refusal = undefined
    await queueFor('e@odd.example', 'f@good.example', 'g@odd.example')
    await stage.sendDue()
    assert.deepEqual(tos(good), ['b@good.example', 'f@good.example'])
    assert.deepEqual(await waiting(), [
      { destination: 'odd', attempts: 1, state: 'queued' },
      { destination: 'odd', attempts: 0, state: 'queued' },
      { destination: 'odd', attempts: 0, state: 'queued' },
    ])
    clock.advance(15 * 60_000)
    for (let turn = 0; turn < 20 && (await waiting()).length > 0; turn++) {
      await stage.sendDue()
      clock.advance(5000)
    }
    assert.deepEqual(
      tos(odd),
      ['a', 'd', 'e', 'g'].map((name) => `${name}@odd.example`),
    )
  })

  test('leave the sender free for the next batch while one server does not reply', async () => {
    refusal = 'stall'
    await queueFor('h@odd.example', 'i@good.example')
    const batch = await startSendingBatch(sender, outboxLanes.transactional, 100)
    assert.equal(batch?.claimed, 2)
    await batch?.handedOver
    await queueFor('j@good.example')
    assert.equal(await stage.sendDue(), 1)
    assert.ok(tos(good).includes('j@good.example'))
    // Cut off before it was begun, the message goes to another connection, which gets this reply.
    refusal = { code: 452, text: '4.2.2 mailbox full' }
    odd.cutAll()
    await batch?.ended
    await eventually(async () => !(await waiting()).some(({ state }) => state === 'claimed'))
    assert.deepEqual(await waiting(), [{ destination: 'odd', attempts: 1, state: 'queued' }])
  })
})
