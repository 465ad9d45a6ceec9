import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseActionId } from '../../../src/lib/ids.ts'
import { HOUR_MS } from '../../../src/lib/time/spans.ts'
import { planCampaign } from '../../../src/sending/plan/plan-campaign.ts'
import { enqueueUnfinishedPlans } from '../../../src/sending/plan/sendings.ts'
import type { Answer } from '../../support/harness.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, gateway, action, advance, contact, get, put, segment, sendDue, settle, state, work } =
  stage

const SECOND_MS = 1000

const { body: zoneField } = await call('POST', '/fields', { body: { type: 'textField', name: 'Clock' } })
const { body: desk } = await call('POST', '/fields', { body: { type: 'email', name: 'Desk' } })
assert.equal((await call('PUT', '/settings/contacts', { body: { timeZone: 'Europe/Paris' } })).status, 200)

/** A campaign that has passed its test. */
async function tested(scheduler: object, more: object = {}): Promise<string> {
  const id = await action({ type: 'mailCampaign', scheduler, ...more })
  await put(id, { state: 38 })
  return id
}

/** A campaign that was validated for production. */
async function validated(scheduler: object, more: object = {}): Promise<string> {
  const id = await tested(scheduler, more)
  const answer = await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })
  assert.equal(answer.status, 204, answer.text)
  return id
}

/** As many contacts as asked for, and a segment of them. */
async function crowd(
  name: string,
  size: number,
): Promise<{ addresses: string[]; contacts: string[]; segment: number }> {
  const addresses = Array.from({ length: size }, (_, n) => `${name}${n}@crowd.example`)
  const contacts: string[] = []
  for (const address of addresses) contacts.push(await contact(address))
  return { addresses, contacts, segment: await segment(contacts) }
}

/** The sendings of an action. */
const sendingsOf = (id: string) =>
  context.db.selectFrom('sendings').select('id').where('source', '=', parseActionId(id)!)

/** How many messages each address has. */
function received(addresses: readonly string[]): number[] {
  return addresses.map((address) => gateway.to(address).length)
}

function total(addresses: readonly string[]): number {
  return received(addresses).reduce((sum, n) => sum + n, 0)
}

interface Cancelled {
  contact: string | null
  type: string
  value: unknown
}

async function cancellations(id: string): Promise<Cancelled[]> {
  const { body } = await call('GET', `/actions/${id}/events/cancellations`)
  return body.map(({ source: { detail } }: { source: { detail: Answer['body'] } }) => ({
    contact: detail.execution.recipient?.id ?? null,
    ...detail.cancellation,
  }))
}

/** Moves the clock on step by step, sending what is due at each; gives how many messages there were after each. */
async function steps(count: number, stepMs: number, addresses: readonly string[]): Promise<number[]> {
  const seen: number[] = []
  for (let step = 0; step < count; step++) {
    clock.advance(stepMs)
    await sendDue()
    seen.push(total(addresses))
  }
  return seen
}

suite('the start of a campaign', () => {
  test('a scheduled campaign starts at its date and not a millisecond earlier', async () => {
    clock.set('2027-01-04T07:00:00Z')
    const { addresses, segment: all } = await crowd('punctual', 1)
    const id = await validated({
      type: 'scheduled',
      startDate: '2027-01-04T09:00:00.000+01:00',
      segments: { selected: [all] },
    })
    clock.set('2027-01-04T07:59:59.999Z')
    await settle()
    assert.deepEqual([await state(id), total(addresses)], [50, 0])
    clock.set('2027-01-04T08:00:00Z')
    await settle()
    assert.deepEqual([await state(id), total(addresses)], [60, 1])
    assert.equal((await get(id)).scheduler.startDate, '2027-01-04T08:00:00.000Z')
  })

  test('a campaign that missed its start date starts at once', async () => {
    clock.set('2027-01-05T07:00:00Z')
    const { addresses, segment: all } = await crowd('missed', 1)
    const dates = { startDate: '2027-01-05T08:00:00Z', endDate: '2027-01-06T08:00:00Z' }
    const id = await validated({ type: 'scheduled', ...dates, segments: { selected: [all] } })
    clock.set('2027-01-06T07:59:00Z')
    await settle()
    assert.deepEqual([await state(id), total(addresses)], [60, 1])
    assert.deepEqual((await get(id)).monitor.started, { at: '2027-01-06T07:59:00.000Z' })
  })

  test('a campaign whose end date has passed ends with no recipients', async () => {
    clock.set('2027-01-07T07:00:00Z')
    const { addresses, segment: all } = await crowd('toolate', 1)
    const dates = { startDate: '2027-01-07T08:00:00Z', endDate: '2027-01-07T09:00:00Z' }
    const id = await validated({ type: 'scheduled', ...dates, segments: { selected: [all] } })
    clock.set('2027-01-07T09:00:00Z')
    await settle()
    assert.deepEqual([await state(id), total(addresses), (await get(id)).monitor.recipients], [60, 0, 0])
    assert.deepEqual(await cancellations(id), [])
  })
})

suite("a start in each contact's time zone", () => {
  /** A contact whose own field names its zone. */
  async function living(name: string, zone: string | undefined): Promise<string> {
    return contact(`${name}@zones.example`, zone === undefined ? {} : { Clock: zone })
  }

  /** When each of the contacts gets its message, looking every half hour. */
  async function moments(names: readonly string[], first: string, last: string): Promise<Record<string, string>> {
    const seen: Record<string, string> = {}
    for (let at = Date.parse(first); at <= Date.parse(last); at += HOUR_MS / 2) {
      clock.set(at)
      await settle()
      for (const name of names)
        if (seen[name] === undefined && gateway.to(`${name}@zones.example`).length === 1)
          seen[name] = new Date(at).toISOString()
    }
    return seen
  }

  test('contacts in Paris and Tokyo get the message at 09:00 local time', async () => {
    clock.set('2027-02-01T00:00:00Z')
    const zones = {
      paris: 'Europe/Paris',
      tokyo: 'Asia/Tokyo',
      fixed: '-03:30',
      none: undefined,
      odd: 'Elsewhere/Else',
    }
    const contacts = []
    for (const [name, zone] of Object.entries(zones)) contacts.push(await living(name, zone))
    const id = await validated({
      type: 'timeZoneSchedule',
      startDate: '2027-02-02T09:00:00.000-11:00',
      timeZoneField: zoneField.id,
      segments: { selected: [await segment(contacts)] },
    })
    const seen = await moments(Object.keys(zones), '2027-02-01T18:00:00Z', '2027-02-02T14:00:00Z')
    assert.deepEqual(seen, {
      tokyo: '2027-02-02T00:00:00.000Z',
      // Without a zone, or with an unknown one, the account's zone applies.
      paris: '2027-02-02T08:00:00.000Z',
      none: '2027-02-02T08:00:00.000Z',
      odd: '2027-02-02T08:00:00.000Z',
      fixed: '2027-02-02T12:30:00.000Z',
    })
    assert.equal(await state(id), 60)
  })

  test('a time skipped by the clock change moves forward by the gap', async () => {
    clock.set('2027-03-27T00:00:00Z')
    const contacts = [await living('gap', 'Europe/Paris'), await living('nogap', 'Africa/Lagos')]
    await validated({
      type: 'timeZoneSchedule',
      startDate: '2027-03-28T02:30:00',
      timeZoneField: zoneField.id,
      segments: { selected: [await segment(contacts)] },
    })
    const seen = await moments(['gap', 'nogap'], '2027-03-27T23:00:00Z', '2027-03-28T03:00:00Z')
    // 02:30 does not exist in Paris that day: 03:30 there is 01:30 UTC, as is 02:30 in Lagos.
    assert.deepEqual(seen, { gap: '2027-03-28T01:30:00.000Z', nogap: '2027-03-28T01:30:00.000Z' })
  })

  test('a time that occurs twice means its first occurrence', async () => {
    clock.set('2027-10-30T00:00:00Z')
    const contacts = [await living('twice', 'Europe/Paris'), await living('newyork', 'America/New_York')]
    await validated({
      type: 'timeZoneSchedule',
      startDate: '2027-10-31T02:30:00',
      timeZoneField: zoneField.id,
      segments: { selected: [await segment(contacts)] },
    })
    const seen = await moments(['twice', 'newyork'], '2027-10-30T23:00:00Z', '2027-10-31T07:00:00Z')
    assert.deepEqual(seen, { twice: '2027-10-31T00:30:00.000Z', newyork: '2027-10-31T06:30:00.000Z' })
  })

  test('a local time that has already passed is sent at once', async () => {
    clock.set('2027-02-10T03:00:00Z')
    const contacts = [await living('past', 'Asia/Tokyo'), await living('coming', 'Europe/Paris')]
    const id = await validated({
      type: 'timeZoneSchedule',
      startDate: '2027-02-10T09:00:00',
      timeZoneField: zoneField.id,
      segments: { selected: [await segment(contacts)] },
    })
    await settle()
    assert.deepEqual([received(['past@zones.example', 'coming@zones.example']), await state(id)], [[1, 0], 55])
    clock.set('2027-02-10T08:00:00Z')
    await settle()
    assert.deepEqual([received(['past@zones.example', 'coming@zones.example']), await state(id)], [[1, 1], 60])
  })

  test('applies the speed within each zone', async () => {
    clock.set('2027-02-20T03:00:00Z')
    const names = Array.from({ length: 30 }, (_, n) => `slow${n}`)
    const contacts = []
    for (const name of names) contacts.push(await living(name, 'Asia/Tokyo'))
    await validated({
      type: 'timeZoneSchedule',
      startDate: '2027-02-21T09:00:00',
      timeZoneField: zoneField.id,
      speed: 60,
      segments: { selected: [await segment(contacts)] },
    })
    // It begins with the first clock on earth, and what had a turn since then must not leave at once.
    clock.set('2027-02-20T19:00:00Z')
    await settle()
    clock.set('2027-02-20T23:59:59Z')
    await settle()
    const addresses = names.map((name) => `${name}@zones.example`)
    assert.equal(total(addresses), 0)
    clock.set('2027-02-21T00:00:00Z')
    await settle()
    assert.equal(total(addresses), 1)
    assert.deepEqual(await steps(3, 60 * SECOND_MS, addresses), [2, 3, 4])
  })
})

suite('the speed of a campaign', () => {
  test('is even from the start, with one message per interval', async () => {
    clock.set('2027-04-01T08:00:00Z')
    const { addresses, segment: all } = await crowd('even', 8)
    const id = await validated({ type: 'asap', speed: 360, segments: { selected: [all] } })
    await settle()
    assert.equal(total(addresses), 1)
    assert.deepEqual(await steps(4, 5 * SECOND_MS, addresses), [1, 2, 2, 3])
    assert.deepEqual(await steps(5, 10 * SECOND_MS, addresses), [4, 5, 6, 7, 8])
    await advance()
    assert.equal(await state(id), 60)
  })

  test('is limited only by the gateway if not set', async () => {
    clock.set('2027-04-02T08:00:00Z')
    const { addresses, segment: all } = await crowd('fast', 8)
    await validated({ type: 'asap', segments: { selected: [all] } })
    await settle()
    assert.equal(total(addresses), 8)
  })

  test('is even again after a resume, however long the pause was', async () => {
    clock.set('2027-04-03T08:00:00Z')
    const { addresses, segment: all } = await crowd('resumed', 6)
    const id = await validated({ type: 'asap', speed: 60, segments: { selected: [all] } })
    await settle()
    await call('POST', `/actions/${id}/pause`)
    clock.advance(24 * HOUR_MS + 30 * SECOND_MS)
    await settle()
    assert.equal(total(addresses), 1)
    await call('DELETE', `/actions/${id}/pause`)
    await settle()
    assert.equal(total(addresses), 2)
    assert.deepEqual(await steps(4, 30 * SECOND_MS, addresses), [2, 3, 3, 4])
  })

  test('does not catch up in a burst after the service was down', async () => {
    clock.set('2027-04-04T08:00:00Z')
    const { addresses, segment: all } = await crowd('still', 12)
    await validated({ type: 'asap', speed: 60, segments: { selected: [all] } })
    await settle()
    clock.advance(6 * 60 * SECOND_MS)
    await settle()
    assert.equal(total(addresses), 2)
    assert.deepEqual(await steps(3, 60 * SECOND_MS, addresses), [3, 4, 5])
  })

  test('is shared by any number of senders, and slows no other campaign', async () => {
    clock.set('2027-04-05T08:00:00Z')
    const [slow, other] = [await crowd('together', 10), await crowd('beside', 10)]
    await validated({ type: 'asap', speed: 60, segments: { selected: [slow.segment] } })
    await validated({ type: 'asap', segments: { selected: [other.segment] } })
    await work()
    await Promise.all([sendDue(), sendDue(), sendDue()])
    assert.deepEqual([total(slow.addresses), total(other.addresses)], [1, 10])
    clock.advance(10 * 60 * SECOND_MS)
    await Promise.all([sendDue(), sendDue(), sendDue()])
    assert.equal(total(slow.addresses), 2)
  })

  test('does not delay cancellations caused by the end date or a deletion', async () => {
    clock.set('2027-04-06T08:00:00Z')
    const [ended, deleted] = [await crowd('ended', 5), await crowd('deleted', 5)]
    const endDate = '2027-04-06T09:00:00Z'
    const first = await validated({ type: 'asap', speed: 1, endDate, segments: { selected: [ended.segment] } })
    const second = await validated({ type: 'asap', speed: 1, segments: { selected: [deleted.segment] } })
    await settle()
    await call('POST', `/actions/${second}/pause`)
    assert.equal((await call('DELETE', `/actions/${second}`)).status, 204)
    clock.set(endDate)
    await settle()
    assert.deepEqual([total(ended.addresses), total(deleted.addresses)], [1, 1])
    const { state: reached, monitor } = await get(first)
    assert.deepEqual([reached, monitor.sent, monitor.cancelled, monitor.pending], [60, 1, 4, 0])
    const left = await context.db
      .selectFrom('messages')
      .select('id')
      .where('sending', 'in', sendingsOf(second))
      .execute()
    assert.deepEqual(left, [])
  })

  test('includes retries, which are not left behind', async () => {
    clock.set('2027-04-07T08:00:00Z')
    const { addresses, segment: all } = await crowd('again', 20)
    gateway.plan(addresses[0]!, { result: 'deferred', code: 451, reply: '451 4.7.1 later' }, { result: 'accepted' })
    await validated({ type: 'asap', speed: 360, segments: { selected: [all] } })
    await settle()
    await steps(4, 10 * SECOND_MS, addresses)
    assert.equal(received(addresses)[0], 1)
    assert.ok(total(addresses) < 6)
  })

  test('leaves a message four days of retries, however late its turn was', async () => {
    clock.set('2027-04-10T08:00:00Z')
    const { addresses, segment: all } = await crowd('patient', 6)
    gateway.plan(addresses[5]!, { result: 'deferred', code: 451, reply: '451 4.7.1 later' }, { result: 'accepted' })
    const id = await validated({ type: 'asap', speed: 1, segments: { selected: [all] } })
    await settle()
    await call('POST', `/actions/${id}/pause`)
    clock.advance(10 * 24 * HOUR_MS)
    await call('DELETE', `/actions/${id}/pause`)
    await settle()
    await steps(6, HOUR_MS, addresses)
    assert.deepEqual(
      received(addresses),
      addresses.map(() => 1),
    )
    assert.deepEqual((await call('GET', `/actions/${id}/events/bounces`)).body, [])
  })
})

suite('the end of a campaign', () => {
  test('messages left when endDate passes expire, and the state is 60', async () => {
    clock.set('2027-05-01T08:00:00Z')
    const { addresses, contacts, segment: all } = await crowd('left', 4)
    const endDate = '2027-05-01T08:01:30Z'
    const id = await validated({ type: 'asap', speed: 60, endDate, segments: { selected: [all] } })
    await settle()
    clock.advance(60 * SECOND_MS)
    await settle()
    clock.set(endDate)
    await settle()
    const { state: reached, monitor } = await get(id)
    assert.deepEqual([reached, monitor.sent, monitor.cancelled], [60, 2, 2])
    assert.deepEqual(received(addresses), [1, 1, 0, 0])
    const expired = { type: 'expired', value: { at: '2027-05-01T08:01:30.000Z' } }
    assert.deepEqual(
      (await cancellations(id)).sort((a, b) => String(a.contact).localeCompare(String(b.contact))),
      [contacts[2], contacts[3]].map((one) => ({ contact: one, ...expired })),
    )
  })

  test('takes effect at the instant of endDate, even within a running batch', async () => {
    clock.set('2027-05-02T08:00:00Z')
    const { addresses, segment: all } = await crowd('midway', 6)
    const endDate = '2027-05-02T09:00:00Z'
    const id = await validated({ type: 'asap', endDate, segments: { selected: [all] } })
    await work()
    await whileSending(async () => {
      if (total(addresses) === 2) clock.set(endDate)
    }, sendDue)
    await advance()
    const { state: reached, monitor } = await get(id)
    assert.deepEqual([total(addresses), reached, monitor.sent, monitor.cancelled], [2, 60, 2, 4])
  })

  test('takes effect even if a proof of the action is still waiting', async () => {
    clock.set('2027-05-03T08:00:00Z')
    const { segment: all } = await crowd('proofed', 1)
    const id = await action({ type: 'mailCampaign', scheduler: { type: 'asap', segments: { selected: [all] } } })
    gateway.down = 'nobody there'
    await call('POST', `/actions/${id}/validation`, { body: { fortest: true, mediaForTest: 'proof@desk.example' } })
    await work()
    gateway.down = undefined
    await put(id, { state: 38 })
    await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })
    await work()
    await context.db
      .updateTable('messages')
      .set({ not_before: new Date(clock.now() + HOUR_MS) })
      .where('sending', 'in', sendingsOf(id))
      .where('kind', '=', 'test')
      .execute()
    await settle()
    assert.equal(await state(id), 60)
  })
})

/** Has something done before each message that the gateway takes, while `work` sends. */
async function whileSending(before: () => Promise<void>, sending: () => Promise<unknown>): Promise<void> {
  const { gateways } = stage.sender
  const slow: typeof gateway = {
    ...gateway,
    async send(batch, listener) {
      let taken = 0
      for (const message of batch) {
        taken += (await gateway.send([message], listener)).taken
        await before()
      }
      return { taken }
    },
  }
  stage.sender.gateways = { ...gateways, gatewayOf: async () => slow }
  try {
    await sending()
  } finally {
    stage.sender.gateways = gateways
  }
}

suite('a paused campaign', () => {
  test('stops within a second in mid-batch, and on resume everyone gets exactly one message', async () => {
    clock.set('2027-06-01T08:00:00Z')
    const { addresses, segment: all } = await crowd('paused', 40)
    const id = await validated({ type: 'asap', segments: { selected: [all] } })
    await work()
    let [isPaused, atPause] = [false, 0]
    await whileSending(async () => {
      // A gateway that takes twenty messages a second.
      if (isPaused) return new Promise((resolve) => setTimeout(resolve, 50))
      if (total(addresses) < 3) return
      assert.equal((await call('POST', `/actions/${id}/pause`)).status, 204)
      ;[isPaused, atPause] = [true, total(addresses)]
    }, sendDue)
    assert.equal(atPause, 3)
    assert.ok(total(addresses) <= 3 + 20, `${total(addresses) - 3} went out after it`)
    clock.advance(HOUR_MS)
    const then = total(addresses)
    await settle()
    assert.deepEqual([total(addresses), await state(id)], [then, 55])
    assert.equal((await call('DELETE', `/actions/${id}/pause`)).status, 204)
    await settle()
    assert.deepEqual([received(addresses), await state(id)], [addresses.map(() => 1), 60])
    assert.deepEqual([(await get(id)).monitor.sent, (await get(id)).monitor.cancelled], [40, 0])
  })

  test('still ends at endDate', async () => {
    clock.set('2027-06-02T08:00:00Z')
    const { addresses, segment: all } = await crowd('running', 2)
    const id = await validated({ type: 'asap', endDate: '2027-06-02T09:00:00Z', segments: { selected: [all] } })
    await work()
    await call('POST', `/actions/${id}/pause`)
    clock.set('2027-06-02T09:00:00Z')
    await advance()
    await settle()
    assert.deepEqual([total(addresses), await state(id), (await cancellations(id)).length], [0, 60, 2])
  })

  test('can be paused before its audience is planned', async () => {
    clock.set('2027-06-03T08:00:00Z')
    const { addresses, segment: all } = await crowd('early', 2)
    const id = await validated({ type: 'asap', segments: { selected: [all] } })
    await call('POST', `/actions/${id}/pause`)
    await settle()
    assert.deepEqual([total(addresses), await state(id)], [0, 55])
    await call('DELETE', `/actions/${id}/pause`)
    await settle()
    assert.deepEqual([total(addresses), await state(id)], [2, 60])
  })
})

suite('the audience of a campaign', () => {
  test('two segments can be excluded and a third is refused', async () => {
    const segments = [await segment([]), await segment([]), await segment([])]
    const body = (excluded: number[]) => ({
      type: 'mailCampaign',
      name: 'Three',
      scheduler: { segments: { excluded } },
    })
    const answer = await call('POST', '/actions', { body: body(segments) })
    assert.deepEqual([answer.status, answer.body.errors[0].pointer], [400, '/scheduler/segments/excluded'])
    assert.equal((await call('POST', '/actions', { body: body(segments.slice(1)) })).status, 200)
  })

  test('a contact in both selected segments gets one message, one in an excluded segment none', async () => {
    clock.set('2027-07-01T08:00:00Z')
    const [both, out, gone] = [
      await contact('both@x.example'),
      await contact('out@x.example'),
      await contact('gone@x.example'),
    ]
    const selected = [await segment([both, out, gone]), await segment([both])]
    const id = await validated({ segments: { selected, excluded: [await segment([out]), await segment([gone])] } })
    await settle()
    assert.deepEqual(received(['both@x.example', 'out@x.example', 'gone@x.example']), [1, 0, 0])
    assert.deepEqual([await state(id), (await get(id)).monitor.recipients], [60, 1])
    assert.deepEqual(await cancellations(id), [])
  })

  test('a contact red-listed between snapshot and turn is cancelled as "redlist"', async () => {
    clock.set('2027-07-02T08:00:00Z')
    const { addresses, contacts, segment: all } = await crowd('turn', 2)
    const id = await validated({ speed: 60, segments: { selected: [all] } })
    await settle()
    assert.equal((await call('POST', `/targets/${contacts[1]}/redlist/mail`)).status, 204)
    clock.advance(60 * SECOND_MS)
    await settle()
    assert.deepEqual(received(addresses), [1, 0])
    assert.deepEqual(await cancellations(id), [{ contact: contacts[1], type: 'redlist', value: { channel: 'mail' } }])
    assert.equal(await state(id), 60)
  })

  test('the lowest id of several contacts with one address gets the message, the others "duplicate address"', async () => {
    clock.set('2027-07-03T08:00:00Z')
    const shared = (name: string) => contact(`${name}@dup.example`, { Desk: 'Shared@desk.example' })
    const [first, second, third] = [
      await shared('d1'),
      await shared('d2'),
      await contact('d3@dup.example', { Desk: 'shared@DESK.example' }),
    ]
    const selected = [await segment([third, second, first])]
    const id = await validated({ segments: { selected } }, { settings: { field: desk.id } })
    await settle()
    assert.equal(gateway.sent.filter(({ envelope }) => envelope.to.toLowerCase() === 'shared@desk.example').length, 1)
    const value = { contact: first }
    assert.deepEqual(
      (await cancellations(id)).sort((a, b) => String(a.contact).localeCompare(String(b.contact))),
      [second, third].map((one) => ({ contact: one, type: 'duplicate address', value })),
    )
    assert.deepEqual([await state(id), (await get(id)).monitor.sent, (await get(id)).monitor.cancelled], [60, 1, 2])
  })

  test('an address acquired by another contact before its turn gets no second message', async () => {
    clock.set('2027-07-04T08:00:00Z')
    const one = (name: string, Desk: string) => contact(`${name}@late.example`, { Desk })
    const people = [
      await one('l1', 'l1@desk.example'),
      await one('l2', 'l2@desk.example'),
      await one('l3', 'l3@desk.example'),
      await one('l4', 'l4@desk.example'),
    ]
    const id = await validated(
      { speed: 60, segments: { selected: [await segment(people)] } },
      { settings: { field: desk.id } },
    )
    await settle()
    // The second takes the address of the first; the third and the fourth a new one.
    await call('PUT', `/targets/${people[1]}`, { body: { Desk: 'L1@desk.example' } })
    for (const late of people.slice(2)) await call('PUT', `/targets/${late}`, { body: { Desk: 'new@desk.example' } })
    await steps(3, 60 * SECOND_MS, [])
    await settle()
    assert.deepEqual(received(['l1@desk.example', 'L1@desk.example', 'new@desk.example']), [1, 0, 1])
    const cancelled = await cancellations(id)
    assert.deepEqual(
      cancelled.map(({ contact: who, type, value }) => [who, type, value]).sort(),
      [
        [people[1], 'duplicate address', { contact: people[0] }],
        [people[3], 'duplicate address', { contact: people[2] }],
      ].sort(),
    )
    assert.equal(await state(id), 60)
    const left = await context.db.selectFrom('run_addresses').selectAll().execute()
    assert.deepEqual(left, [])
  })

  test('a contact deleted between snapshot and turn is "recipient not found"', async () => {
    clock.set('2027-07-05T08:00:00Z')
    const { addresses, contacts, segment: all } = await crowd('removed', 2)
    const id = await validated({ speed: 60, segments: { selected: [all] } })
    await settle()
    assert.equal((await call('DELETE', `/targets/${contacts[1]}`)).status, 204)
    clock.advance(60 * SECOND_MS)
    await settle()
    assert.deepEqual([received(addresses), (await get(id)).monitor.pending, await state(id)], [[1, 0], 0, 60])
    assert.deepEqual(
      (await cancellations(id)).map(({ type }) => type),
      ['recipient not found'],
    )
  })
})

suite('a campaign after its process dies', () => {
  /** Plans a campaign, two contacts at once, with a process that dies behind so many slices. */
  async function planned(id: string, slices = Number.POSITIVE_INFINITY): Promise<void> {
    const { sending } = await context.db
      .selectFrom('actions')
      .select('sending')
      .where('id', '=', parseActionId(id)!)
      .executeTakeFirstOrThrow()
    let left = slices
    const signal = {
      throwIfAborted(): void {
        if (left-- === 0) throw new Error('killed')
      },
    }
    const planning = planCampaign(context, { sending: sending! }, { signal, slice: 2 })
    if (slices < Number.POSITIVE_INFINITY) await assert.rejects(planning, /killed/)
    else await planning
  }

  test('keeps the audience of its start when it dies during planning', async () => {
    clock.set('2027-08-01T08:00:00Z')
    const { addresses, contacts, segment: all } = await crowd('died', 6)
    const late = await contact('latecomer@crowd.example')
    const id = await validated({ segments: { selected: [all] } })
    await planned(id, 2)
    await sendDue()
    await advance()
    assert.deepEqual([total(addresses), await state(id)], [4, 55])
    // What becomes of the segment meanwhile does not matter.
    await call('PUT', `/segments/${all}/targets`, { body: [late] })
    await call('DELETE', `/targets/${contacts[5]}/segments/${all}`)
    await enqueueUnfinishedPlans(context.db)
    await settle()
    assert.deepEqual([received(addresses), await state(id)], [addresses.map(() => 1), 60])
    assert.equal(gateway.to('latecomer@crowd.example').length, 0)
    assert.equal((await get(id)).monitor.recipients, 6)
  })

  test('continues after the planned contacts when it dies while writing the audience', async () => {
    clock.set('2027-08-01T12:00:00Z')
    const early = await contact('early@crowd.example')
    const { addresses, contacts, segment: all } = await crowd('unwritten', 6)
    const late = await contact('late@crowd.example')
    const id = await validated({ segments: { selected: [all] } })
    await context.pool.query(`
      create function full_disk() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
      create trigger full_disk before insert on campaign_audiences execute function full_disk()`)
    await planned(id, 100)
    await context.pool.query('drop function full_disk cascade')
    await sendDue()
    assert.deepEqual([total(addresses.slice(0, 2)), total(addresses)], [2, 2])
    // The rest is as it is at the next try, without who is created meanwhile.
    const created = await contact('created@crowd.example')
    await call('PUT', `/segments/${all}/targets`, { body: [early, late, created] })
    await call('DELETE', `/targets/${contacts[5]}/segments/${all}`)
    await planned(id)
    await settle()
    assert.deepEqual([received(addresses), await state(id)], [[1, 1, 1, 1, 1, 0], 60])
    const others = ['late@crowd.example', 'early@crowd.example', 'created@crowd.example']
    assert.deepEqual(received(others), [1, 0, 0])
    const { monitor } = await get(id)
    assert.deepEqual([monitor.recipients, monitor.sent], [6, 6])
    assert.deepEqual(await context.db.selectFrom('campaign_audiences').selectAll().execute(), [])
  })

  test('cancels a contact deleted before planning as "recipient not found"', async () => {
    clock.set('2027-08-01T18:00:00Z')
    const { addresses, contacts, segment: all } = await crowd('unplanned', 4)
    const id = await validated({ segments: { selected: [all] } })
    await planned(id, 1)
    assert.equal((await call('DELETE', `/targets/${contacts[3]}`)).status, 204)
    await settle()
    const { state: reached, monitor } = await get(id)
    assert.deepEqual([received(addresses), reached, monitor.recipients, monitor.pending], [[1, 1, 1, 0], 60, 4, 0])
    assert.deepEqual(
      (await cancellations(id)).map(({ type }) => type),
      ['recipient not found'],
    )
  })

  test('plans each contact once when several processes plan it at once', async () => {
    clock.set('2027-08-02T08:00:00Z')
    const { addresses, segment: all } = await crowd('doubly', 12)
    const id = await validated({ segments: { selected: [all] } })
    await Promise.all([planned(id), planned(id), planned(id)])
    await planned(id)
    await settle()
    assert.deepEqual([received(addresses), await state(id)], [addresses.map(() => 1), 60])
    assert.equal((await get(id)).monitor.recipients, 12)
    assert.deepEqual(await context.db.selectFrom('campaign_audiences').selectAll().execute(), [])
  })

  test('is planned again within seconds, not only when its job would be found lost', async () => {
    clock.set('2027-08-03T08:00:00Z')
    const { segment: all } = await crowd('locked', 1)
    const id = await validated({ segments: { selected: [all] } })
    const { sending } = await context.db
      .selectFrom('actions')
      .select('sending')
      .where('id', '=', parseActionId(id)!)
      .executeTakeFirstOrThrow()
    const { rows: before } = await context.pool.query(
      `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead', attempts = 1
       where payload->>'sending' = $1::text returning id`,
      [String(sending)],
    )
    assert.equal(before.length, 1)
    await enqueueUnfinishedPlans(context.db)
    const { rows: after } = await context.pool.query(
      `select id from graphile_worker._private_jobs where payload->>'sending' = $1::text and locked_by is null`,
      [String(sending)],
    )
    assert.equal(after.length, 1)
    await settle()
    assert.equal(await state(id), 60)
    await enqueueUnfinishedPlans(context.db)
  })

  test('starts late, with nothing lost, when it dies before the start', async () => {
    clock.set('2027-08-04T07:00:00Z')
    const { addresses, segment: all } = await crowd('waiting', 1)
    const id = await validated({ type: 'scheduled', startDate: '2027-08-04T08:00:00Z', segments: { selected: [all] } })
    clock.set('2027-08-04T11:00:00Z')
    await settle()
    assert.deepEqual([total(addresses), await state(id)], [1, 60])
  })
})
