import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { updateEventCounts } from '../../../src/features/events/counts/summary-counts.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { action, app, call, clock, contact, context, makeKey, other, own } = stage
const NOW = '2026-03-02T10:00:00.000Z'
clock.set(NOW)
const NOBODY = '019512a0-7c11-7d2e-9a42-000000000001'
const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const ROBOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)'

async function made(url: string, body: object) {
  const answer = await call('POST', url, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const read = async (url: string) => {
  const answer = await call('GET', url)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

let shown = 0
/** A display campaign with a content at a placement, and what leads there. */
async function display() {
  const n = ++shown
  const ids = { campaign: `spring-${n}`, placement: `home-${n}`, content: `banner-${n}` }
  await made('/display/campaign', { id: ids.campaign, name: `Spring ${n}` })
  await made('/display/placement', { id: ids.placement, name: 'Home' })
  const url = 'https://shop.example/spring'
  await made('/display/content', { id: ids.content, name: 'Banner', campaign: ids.campaign, url })
  return ids
}

/** Shows a content, and follows it: so often. */
async function seen(ids: Awaited<ReturnType<typeof display>>, of: { shown: number; clicked?: number; by?: string }) {
  const tags = await read(`/display/content/${ids.content}/tags?placement=${ids.placement}${of.by ?? ''}`)
  const visit = async (address: string, agent: string): Promise<void> => {
    await app.inject({ url: address.replace('https://stentor.example', ''), headers: { 'user-agent': agent } })
  }
  for (let n = 0; n < of.shown; n++) await visit(tags.impression, BROWSER)
  for (let n = 0; n < (of.clicked ?? 0); n++) await visit(tags.click, BROWSER)
  await visit(tags.click, ROBOT)
}

/** Noon of yesterday (UTC): no day ends close to it, whenever this runs. */
const YESTERDAY = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS / 2

/** Makes all events happen then, and has the summaries count nothing of them yet. */
async function happenYesterday(): Promise<void> {
  await finalizeHits(context.db)
  await context.pool.query("update event_counting set counted_until = 'epoch', days_until = 'epoch'")
  await context.pool.query('update events set at = $1', [new Date(YESTERDAY)])
}

const none = { human: 0, machine: 0, contacts: 0 }
const noReport = {
  audience: null,
  sent: 0,
  refused: null,
  held: null,
  cancelled: null,
  pending: null,
  opens: none,
  clicks: none,
  unsubscribes: 0,
  complaints: 0,
  replies: 0,
  bounces: 0,
}

suite('results of display campaigns', () => {
  test('count humans, robots and known contacts, by day, content and placement', async () => {
    const ids = await display()
    const who = await contact('ann@orchard.example')
    await seen(ids, { shown: 2 })
    await seen(ids, { shown: 3, clicked: 1, by: `&contact=${who}` })
    await happenYesterday()
    const end = YESTERDAY + DAY_MS
    clock.set(end)
    const report = { impressions: { human: 5, machine: 0, contacts: 1 }, clicks: { human: 1, machine: 2, contacts: 1 } }
    const figures = { impressions: 5, clicks: 1 }
    const course = {
      ...report,
      start: new Date(end - 30 * DAY_MS).toISOString(),
      end: new Date(end).toISOString(),
      days: [{ date: new Date(YESTERDAY).toISOString().slice(0, 10), ...figures }],
      contents: [{ id: ids.content, ...figures }],
      placements: [{ id: ids.placement, ...figures }],
    }
    assert.deepEqual(await read(`/display/campaign/${ids.campaign}/report`), course)
    // They are old enough to be counted.
    await stage.crossSomewhere()
    await updateEventCounts(context.db)
    const { rows } = await context.pool.query(
      "select sum(humans)::integer as n from event_counts where channel = 'display'",
    )
    assert.deepEqual(rows, [{ n: 6 }])
    assert.deepEqual(await read(`/display/campaign/${ids.campaign}/report`), course)
    const listed = (await read('/display/campaign?report=true')).find(({ id }: { id: string }) => id === ids.campaign)
    assert.deepEqual(listed, { ...(await read(`/display/campaign/${ids.campaign}`)), report })
    assert.deepEqual((await read('/display/campaign'))[0], await read(`/display/campaign/${ids.campaign}`))
  })

  test("use days of the account's time zone in the requested period", async () => {
    const ids = await display()
    await seen(ids, { shown: 1 })
    await happenYesterday()
    clock.set(YESTERDAY + DAY_MS)
    const settings = await read('/settings/contacts')
    const put = (timeZone: string) => call('PUT', '/settings/contacts', { body: { ...settings, timeZone } })
    // Their days are never the same.
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      await put(zone)
      const date = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(YESTERDAY)
      const { days } = await read(`/display/campaign/${ids.campaign}/report`)
      assert.deepEqual(days, [{ date, impressions: 1, clicks: 0 }])
    }
    await put(settings.timeZone)
    const later = await read(`/display/campaign/${ids.campaign}/report?start=${new Date(YESTERDAY + 1).toISOString()}`)
    assert.deepEqual([later.days, later.contents, later.impressions.human], [[], [], 1])
  })

  test('are refused for unknown or foreign campaigns and for periods that are too long', async () => {
    const ids = await display()
    const path = `/display/campaign/${ids.campaign}/report`
    assert.equal((await call('GET', path, { key: other.key })).status, 404)
    assert.equal((await call('GET', '/display/campaign/none/report')).status, 404)
    assert.equal((await call('GET', path, { key: await makeKey(own.account, ['write']) })).status, 403)
    const long = await call('GET', `${path}?start=2025-01-01`)
    assert.deepEqual([long.status, long.body.errors[0].pointer], [400, 'end'])
    await call('DELETE', `/display/campaign/${ids.campaign}`)
    assert.equal((await call('GET', path)).status, 404)
  })
})

suite('results of campaigns', () => {
  test('show the state and figures of each item, and their sum', async () => {
    clock.set(NOW)
    const readers = [await contact('mei@orchard.example'), await contact('omar@orchard.example')]
    const { id: sent } = await stage.planned(await stage.segment(readers), 100)
    await stage.sendDue()
    await stage.advance()
    const draft = await action({ name: 'Draft' })
    const notice = (await made('/notifications', { type: 'push-app', name: 'Ping' })).id
    const ids = await display()
    await seen(ids, { shown: 4, clicked: 2 })
    await finalizeHits(context.db)
    const items = [
      { type: 'display', id: ids.campaign },
      { type: 'email', id: sent },
      { type: 'notification', id: notice },
      { type: 'email', id: draft },
    ]
    const campaign = (await made('/campaigns', { name: 'Spring', items })).id
    const { items: results, totals, lastSending } = await read(`/campaigns/${campaign}/results`)
    const first = await stage.get(sent)
    const shownReport = {
      impressions: { human: 4, machine: 0, contacts: 0 },
      clicks: { human: 2, machine: 1, contacts: 0 },
    }
    assert.deepEqual(results, [
      {
        ...items[0],
        kind: null,
        name: `Spring ${shown}`,
        state: null,
        paused: false,
        active: true,
        startDate: null,
        report: null,
        display: shownReport,
      },
      {
        ...items[1],
        kind: 'mailCampaign',
        name: first.name,
        state: 60,
        paused: false,
        active: null,
        startDate: lastSending,
        report: { ...noReport, audience: 2, sent: 2, refused: 0, held: 0, cancelled: 0, pending: 0 },
        display: null,
      },
      {
        ...items[2],
        kind: null,
        name: 'Ping',
        state: null,
        paused: false,
        active: false,
        startDate: null,
        report: noReport,
        display: null,
      },
      {
        ...items[3],
        kind: 'mailMessage',
        name: 'Draft',
        state: 20,
        paused: false,
        active: null,
        startDate: null,
        report: noReport,
        display: null,
      },
    ])
    assert.deepEqual(totals, {
      sent: 2,
      impressions: 4,
      opens: { human: 0, machine: 0 },
      clicks: { human: 2, machine: 1 },
      unsubscribes: 0,
      complaints: 0,
      replies: 0,
      bounces: 0,
    })
    const lines = await read('/campaigns/results')
    assert.deepEqual(
      lines.filter(({ id }: { id: string }) => id === campaign),
      [{ id: campaign, items: 4, totals, lastSending }],
    )
  })

  test('are empty for an empty campaign, and refused for an unknown or foreign one', async () => {
    const campaign = (await made('/campaigns', { name: 'Empty' })).id
    const { items, totals, lastSending } = await read(`/campaigns/${campaign}/results`)
    assert.deepEqual([items, totals.sent, lastSending], [[], 0, null])
    for (const id of [NOBODY, 'none', '1']) assert.equal((await call('GET', `/campaigns/${id}/results`)).status, 404)
    assert.equal((await call('GET', `/campaigns/${campaign}/results`, { key: other.key })).status, 404)
    assert.deepEqual((await call('GET', '/campaigns/results', { key: other.key })).body, [])
    const writer = await makeKey(own.account, ['write'])
    assert.equal((await call('GET', '/campaigns/results', { key: writer })).status, 403)
  })
})

suite('subscription counts of applications', () => {
  test('are grouped by application and push service', async () => {
    const providers = [{ type: 'http', url: 'https://push.orchard.example/in' }]
    const app1 = (await made('/parameters/applications', { name: 'Orchard app', providers })).id
    await made('/parameters/applications', { name: 'Meadow app' })
    assert.deepEqual(await read('/parameters/applications/subscriptions'), [])
    const who = await contact('device@orchard.example')
    clock.set(NOW)
    const put = (token: string, more: object = {}) =>
      call('PUT', '/subscriptions', { body: { application: app1, provider: { type: 'http', token }, ...more } })
    const owned = { contact: { type: 'id', value: who } }
    for (const [token, more] of [
      ['a', owned],
      ['b', owned],
      ['c', {}],
    ] as const)
      assert.equal((await put(token, more)).status, 200)
    await call('PUT', '/subscriptions', { body: { application: app1, provider: { type: 'firebase', token: 'd' } } })
    const counts = {
      application: app1,
      subscriptions: 4,
      live: 0,
      contacts: 1,
      anonymous: 2,
      muted: 0,
      latest: NOW,
      providers: [
        { type: 'http', count: 3 },
        { type: 'firebase', count: 1 },
      ],
    }
    assert.deepEqual(await read('/parameters/applications/subscriptions'), [counts])
    assert.equal((await call('POST', `/parameters/applications/${app1}/activation`)).status, 204)
    assert.deepEqual(await read('/parameters/applications/subscriptions'), [{ ...counts, live: 3 }])
    assert.deepEqual((await call('GET', '/parameters/applications/subscriptions', { key: other.key })).body, [])
  })
})
