import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { Value } from 'typebox/value'
import { classifyBounce } from '../../../src/features/bounces/classify-mail-bounce.ts'
import { ReactivitySummary } from '../../../src/features/events/event-schemas.ts'
import { createHitEvent, type FollowedLink } from '../../../src/features/events/hits/hit.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import type { HitClassification, HitWatch, NewEvent } from '../../../src/features/events/record/new-event.ts'
import {
  type ChannelSend,
  createActivationEvent,
  createSyncBounceEvent,
} from '../../../src/features/events/record/record.ts'
import { finalizeHits, recordHoneypot } from '../../../src/features/events/record/settle.ts'
import { createUuidV7, formatActionId, formatContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'

const { call, context, own } = await startHarness()
const { db } = context
const { account } = own

interface Shown {
  id: string
  type: string
  timestamp: number
  source: { detail: { activation: { kind: string }; hit: { classification: string | null } } }
}

async function makeAction(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
    select ${account}, 'mailMessage', 'Any', 38, 1, id, '{}', '{}', now(), now() from categories where account = ${account} limit 1
    returning id`.execute(db)
  return rows[0]!.id
}

const [{ id: field } = { id: 0 }] = await db.selectFrom('fields').select('id').where('account', '=', account).execute()

async function makeContact(address: string): Promise<number> {
  const { body } = await call('POST', '/targets', { body: { [field]: address } })
  return Number.parseInt(body.id, 36)
}

const ann = await makeContact('ann@shop.test')
const accepted = { gateway: { name: 'mx1', message: 'm' } }

function sendOf(action: number, more: Partial<ChannelSend> = {}): ChannelSend {
  const id = createUuidV7(Date.now())
  const contact = more.contact ?? ann
  const footprint = {
    type: 'footprint',
    id: formatContactId(contact),
    unicity: 'ann@shop.test',
    hash: '0'.repeat(32),
  } as const
  const stamp = { time: Date.now(), id, thread: id, set: id }
  return {
    account,
    channel: 'email',
    sourceKind: 'action',
    source: action,
    kind: 'message',
    contact,
    footprint,
    field,
    stamp,
    ...more,
  }
}

function handOver(send: ChannelSend, address = 'ann@shop.test'): NewEvent {
  return createActivationEvent(send, { address, ...accepted })
}

const AN_HOUR = 3_600_000

function hitOn(
  send: ChannelSend,
  link: FollowedLink,
  more: { classification?: HitClassification; watch?: Partial<HitWatch> } = {},
): NewEvent {
  const { hitAt = Date.now() + AN_HOUR, visitor = null, early = null } = more.watch ?? {}
  const request = { time: hitAt, address: '203.0.113.77', userAgent: 'Mozilla/5.0 (X11; Linux)', visitor }
  const verdict = { classification: more.classification ?? null, early }
  return createHitEvent({ ...send, stamp: send.stamp.id }, link, request, { verdict, addressDetail: 'none' })
}

function clickOn(send: ChannelSend, id: number, watch: Partial<HitWatch> = {}): NewEvent {
  return hitOn(send, { type: 'redirection', id, name: null, url: 'https://shop.test' }, { watch })
}

async function read(url: string): Promise<Shown[]> {
  const answer = await call('GET', url)
  assert.equal(answer.status, 200, `${url}: ${answer.text}`)
  return answer.body
}

async function summary(url: string) {
  const answer = await call('GET', url, { headers: { accept: 'application/vnd.reactivity.summary+json' } })
  assert.equal(answer.status, 200, answer.text)
  assert.match(String(answer.headers['content-type']), /^application\/vnd\.reactivity\.summary\+json/)
  assert.ok(Value.Check(ReactivitySummary, answer.body))
  return answer.body
}

/** `2026-01-`: far enough back that no day of it is in the future. */
const lastMonth = Temporal.Now.plainDateISO('UTC').subtract({ months: 1 }).toString().slice(0, 8)

/** Moves events to another instant, activations and what answers them alike. */
async function moveTo(stamp: string, kind: string, at: string): Promise<void> {
  await sql`update events set at = ${at} where stamp = ${stamp} and kind like ${kind}`.execute(db)
  if (kind === 'activations')
    await sql`update events set activation_at = ${at} where stamp = ${stamp} and kind <> 'activations'`.execute(db)
}

suite('reactivities', () => {
  test('are reactions to a stored activation, without activations, proofs and robots', async () => {
    const action = await makeAction()
    const [send, proof] = [sendOf(action), sendOf(action, { kind: 'test' })]
    await appendEvents(db, [handOver(send), handOver(proof)])
    await appendEvents(db, [
      hitOn(send, { type: 'open' }),
      hitOn(send, { type: 'open' }, { classification: 'mpp' }),
      hitOn(proof, { type: 'open' }),
      hitOn(sendOf(action), { type: 'open' }),
    ])
    const path = `/actions/${formatActionId(action)}`
    assert.equal((await read(`${path}/events/hits/open`)).length, 3)
    assert.deepEqual(
      (await read(`${path}/events/activations`)).map(({ source }) => source.detail.activation.kind).toSorted(),
      ['message', 'test'],
    )
    assert.equal((await read(`${path}/reactivities/hits`)).length, 1)
    assert.equal((await read(`${path}/reactivities`)).length, 1)
    assert.equal((await read(`${path}/reactivities/hits?classification=all`)).length, 2)
    assert.equal((await read(`${path}/reactivities/bounces`)).length, 0)
  })

  test('are filtered by activation and by reaction date, and sorted by reaction date', async () => {
    const action = await makeAction()
    const send = sendOf(action)
    await appendEvents(db, [handOver(send)])
    await appendEvents(db, [hitOn(send, { type: 'open' })])
    await moveTo(send.stamp.id, 'activations', `${lastMonth}01T12:00:00Z`)
    await moveTo(send.stamp.id, 'hits/%', `${lastMonth}02T12:00:00Z`)
    const path = `/actions/${formatActionId(action)}/reactivities`
    assert.equal((await read(`${path}?activationEnd=${lastMonth}02`)).length, 1)
    assert.equal((await read(`${path}?activationStart=${lastMonth}02`)).length, 0)
    assert.equal((await read(`${path}?reactivityEnd=${lastMonth}02`)).length, 0)
    assert.equal(
      (await read(`${path}?activationStart=${lastMonth}01&activationEnd=${lastMonth}02&reactivityStart=${lastMonth}02`))
        .length,
      1,
    )
    assert.equal((await call('GET', `${path}?activationStart=2026-02-01&activationEnd=2026-01-01`)).status, 400)
    assert.equal((await call('GET', `${path}?sort=up`)).status, 400)
  })
})

suite('the summary of reactivities', () => {
  test('matches the raw list, counts each contact once, and counts robots separately', async () => {
    const action = await makeAction()
    const bob = await makeContact('bob@shop.test')
    const [first, second, proof] = [sendOf(action), sendOf(action, { contact: bob }), sendOf(action, { kind: 'test' })]
    await appendEvents(db, [handOver(first), handOver(second), handOver(proof)])
    await appendEvents(db, [
      ...[1, 2, 3].map(() => hitOn(first, { type: 'open' })),
      hitOn(second, { type: 'open' }),
      hitOn(second, { type: 'open' }, { classification: 'mpp' }),
      hitOn(proof, { type: 'open' }),
      clickOn(second, 1),
    ])
    const path = `/actions/${formatActionId(action)}/reactivities`
    const { kinds, activations, ...rest } = await summary(path)
    assert.deepEqual(activations, { total: 2, contacts: 2 })
    const open: Record<'activationStart' | 'activationEnd' | 'reactivityStart' | 'reactivityEnd', null> = {
      activationStart: null,
      activationEnd: null,
      reactivityStart: null,
      reactivityEnd: null,
    }
    assert.deepEqual(rest, { filters: open, bucket: null, zone: 'UTC' })
    const counts = new Map(kinds.map(({ kind, ...numbers }: { kind: string }) => [kind, numbers]))
    assert.deepEqual(counts.get('hits/open'), { total: 4, contacts: 2, robots: 1, buckets: [] })
    assert.deepEqual(counts.get('hits/redirection'), { total: 1, contacts: 1, robots: 0, buckets: [] })
    assert.deepEqual(counts.get('complaints'), { total: 0, contacts: 0, robots: 0, buckets: [] })
    assert.equal(counts.size, 10)
    assert.equal((await read(`${path}/hits/open`)).length, 4)
    assert.deepEqual(
      (await summary(`${path}/hits/open`)).kinds.map(({ kind }: { kind: string }) => kind),
      ['hits/open'],
    )
  })

  test('is grouped by hour or day of a time zone', async () => {
    const action = await makeAction()
    const [one, two] = [sendOf(action), sendOf(action)]
    await appendEvents(db, [handOver(one), handOver(two)])
    await appendEvents(db, [hitOn(one, { type: 'open' }), hitOn(two, { type: 'open' })])
    await moveTo(one.stamp.id, 'hits/%', `${lastMonth}01T22:30:00Z`)
    await moveTo(two.stamp.id, 'hits/%', `${lastMonth}01T23:30:00Z`)
    const path = `/actions/${formatActionId(action)}/reactivities/hits/open`
    const starts = async (query: string) => {
      const { kinds } = await summary(`${path}?${query}`)
      return kinds[0]!.buckets.map(({ start, total }: { start: string; total: number }) => [start, total])
    }
    assert.deepEqual(await starts('bucket=hour'), [
      [`${lastMonth}01T22:00:00.000Z`, 1],
      [`${lastMonth}01T23:00:00.000Z`, 1],
    ])
    assert.deepEqual(await starts('bucket=day'), [[`${lastMonth}01T00:00:00.000Z`, 2]])
    assert.deepEqual(await starts('bucket=day&zone=Asia/Tokyo'), [[`${lastMonth}01T15:00:00.000Z`, 2]])
    for (const query of ['bucket=week', 'zone=Nowhere/Land', 'bucket=day&zone=%2B02:00']) {
      const headers = { accept: 'application/vnd.reactivity.summary+json' }
      assert.equal((await call('GET', `${path}?${query}`, { headers })).status, 400, query)
    }
  })
})

suite('the effects of events on contacts', () => {
  const flagsOf = async (contact: number) =>
    (await call('GET', `/targets/${formatContactId(contact)}`)).body.bounce.map(({ type }: { type: number }) => type)

  function bounce(send: ChannelSend, address: string, text: string): NewEvent[] {
    const analysis = classifyBounce({ stage: 'rcpt', reply: null, text })
    return [
      handOver(send, address),
      createSyncBounceEvent(send, { time: Date.now(), diagnostic: text, mta: 'mx', address, analysis }),
    ]
  }

  test('a hard bounce flags the field while it still has that address', async () => {
    const action = await makeAction()
    const [mailbox, domain, moved] = await Promise.all(
      ['x1@shop.test', 'x2@shop.test', 'x3@shop.test'].map(makeContact),
    )
    await recordEvents(db, bounce(sendOf(action, { contact: mailbox! }), 'x1@shop.test', '550 5.1.1 no \0such user'))
    await recordEvents(db, bounce(sendOf(action, { contact: domain! }), 'x2@shop.test', '5.4.4 domain not found'))
    await recordEvents(db, bounce(sendOf(action, { contact: moved! }), 'old@shop.test', '550 5.1.1 no such user'))
    assert.deepEqual(await flagsOf(mailbox!), [52])
    assert.deepEqual(await flagsOf(domain!), [51])
    assert.deepEqual(await flagsOf(moved!), [])
  })

  test("a soft bounce flags the field unless it concerns the message, and a proof's bounce does not", async () => {
    const action = await makeAction()
    const [full, spam, proof] = await Promise.all(['y1@shop.test', 'y2@shop.test', 'y3@shop.test'].map(makeContact))
    await recordEvents(db, bounce(sendOf(action, { contact: full! }), 'y1@shop.test', '552 5.2.2 mailbox full'))
    await recordEvents(db, bounce(sendOf(action, { contact: spam! }), 'y2@shop.test', '554 5.7.1 spam'))
    await recordEvents(
      db,
      bounce(sendOf(action, { contact: proof!, kind: 'test' }), 'y3@shop.test', '550 5.1.1 no such user'),
    )
    assert.deepEqual(await flagsOf(full!), [4])
    assert.deepEqual(await flagsOf(spam!), [])
    assert.deepEqual(await flagsOf(proof!), [])
  })

  test('an unsubscription puts the contact on the red list once', async () => {
    const action = await makeAction()
    const contact = await makeContact('z1@shop.test')
    const send = sendOf(action, { contact })
    await appendEvents(db, [handOver(send)])
    const act = hitOn(send, { type: 'unsubscribe', via: 'one-click' })
    await recordEvents(db, [act])
    const entries = async () =>
      (await call('GET', '/targets/redlist/mail')).body.filter(
        ({ id }: { id: string }) => id === formatContactId(contact),
      )
    const [entry] = await entries()
    assert.deepEqual([entry.origin, entry.detail], [4, { action: formatActionId(action) }])
    await db.deleteFrom('red_list').where('contact', '=', contact).execute()
    assert.deepEqual(await recordEvents(db, [act]), [undefined])
    assert.deepEqual(await entries(), [])
  })
})

suite('robots recognized by related hits', () => {
  /** Settles the hits that were written so far, once they are as old as such hits are. */
  async function settle(): Promise<void> {
    await sql`
      with aged as (
        select event, at - interval '3 seconds' as at,
          (lpad(to_hex((date_part('epoch', at) * 1000)::bigint - 3000), 12, '0') || substr(event::text, 15))::uuid as id
        from unsettled_hits),
      waiting as (update unsettled_hits u set event = a.id, at = a.at from aged a where u.event = a.event)
      update events e set id = a.id, at = a.at from aged a where e.id = a.event`.execute(db)
    await finalizeHits(db)
  }

  async function classesOf(action: number): Promise<(string | null)[]> {
    assert.deepEqual(await db.selectFrom('unsettled_hits').selectAll().execute(), [])
    const hits = await read(`/actions/${formatActionId(action)}/events/hits?classification=all`)
    return hits.map(({ source }) => source.detail.hit.classification)
  }

  async function sent(): Promise<{ action: number; send: ChannelSend }> {
    const action = await makeAction()
    const send = sendOf(action)
    await appendEvents(db, [handOver(send)])
    return { action, send }
  }

  test('three links within 2 s count as robots in the records and the stored column', async () => {
    const { action, send } = await sent()
    const base = Date.now() + AN_HOUR
    await appendEvents(
      db,
      [1, 2, 3].map((link) => clickOn(send, link, { hitAt: base + link * 100 })),
    )
    await appendEvents(db, [clickOn(send, 4, { hitAt: base + 9000 })])
    await settle()
    assert.deepEqual(await classesOf(action), ['genericrobot', 'genericrobot', 'genericrobot', null])
    assert.equal((await read(`/actions/${formatActionId(action)}/reactivities/hits`)).length, 1)
  })

  test('hits too soon after the activation are classified by that evidence at once', async () => {
    const { action, send } = await sent()
    const early = { withinMs: 60_000, classification: 'genericrobot' } as const
    await appendEvents(db, [
      clickOn(send, 1, { hitAt: Date.now(), early }),
      clickOn(send, 2, { hitAt: Date.now() + 120_000, early }),
    ])
    await settle()
    assert.deepEqual(await classesOf(action), ['genericrobot', null])
  })

  test('a visitor of a honeypot is a robot shortly before and after, for that message only', async () => {
    const { action, send } = await sent()
    const { action: elsewhere, send: another } = await sent()
    const visitor = Buffer.from('0123456789abcdef')
    const now = Date.now()
    await appendEvents(db, [
      clickOn(send, 1, { hitAt: now, visitor }),
      clickOn(send, 1, { hitAt: now, visitor: Buffer.from('other') }),
    ])
    await recordHoneypot(db, { account, stamp: send.stamp.id, visitor })
    await appendEvents(db, [
      clickOn(send, 2, { hitAt: now + 60_000, visitor }),
      clickOn(another, 1, { hitAt: now, visitor }),
    ])
    await appendEvents(db, [hitOn(send, { type: 'unsubscribe', via: 'page' })])
    await settle()
    assert.deepEqual(await classesOf(action), ['genericrobot', null, 'genericrobot', null])
    assert.deepEqual(await classesOf(elsewhere), [null])
  })

  test('a human hit clears the soft bounces of the address', async () => {
    const action = await makeAction()
    const contact = await makeContact('soft@shop.test')
    const send = sendOf(action, { contact })
    await appendEvents(db, [handOver(send, 'soft@shop.test')])
    const insert = sql`insert into soft_bounces (account, contact, field, bounced_at) values (${account}, ${contact}, ${field}, now())`
    const left = async () =>
      (await db.selectFrom('soft_bounces').selectAll().where('contact', '=', contact).execute()).length
    await insert.execute(db)
    await appendEvents(db, [hitOn(send, { type: 'open' }, { classification: 'mpp' })])
    await settle()
    assert.equal(await left(), 1)
    await appendEvents(db, [hitOn(send, { type: 'open' })])
    await settle()
    assert.equal(await left(), 0)
  })
})
