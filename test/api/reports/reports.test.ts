import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { updateEventCounts } from '../../../src/features/events/counts/summary-counts.ts'
import {
  createAsyncBounceEvent,
  createComplaintEvent,
} from '../../../src/features/events/delivery-reports/mail-reports.ts'
import { createHitEvent, type FollowedLink, type HitMessage } from '../../../src/features/events/hits/hit.ts'
import { findMailActivation } from '../../../src/features/events/record/activations.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { parseActionId, parseContactId } from '../../../src/lib/ids.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { limit, pressureTools, rollingHour } from '../../support/stages/pressure.ts'
import { reportTools, type Shown, sum } from '../../support/stages/reports.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, contact, context, gateway, makeKey, other, own } = stage
const { db, pool } = context
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'
const { read, report, behind, assertBalance, assertLists } = reportTools(stage, '/actions')

async function stampsOf(action: number): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ address: string; stamp: string }>(
    "select address, stamp from sent_messages where source = $1 and outcome = 'accepted' and kind <> 'test'",
    [action],
  )
  return new Map(rows.map(({ address, stamp }) => [address, stamp]))
}

/** What a mail's recipient, or a machine, does with it. */
function hitOf(of: { action: number; stamp: string; contact: string }, link: FollowedLink, robot = false) {
  const message: HitMessage = {
    account: own.account,
    channel: 'email',
    sourceKind: 'action',
    source: of.action,
    kind: 'campaign',
    contact: parseContactId(of.contact) ?? null,
    stamp: of.stamp,
  }
  const request = { time: Date.now(), address: '203.0.113.7', userAgent: PHONE, visitor: null }
  const verdict = { classification: robot ? ('genericrobot' as const) : null, early: null }
  return createHitEvent(message, link, request, { verdict, addressDetail: 'full' })
}

const open: FollowedLink = { type: 'open' }
const click: FollowedLink = { type: 'redirection', id: 1, name: null, url: 'https://shop.example/a' }

let campaigns = 0

/** A campaign to nine, five of whom cannot get it, each for another reason. */
async function fullCampaign() {
  const shop = `orchard-${++campaigns}.example`
  const who: Record<string, string> = {}
  for (const name of ['ann', 'ben', 'eve', 'listed', 'bounced', 'lost', 'wrong', 'gone', 'late'])
    who[name] = await contact(`${name}@${shop}`)
  await call('POST', `/targets/${who['listed']}/redlist/mail`, { body: {} })
  const [email] = await read('/fields')
  await call('PUT', `/targets/${who['bounced']}/bounces/${email.id}`, { body: { type: 'hardUser' } })
  const segment = await stage.segment(Object.values(who))
  const { id, action } = await stage.planned(segment, 100)
  const change = (name: string, address: string) =>
    pool.query('update contacts set fields = fields || jsonb_build_object($2::text, $3::text) where id = $1', [
      parseContactId(who[name]!),
      String(email.id),
      address,
    ])
  await change('lost', '')
  await change('wrong', 'no address')
  await pool.query('delete from contacts where id = $1', [parseContactId(who['gone']!)])
  gateway.plan(`eve@${shop}`, { result: 'refused' })
  gateway.plan(`late@${shop}`, { result: 'accepted' })
  return { id, action, who, shop }
}

suite('reports of campaigns', () => {
  test('equal the raw lists, with refusals, bounces, robots, unsubscribes and five kinds of cancellations', async () => {
    const { id, action, who, shop } = await fullCampaign()
    const before = await assertLists(id)
    assert.deepEqual([before.audience, before.waiting], [9, 9])
    await stage.sendDue()
    await stage.advance()
    const stamps = await stampsOf(action)
    const of = (name: string) => ({ action, stamp: stamps.get(`${name}@${shop}`)!, contact: who[name]! })
    await appendEvents(db, [
      hitOf(of('ann'), open),
      hitOf(of('ann'), open),
      hitOf(of('ben'), open),
      hitOf(of('late'), open, true),
      hitOf(of('ann'), click),
      hitOf(of('ann'), click, true),
      hitOf(of('ben'), click),
      hitOf(of('ann'), { type: 'unsubscribe', via: 'page' }),
    ])
    await finalizeHits(db)
    const late = await findMailActivation(db, [own.account], of('late').stamp)
    const analysis = {
      enhanced: '5.1.1',
      reply: 550,
      verdict: 'hard' as const,
      rule: 'user-unknown',
      subject: { type: 'address', detail: { type: 'bad destination mailbox address' } },
    }
    const refusal = { time: Date.now(), diagnostic: 'no such user', mta: 'mx.test', address: late!.address, analysis }
    const ben = await findMailActivation(db, [own.account], of('ben').stamp)
    const feedback = { feedback: 'abuse', userAgent: null, version: null, sourceIp: null, reportedDomain: null }
    await recordEvents(db, [
      createAsyncBounceEvent(late!, refusal, true),
      createComplaintEvent(ben!, { time: Date.now(), ...feedback, provider: 'orchard.example', recipient: null }),
    ])
    const shown = await assertLists(id)
    const { series, at, ...rest } = shown
    const cause = 'bad destination mailbox address'
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000)
    assert.deepEqual(rest, {
      audience: 9,
      sent: 3,
      refused: 1,
      held: 0,
      postponed: 0,
      deferred: 0,
      waiting: 0,
      holdout: 0,
      delivered: 2,
      experiment: null,
      cancelled: ['bounce', 'empty address', 'invalid address', 'recipient not found', 'redlist'].map((type) => {
        return { type, count: 1 }
      }),
      opens: { human: 3, machine: 1, contacts: 2 },
      clicks: { human: 2, machine: 1, contacts: 2 },
      unsubscribes: 1,
      complaints: 1,
      replies: 0,
      bounces: [{ destination: shop, verdict: 'hard', cause, count: 2 }],
      links: [{ id: 1, address: 'https://shop.example/a', clicks: 2, contacts: 2 }],
      devices: [{ type: 'phone', os: 'iOS 19.1', client: 'Apple Mail', opens: 3, clicks: 2 }],
      usual: null,
    })
    // An hour may begin in between.
    assert.ok(series.length === 1 || series.length === 2)
    const total = (member: string) => sum(series.map((point: Shown) => ({ count: point[member] })))
    assert.deepEqual([total('sends'), total('opens'), total('clicks')], [4, 3, 2])
    for (const [suffix, count] of [
      ['hits/open', 3],
      ['hits/redirection', 2],
      ['hits/unsubscribe', 1],
      ['complaints', 1],
      ['bounces', 2],
      ['cancellations', 5],
      ['activations', 4],
    ] as const)
      assert.equal((await read(`/actions/${id}/events/${suffix}`)).filter(isReal).length, count, suffix)
    // Counted quarters say the same.
    await pool.query(
      "update events set at = at - interval '3 minutes', activation_at = activation_at - interval '3 minutes'",
    )
    await updateEventCounts(db)
    const { rows } = await pool.query('select count(*)::integer as n from event_details')
    assert.ok(rows[0].n > 0)
    const { series: _, at: __, ...counted } = await assertLists(id)
    assert.deepEqual(counted, rest)
  })

  test('list contacts in pages with what happened', async () => {
    const { id, shop } = await fullCampaign()
    await stage.sendDue()
    const [refused, ...others] = await behind(id, 'refused')
    const { stamp, at, ...rest } = refused
    assert.deepEqual([others, rest.address, typeof stamp, typeof at], [[], `eve@${shop}`, 'string', 'string'])
    const [bounce] = await behind(id, 'bounces')
    assert.equal(bounce.detail, '550 5.1.1 no such user')
    const all = await behind(id, 'audience')
    const paged: object[] = []
    let next: string | undefined = `/actions/${id}/report/contacts?of=audience&limit=4`
    for (; next; ) {
      const answer = await call('GET', next)
      paged.push(...answer.body)
      next = /<([^>]+)>; rel="next"/.exec(String(answer.headers['link'] ?? ''))?.[1]
    }
    assert.deepEqual(paged, all)
  })

  test('add up at random moments while a campaign runs', async () => {
    const random = seeded(20_261_123)
    const contacts: string[] = []
    const results = ['accepted', 'refused', 'deferred', 'doubtful'] as const
    for (let n = 0; n < 24; n++) {
      contacts.push(await contact(`run-${n}@orchard.example`))
      gateway.plan(`run-${n}@orchard.example`, { result: results[Math.floor(random() * 4)]! })
    }
    const { id } = await stage.planned(await stage.segment(contacts), 8)
    let isOver = false
    const sending = stage.sendDue().finally(() => {
      isOver = true
    })
    while (!isOver) assert.equal((await assertBalance(id)).audience, 24)
    await sending
    const shown = await assertLists(id)
    assert.equal(shown.sent + shown.refused + shown.deferred + shown.held, 24)
    assert.ok(shown.deferred > 0 && shown.held > 0 && shown.refused > 0)
  })

  test('are compared with the medians of at least three finished campaigns', async () => {
    const last: string[] = []
    for (let n = 0; n < 4; n++) {
      const reader = await contact(`usual-${n}@orchard.example`)
      const { id, action } = await stage.planned(await stage.segment([reader]), 10)
      await stage.sendDue()
      await stage.advance()
      const stamp = (await stampsOf(action)).get(`usual-${n}@orchard.example`)!
      await appendEvents(db, [hitOf({ action, stamp, contact: reader }, open)])
      last.push(id)
    }
    await finalizeHits(db)
    const rates = async () => {
      const { usual } = await report(last[3]!)
      return [usual.openRate, usual.clickRate]
    }
    const kept = () =>
      pool.query('select source, opened, clicked from report_rates where account = $1 order by 1', [own.account])
    assert.deepEqual(await rates(), [1, 0])
    const numbers = last.slice(0, 3).map((id) => parseActionId(id)!)
    const row = (source: number, opened: number, clicked: number) => ({ source, opened, clicked })
    const of = async () => (await kept()).rows.filter(({ source }) => numbers.includes(source))
    const now = (values: [number, number][]) => values.map(([o, c], n) => row(numbers[n]!, Number(o), Number(c)))
    assert.deepEqual(
      (await of()).map(({ source, opened, clicked }) => row(source, Number(opened), Number(clicked))),
      now(Array(3).fill([1, 0])),
    )
    // What is kept is used, as long as nothing happens.
    await pool.query('update report_rates set clicked = delivered where source = any($1)', [numbers])
    assert.deepEqual(await rates(), [1, 1])
    // A hit, or its class, makes it be read anew.
    for (const [n, source] of numbers.entries()) {
      const stamp = (await stampsOf(source)).get(`usual-${n}@orchard.example`)!
      const reader = (await behind(last[n]!, 'sent'))[0].id
      await appendEvents(db, [hitOf({ action: source, stamp, contact: reader }, open)])
    }
    await finalizeHits(db)
    assert.deepEqual(await rates(), [1, 0])
    await pool.query(
      "update events set classification = 'mpp' where subject = any($1) and kind = 'hits/open' and not is_test",
      [numbers],
    )
    assert.deepEqual(await rates(), [0, 0])
    assert.equal((await call('GET', `/actions/${last[3]}/report`, { key: other.key })).status, 404)
  })
})

suite('reports of executions on demand', () => {
  test('belong to the time of the execution, whenever later events arrive', async () => {
    clock.set('2026-03-02T10:00:00.000Z')
    const id = await stage.validated(await stage.action())
    const action = parseActionId(id)!
    const first = await contact('first@orchard.example')
    const second = await contact('second@orchard.example')
    gateway.plan('second@orchard.example', { result: 'refused' })
    const execute = async (value: string) => {
      const answer = await call('POST', `/actions/${id}/execution`, { body: { recipient: { type: 'id', value } } })
      assert.equal(answer.status, 200, answer.text)
    }
    await execute(first)
    clock.set('2026-03-03T10:00:00.000Z')
    await execute(second)
    assert.equal((await assertLists(id)).waiting, 2)
    await stage.sendDue()
    const stamp = (await stampsOf(action)).get('first@orchard.example')!
    await appendEvents(db, [hitOf({ action, stamp, contact: first }, open)])
    await finalizeHits(db)
    const whole = await assertLists(id)
    assert.deepEqual([whole.audience, whole.sent, whole.refused, whole.opens.human], [2, 1, 1, 1])
    const one = await assertLists(id, '?end=2026-03-03')
    assert.deepEqual([one.audience, one.sent, one.refused, one.opens.human, one.bounces], [1, 1, 0, 1, []])
    const two = await assertLists(id, '?start=2026-03-03&end=2026-03-04')
    assert.deepEqual([two.audience, two.sent, two.refused, two.opens.human, sum(two.bounces)], [1, 0, 1, 0, 1])
    assert.equal((await assertLists(id, '?start=2026-03-04')).audience, 0)
  })

  test('show what marketing pressure postponed, on demand and in a campaign', async () => {
    await call('PUT', '/settings/sending', { body: { testRequired: false } })
    const tools = pressureTools(stage)
    await tools.rule([limit(1, { period: rollingHour })])
    const reader = await contact('pressed@orchard.example')
    const [other, retried] = [await contact('calm@orchard.example'), await contact('again@orchard.example')]
    const later = { mp: { onLimit: 'postpone' } }
    const id = await tools.mail(later)
    for (let n = 0; n < 2; n++) await tools.ask(id, [reader])
    await stage.sendDue()
    const shown = await assertLists(id)
    assert.deepEqual([shown.audience, shown.sent, shown.postponed, shown.waiting], [2, 1, 1, 0])
    gateway.plan('again@orchard.example', { result: 'deferred' })
    const scheduler = { type: 'asap', segments: { selected: [await stage.segment([reader, other, retried])] } }
    const campaign = await tools.mail(later, { type: 'mailCampaign', scheduler })
    await stage.advance()
    await stage.work()
    await stage.sendDue()
    const { audience, sent, postponed, deferred, waiting } = await assertLists(campaign)
    assert.deepEqual([audience, sent, postponed, deferred, waiting], [3, 1, 1, 1, 0])
    await tools.withoutRules()
  })

  test('are empty for a new notification', async () => {
    const { id } = (await call('POST', '/notifications', { body: { type: 'push-app', name: 'Ping' } })).body
    const shown = await read(`/notifications/${id}/report`)
    assert.deepEqual([shown.audience, shown.delivered, shown.usual], [0, null, null])
    assert.deepEqual(await read(`/notifications/${id}/report/contacts?of=sent`), [])
  })
})

test('reports are refused for unknown or foreign objects, missing rights and invalid queries', async () => {
  const id = await stage.action()
  const campaign = await stage.action({ type: 'mailCampaign' })
  const writer = await makeKey(own.account, ['write'])
  for (const suffix of ['', '/contacts?of=sent']) {
    assert.equal((await call('GET', `/actions/${id}/report${suffix}`, { key: other.key })).status, 404)
    assert.equal((await call('GET', `/actions/000000/report${suffix}`)).status, 404)
    assert.equal((await call('GET', `/notifications/999999/report${suffix}`)).status, 404)
    assert.equal((await call('GET', `/channel/rcs/actions/999999/report${suffix}`)).status, 404)
    assert.equal((await call('GET', `/actions/${id}/report${suffix}`, { key: writer })).status, 403)
  }
  const pointerOf = async (path: string) => {
    const { status, body } = await call('GET', path)
    return [status, body.errors?.[0]?.pointer]
  }
  assert.deepEqual(await pointerOf(`/actions/${campaign}/report?start=2026-01-01`), [400, 'start'])
  assert.deepEqual(await pointerOf(`/actions/${id}/report?end=soon`), [400, 'end'])
  for (const word of ['everything', 'link:x', 'sent:1', 'link'])
    assert.deepEqual(await pointerOf(`/actions/${id}/report/contacts?of=${word}`), [400, 'of'])
  assert.equal((await call('GET', `/actions/${id}/report/contacts`)).status, 400)
})

/** Whether an event is of a message, not of a proof. */
function isReal({ source: { detail } }: Shown): boolean {
  return (detail.activation ?? detail.execution)?.kind !== 'test'
}
