import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, suite, test } from 'node:test'
import { type SmppAnswer, startSmppServer } from '../../fakes/sms/smpp-server.ts'
import { prepareService } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const CONTACTS = 300
const WINDOW = 5
const SHORT_CODE = '36111'
/** ESM class of a delivery receipt (SMPP 3.4, 5.2.12). */
const RECEIPT = 0x04

const numberOf = (n: number): string => `+336030${String(n).padStart(5, '0')}`

/** What the message centre does with the next submissions; set by the test. */
let next: (taken: number) => SmppAnswer = () => undefined
const smsc = await startSmppServer({
  credentials: { systemId: 'shop', password: 'quiet' },
  window: WINDOW,
  behave: ({ kind }) => (kind === 'submit' ? next(smsc.submitted.length) : undefined),
})
after(() => smsc.close())
const gateway = {
  name: 'smpp-fr',
  kind: 'sms-smpp',
  channel: 'sms',
  url: `smpp://shop:quiet@127.0.0.1:${smsc.port}?window=${WINDOW}`,
}
const gatewaysFile = join(await mkdtemp(join(tmpdir(), 'stentor-sms-')), 'gateways.json')
await writeFile(gatewaysFile, JSON.stringify([gateway]))
after(() => rm(dirname(gatewaysFile), { recursive: true }))
const { database, start, kill, call } = await prepareService(
  { after },
  { STENTOR_SENDER_THREADS: '2', STENTOR_GATEWAYS_FILE: gatewaysFile },
)

/** Delivers over whichever bind stands, until it is stored. */
async function deliver(what: Parameters<typeof smsc.deliver>[0]): Promise<void> {
  await eventually(async () => (await smsc.deliver(what)) === 0)
}

function receiptOf(messageId: string, state: string, error: string): Buffer {
  const dates = 'submit date:2601010000 done date:2601010000'
  return Buffer.from(`id:${messageId} sub:001 dlvrd:001 ${dates} stat:${state} err:${error} text:`)
}

interface Event {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any event.
  source: { detail: any }
}

let action = ''

/** The campaign's events of a type; of replies those that stop, or do not. */
async function events(type: string, replied?: 'stop' | 'other'): Promise<Event[]> {
  const list: Event[] = await call('GET', `/actions/${action}/events`)
  return list.filter((one) => one.type === type && (!replied || one.source.detail.reply.type === replied))
}

suite('an SMS campaign over SMPP', () => {
  test('with broken connections and a killed process, no message is lost or sent twice, and doubtful ones are held', async () => {
    await start()
    await call('POST', '/fields', { type: 'phone', name: 'Handy' })
    const people = Array.from({ length: CONTACTS }, (_, n) => ({ Email: `p${n}@sms.example`, Handy: numberOf(n) }))
    await call('PUT', '/targets', people)
    await call('PUT', '/settings/sending', { testRequired: false })
    const fields: { id: number; name: string }[] = await call('GET', '/fields')
    const field = fields.find(({ name }) => name === 'Handy')?.id
    const segment = await call('POST', '/segments', { type: 'static', name: 'All' })
    const unicities = people.map(({ Email }) => Email)
    for (let start = 0; start < CONTACTS; start += 50)
      await call('PUT', `/segments/${segment.id}/targets`, unicities.slice(start, start + 50))
    action = (
      await call('POST', '/actions', {
        type: 'smsCampaign',
        name: 'Sale',
        settings: { field, purpose: { type: 'service' }, sender: SHORT_CODE },
        content: { textContent: 'Hello {{ contact.Email }}' },
        scheduler: { type: 'asap', segments: { selected: [segment.id], excluded: [] } },
      })
    ).id
    const killing = Promise.withResolvers<void>()
    let [drops, isKilled] = [0, false]
    next = (taken) => {
      if (taken === [40, 80][drops]) return drops++ === 0 ? 'drop' : 'take and drop'
      if (taken >= 150 && !isKilled) {
        isKilled = true
        killing.resolve()
      }
      return { status: 0, afterMs: 15 }
    }
    await call('POST', `/actions/${action}/validation`, { fortest: false })
    await killing.promise
    await kill()
    assert.ok(smsc.submitted.length < CONTACTS, 'it was killed in the middle')
    next = () => undefined
    await start()
    const { monitor } = await eventually(async () => {
      const shown = await call('GET', `/actions/${action}`)
      return shown.state === 60 && shown
    })
    const { recipients, sent, held, pending } = monitor
    assert.deepEqual([recipients, sent + held, pending], [CONTACTS, CONTACTS, 0])
    // Two broken connections and a killed process of two threads: at most their windows are in doubt.
    assert.ok(held >= 1 && held <= 4 * WINDOW, `${held} in doubt`)
    const perNumber = Map.groupBy(smsc.submitted, ({ destination }) => destination)
    for (const [number, list] of perNumber) assert.equal(list.length, 1, `${number} got ${list.length}`)
    const activations = await events('activation')
    assert.equal(activations.length, sent)
    for (const { source } of activations) {
      const { recipient, gateway } = source.detail.activation
      const taken = perNumber.get(recipient.slice(1))
      assert.deepEqual([taken?.[0]?.messageId, gateway.name], [gateway.message, 'smpp-fr'])
    }
    assert.deepEqual(smsc.faults, [])
  })

  test('receipts and STOP answers are recorded once despite broken connections and repeated deliveries', async () => {
    const activations = await events('activation')
    const sent = activations.map(({ source }) => source.detail.activation)
    const undelivered = sent.slice(0, 20)
    const stops = sent.slice(20, 40)
    const others = sent.slice(40, 45)
    for (const time of [1, 2]) {
      for (const [index, { gateway, recipient }] of sent.entries()) {
        const [state, error] = index < undelivered.length ? ['UNDELIV', '001'] : ['DELIVRD', '000']
        const octets = receiptOf(gateway.message, state!, error!)
        if (index === 100) smsc.cutAll()
        await deliver({ source: recipient.slice(1), destination: SHORT_CODE, esmClass: RECEIPT, octets })
      }
      if (time === 1) {
        for (const { recipient } of stops)
          await deliver({ source: recipient.slice(1), destination: SHORT_CODE, octets: Buffer.from('STOP') })
        for (const { recipient } of others)
          await deliver({ source: recipient.slice(1), destination: SHORT_CODE, octets: Buffer.from('Who is it') })
      }
    }
    await eventually(async () => (await inboxRows()) === 0)
    const delivered = await events('delivery')
    const bounces = await events('bounce')
    const [stopped, other] = [await events('reply', 'stop'), await events('reply', 'other')]
    assert.deepEqual(
      [delivered.length, bounces.length, stopped.length, other.length],
      [sent.length - undelivered.length, undelivered.length, stops.length, others.length],
    )
    assert.deepEqual(bounces[0]?.source.detail.bounce.status.code, { enhanced: '5.1.1', gateway: 'UNDELIV/001' })
    const listed: { origin: number }[] = await call('GET', '/targets/redlist/sms')
    assert.deepEqual([listed.length, new Set(listed.map(({ origin }) => origin))], [stops.length, new Set([6])])
    assert.deepEqual(smsc.faults, [])
  })
})

/** How many reports wait for their event. */
async function inboxRows(): Promise<number | undefined> {
  const { rows } = await database.pool.query<{ n: number }>('select count(*)::integer as n from sms_inbox')
  return rows[0]?.n
}
