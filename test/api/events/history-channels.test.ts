import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { Value } from 'typebox/value'
import { PublishedEventRecord } from '../../../src/features/events/event-schemas.ts'
import { eventListScopes, expandEventLists } from '../../../src/features/events/history/scopes.ts'
import {
  type EventChannel,
  type EventKind,
  eventChannels,
  eventKindTable,
  toEventType,
} from '../../../src/features/events/kinds/event-kinds.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import type { NewEvent } from '../../../src/features/events/record/new-event.ts'
import { createUuidV7, formatActionId, formatContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'

const { call, context, own, other } = await startHarness()
const { db } = context
const { account } = own

interface Shown {
  id: string
  type: string
  timestamp: number
  source: { type: EventChannel; detail: { activation?: { stamp: { id: string } }; execution?: object } }
}

async function read(url: string): Promise<Shown[]> {
  const answer = await call('GET', url)
  assert.equal(answer.status, 200, `${url}: ${answer.text}`)
  return answer.body
}

const [{ id: field } = { id: 0 }] = await db.selectFrom('fields').select('id').where('account', '=', account).execute()

async function makeContact(address: string): Promise<number> {
  const { body } = await call('POST', '/targets', { body: { [field]: address } })
  return Number.parseInt(body.id, 36)
}

async function makeAction(type: 'mailMessage' | 'smsMessage'): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
    select ${account}, ${type}, 'Any', 38, 1, id, '{}', '{}', now(), now() from categories where account = ${account} limit 1
    returning id`.execute(db)
  return rows[0]!.id
}

const actions: Record<EventChannel, number | null> = {
  email: await makeAction('mailMessage'),
  sms: await makeAction('smsMessage'),
  rcs: 41,
  notification: 12,
  display: null,
}
const PHONE = '+33601020304'
const AGENT = 'shop_x1_agent'

interface Send {
  channel: EventChannel
  contact: number
  stamp: string
  thread: string
  subscription: string
}

function sendOf(channel: EventChannel, contact: number, thread?: string): Send {
  const stamp = createUuidV7(Date.now())
  return { channel, contact, stamp, thread: thread ?? stamp, subscription: createUuidV7(Date.now()) }
}

/** An event of a send, with enough detail to distinguish it. */
function eventOf({ channel, contact, stamp, thread, subscription }: Send, kind: EventKind): NewEvent {
  const type = toEventType(kind)
  const isAsked = type === 'execution' || type === 'cancellation'
  return {
    account,
    channel,
    kind,
    subject: actions[channel],
    contact,
    stamp,
    thread,
    isTest: false,
    key: null,
    detail: { ...(isAsked && { execution: { stamp: { id: stamp } } }), [type]: { stamp: { id: stamp }, of: kind } },
    ...(channel === 'notification' && { subscription }),
    ...(channel === 'rcs' && { phone: PHONE, agent: AGENT }),
  }
}

const typesAt = async (url: string) => (await read(url)).map(({ type }) => type)

suite('events of every channel and kind', () => {
  test('each list contains exactly the kinds and channels of its row', async () => {
    const contact = await makeContact('all@shop.test')
    const stored: { id: string; channel: EventChannel; kind: EventKind }[] = []
    for (const channel of eventChannels) {
      const send = sendOf(channel, contact)
      const own = eventKindTable
        .filter((row) => (row.channels as readonly EventChannel[]).includes(channel))
        .map(({ kind }) => kind)
      const written = await appendEvents(
        db,
        own.map((kind) => eventOf(send, kind)),
      )
      stored.push(...own.map((kind, n) => ({ id: written[n]!.id, channel, kind })))
    }
    const wire = formatContactId(contact)
    const ids: { [subject: string]: string } = {
      none: '',
      action: formatActionId(actions.email!),
      contact: wire,
      contactQuery: '',
    }
    let checked = 0
    for (const { path, scope, kinds: held } of eventListScopes.flatMap(expandEventLists)) {
      const id = ids[scope.subject]
      if (id === undefined) continue
      const query = scope.subject === 'contactQuery' ? `id=${wire}&` : ''
      const found = await read(`${path.replace(':id', id)}?${query}classification=all`)
      const wanted = stored
        .filter(({ kind, channel }) => held.includes(kind) && scope.channels.includes(channel))
        .filter(({ channel }) => scope.subject !== 'action' || channel === 'email')
      assert.deepEqual(
        found.map((event) => event.id),
        wanted.map((event) => event.id).toSorted(),
        path,
      )
      for (const event of found) {
        if (scope.view === 'reactivities') assert.ok(event.source.detail.activation, path)
        assert.ok(Value.Check(PublishedEventRecord, event), path)
        const kind = wanted.find((one) => one.id === event.id)?.kind
        assert.ok(kind && event.type === toEventType(kind), path)
        assert.equal(event.timestamp, Number.parseInt(event.id.replace('-', '').slice(0, 12), 16))
      }
      checked++
    }
    assert.equal(checked, 12 * 2 + 10 * 2 + 8 + 5 + 6 + 5 + 11 + 9 + 2)
  })

  test('a contact with a message on each channel has five activations in a stable order', async () => {
    const contact = await makeContact('five@shop.test')
    for (const channel of eventChannels) await appendEvents(db, [eventOf(sendOf(channel, contact), 'activations')])
    const path = `/targets/${formatContactId(contact)}/events/activations`
    // Those of one millisecond may stand in any order, which is the same in every list.
    const order = (await read(path)).map(({ source }) => source.type)
    assert.deepEqual(order.toSorted(), eventChannels.toSorted())
    const paged: string[] = []
    for (let next: string | undefined = `${path}?sort=desc&limit=2`; next !== undefined; ) {
      const { body, headers } = await call('GET', next)
      paged.push(...body.map(({ source }: Shown) => source.type))
      next = /<(.+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1]
    }
    assert.deepEqual(paged, order.toReversed())
  })

  test('the history of a contact survives a change of its unicity', async () => {
    const contact = await makeContact('before@shop.test')
    await appendEvents(db, [eventOf(sendOf('email', contact), 'activations')])
    const id = formatContactId(contact)
    const changed = await call('PUT', `/targets/${id}`, { body: { [field]: 'after@shop.test' } })
    assert.equal(changed.status, 200, changed.text)
    for (const query of [`id=${id}`, 'unicity=after@shop.test']) {
      assert.equal((await read(`/targets/events?${query}`)).length, 1, query)
    }
    assert.equal((await call('GET', '/targets/events?unicity=before@shop.test')).status, 404)
  })

  test('a deleted contact is 404, and its action keeps its history', async () => {
    const contact = await makeContact('gone@shop.test')
    const send = sendOf('email', contact)
    await appendEvents(db, [eventOf(send, 'activations')])
    const id = formatContactId(contact)
    assert.ok((await call('DELETE', `/targets/${id}`)).status < 300)
    for (const path of [
      `/targets/${id}/events`,
      `/targets/events?id=${id}`,
      '/targets/events?unicity=gone@shop.test',
    ]) {
      assert.equal((await call('GET', path)).status, 404, path)
    }
    const kept = await read(`/actions/${formatActionId(actions.email!)}/events/activations`)
    assert.ok(kept.some(({ source }) => source.detail.activation?.stamp.id === send.stamp))
  })
})

suite('RCS events', () => {
  const path = '/channel/rcs/actions/events'

  test('a stamp returns the whole message and a thread the whole conversation, whatever the other parameters', async () => {
    const contact = await makeContact('rcs@shop.test')
    const [first, second] = [sendOf('rcs', contact), sendOf('rcs', contact)]
    second.thread = first.thread
    const message = ['executions', 'activations', 'deliveries', 'interactions/read'] as const
    // In one append, which orders them by kind: those of several within a millisecond have no order.
    await appendEvents(
      db,
      [first, second].flatMap((send) => message.map((kind) => eventOf(send, kind))),
    )
    // The same stamp on another channel is none of it.
    await appendEvents(db, [
      eventOf({ ...sendOf('sms', contact), stamp: first.stamp, thread: first.thread }, 'responses/stop'),
    ])
    const types = ['execution', 'activation', 'delivery', 'interaction']
    assert.deepEqual(await typesAt(`${path}/stamp?id=${first.stamp}`), types)
    assert.deepEqual(await typesAt(`${path}/stamp?id=${first.stamp}&start=2999-01-01&sort=desc&limit=1`), types)
    assert.deepEqual(
      await typesAt(`${path}/stamp?thread=${first.thread}`),
      types.flatMap((type) => [type, type]),
    )
    assert.deepEqual((await call('GET', `${path}/stamp?id=${first.stamp}`, { key: other.key })).body, [])
  })

  test('a lookup returns the events of a phone and agent, newest first, and of one type on request', async () => {
    const contact = await makeContact('lookup@shop.test')
    const send = sendOf('rcs', contact)
    const own = (kind: EventKind): NewEvent => ({ ...eventOf(send, kind), phone: '+33699999999', agent: 'a' })
    const history = ['executions', 'activations', 'deliveries', 'interactions/read', 'responses/stop'] as const
    await appendEvents(db, history.map(own))
    const lookup = `${path}/lookup?phone=%2B33699999999&agent=a`
    const newest = ['reply', 'interaction', 'delivery', 'activation', 'execution']
    assert.deepEqual(await typesAt(lookup), newest)
    for (const type of newest) assert.deepEqual(await typesAt(`${lookup}&type=${type}`), [type])
    assert.deepEqual(await typesAt(`${lookup}&type=bounce`), [])
    assert.deepEqual(await typesAt(`${lookup}&sort=asc`), newest)
    assert.deepEqual(await typesAt(lookup.replace('agent=a', 'agent=b')), [])
    const [, middle] = await read(lookup)
    assert.deepEqual((await typesAt(`${lookup}&start=${middle!.timestamp}`)).slice(0, 2), newest.slice(0, 2))
    assert.equal((await typesAt(`${lookup}&limit=2`)).length, 2)
  })

  test('interactions by machines are shown only on request, in lists, by stamp and in the lookup', async () => {
    const contact = await makeContact('machine@shop.test')
    const send = sendOf('rcs', contact)
    const robot = { ...eventOf(send, 'interactions/redirection'), classification: 'genericrobot', agent: 'm' } as const
    await appendEvents(db, [{ ...eventOf(send, 'activations'), agent: 'm' }])
    await appendEvents(db, [robot])
    const lists = [
      `${path}?`,
      `${path}/interactions?`,
      `${path}/stamp?id=${send.stamp}&`,
      `${path}/lookup?phone=${encodeURIComponent(PHONE)}&agent=m&`,
      '/channel/rcs/actions/reactivities?',
    ]
    for (const list of lists) {
      const machines = async (query: string) =>
        (await read(list + query))
          .filter(({ source }) => source.detail.activation?.stamp.id === send.stamp)
          .filter(({ type }) => type === 'interaction').length
      assert.deepEqual([await machines(''), await machines('classification=all')], [0, 1], list)
    }
  })
})

suite('events of notifications', () => {
  test('a reaction embeds the activation of its own subscription', async () => {
    const contact = await makeContact('push@shop.test')
    const first = sendOf('notification', contact)
    const second = { ...first, subscription: createUuidV7(Date.now()) }
    const activation = (send: Send): NewEvent => ({
      ...eventOf(send, 'activations'),
      detail: { activation: { stamp: { id: send.stamp }, subscription: send.subscription } },
    })
    await appendEvents(db, [activation(first), activation(second)])
    await appendEvents(db, [eventOf(second, 'impressions')])
    await appendEvents(db, [eventOf(first, 'hits/dismiss')])
    const embedded = (await read(`/targets/${formatContactId(contact)}/events`))
      .filter(({ type }) => type !== 'activation')
      .map(({ source }) => (source.detail.activation as { subscription?: string } | undefined)?.subscription)
    assert.deepEqual(embedded, [second.subscription, first.subscription])
  })
})
