import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { simpleParser } from 'mailparser'
import { finalizeGoalCounts } from '../../../src/features/actions/goals/goal-keeping.ts'
import { compareWatchedSegments } from '../../../src/features/segments/members/watched.ts'
import { estimateConversionRates } from '../../../src/lib/beta-distribution.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { purgeExpiredRows } from '../../../src/service/retention.ts'
import { colleague } from '../../support/stages/colleagues.ts'
import { placesOf } from '../../support/stages/experiments.ts'
import { reportTools, type Shown } from '../../support/stages/reports.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { action, advance, app, call, clock, contact, context, gateway, get, other, own, segment, settle } = stage
const { db } = context
const reports = reportTools(stage, '/actions')
clock.set(Date.now())
await call('PUT', '/settings/sending', { body: { testRequired: false } })

const HOUR = 3_600_000
const DAY = 24 * HOUR
const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const ROBOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)'
const orders = { event: { type: 'custom', names: ['order'] }, within: { unit: 'DAY', value: 3 } }
const experiment = {
  versions: [
    { id: 'a', share: 30 },
    { id: 'b', share: 30, subject: 'Version B' },
  ],
  holdout: 30,
  metric: 'clicks',
  decideAfter: { unit: 'HOUR', value: 2 },
  minimum: 10,
  decide: 'ask',
  goal: orders,
}
const settings = { experiment }

const { body: task } = await call('POST', '/scripting/webtasks', {
  body: {
    name: 'Order',
    value: 'export default ({ data }) => events.publish(data.name, {}, { type: "id", value: data.contact })',
    scripting: { environment: { capabilities: ['events.publish'] } },
  },
})

/** A contact has a custom event, as a script publishes it. */
async function happens(one: string, name = 'order'): Promise<void> {
  const answer = await call('POST', `/scripting/webtasks/${task.id}/execution`, {
    body: { data: { contact: one, name } },
  })
  assert.deepEqual([answer.status, answer.body.type], [200, 'success'], answer.text)
}

async function people(name: string, count: number): Promise<Map<string, string>> {
  const addresses = new Map<string, string>()
  for (let n = 0; n < count; n++) addresses.set(await contact(`${name}${n}@goal.example`), `${name}${n}@goal.example`)
  return addresses
}

async function started(id: string): Promise<void> {
  const answer = await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })
  assert.equal(answer.status, 204, answer.text)
  await settle()
  await advance()
}

/** A campaign whose shares are sent; and who is in which. `before`: what happens before that. */
async function begun(
  name: string,
  goal: object,
  before: (addresses: Map<string, string>) => Promise<void> = async () => undefined,
) {
  const addresses = await people(name, 40)
  await before(addresses)
  // Those held out are so by this clock, which stands still.
  clock.set(Date.now())
  const scheduler = { type: 'asap', segments: { selected: [await segment([...addresses.keys()])] } }
  const id = await action({ type: 'mailCampaign', settings: { experiment: { ...experiment, goal } }, scheduler })
  await started(id)
  const sendings = () => sql<{ n: number }>`select from campaign_experiments where settled_at is null`.execute(db)
  await eventually(async () => {
    await settle()
    return (await sendings()).rows.length === 0
  })
  const places = placesOf({ account: own.account, action: id, ...experiment }, addresses.keys())
  const of = (share: string) => [...addresses.keys()].filter((one) => places.get(one) === share)
  return { id, addresses, of }
}

const goalOf = async (id: string): Promise<Shown> => (await reports.report(id)).experiment.goal
const reached = async (id: string, who: string): Promise<string[]> =>
  (await reports.behind(id, `goal:${who}`)).map(({ id: one }) => one).toSorted()

/** The figures of a goal: by version and of those held out, contacts and how many of them reached it. */
const figures = ({ versions, holdout }: Shown) => ({
  ...Object.fromEntries(versions.map(({ id, contacts, reached: n }: Shown) => [id, [contacts, n]])),
  heldOut: [holdout.contacts, holdout.reached],
})

async function follow(address: string, agent = READER): Promise<void> {
  const mail = await simpleParser(gateway.to(address).at(-1)!.bytes)
  const url = /\/t\/r\/[\w-]{72}/.exec(String(mail.html))?.[0] ?? ''
  await app.inject({ url, headers: { 'user-agent': agent } })
}

async function settleHits(): Promise<void> {
  await sql`update unsettled_hits set hit_at = ${new Date(0)}`.execute(db)
  await settle()
}

/** The time of everything that has happened so far is so long ago. */
async function age(ms: number): Promise<void> {
  const by = sql`${ms}::double precision * interval '1 millisecond'`
  await sql`update events set at = at - ${by}`.execute(db)
  await sql`update held_out_contacts set created_at = created_at - ${by}`.execute(db)
  await sql`update campaign_experiments set settled_at = settled_at - ${by}`.execute(db)
  await sql`update actions set started_at = started_at - ${by} where started_at is not null`.execute(db)
}

suite('the goal of an experiment', () => {
  test("compares versions with held-out contacts by the contact's own events after the send", async () => {
    const { id, addresses, of } = await begun('order', orders, async (all) => {
      for (const one of [...all.keys()].slice(0, 10)) await happens(one)
    })
    assert.deepEqual(figures(await goalOf(id)), {
      a: [of('a').length, 0],
      b: [of('b').length, 0],
      heldOut: [of('heldOut').length, 0],
    })
    const who = { a: of('a').slice(0, 2), b: of('b').slice(0, 5), holdout: of('heldOut').slice(0, 1) }
    for (const one of [...who.a, ...who.b, ...who.holdout]) await happens(one)
    // Twice is once; another event, those of the rest and of strangers are none.
    await happens(who.b[0]!)
    await happens(of('a')[5]!, 'cart')
    await happens(of('rest')[0] ?? (await contact('rest@goal.example')))
    await happens(await contact('stranger@goal.example'))
    const goal = await goalOf(id)
    const counts = {
      a: { visits: of('a').length, conversions: 2 },
      b: { visits: of('b').length, conversions: 5 },
      holdout: { visits: of('heldOut').length, conversions: 1 },
    }
    const rate = ({ visits, conversions }: { visits: number; conversions: number }) => conversions / visits
    const base = rate(counts.holdout)
    const shown = (name: 'a' | 'b' | 'holdout') => ({
      contacts: counts[name].visits,
      reached: counts[name].conversions,
      rate: rate(counts[name]),
      interval: estimateConversionRates([counts[name]])[0]!.interval,
    })
    assert.deepEqual(goal, {
      ...orders,
      countedAt: null,
      versions: (['a', 'b'] as const).map((name) => ({
        id: name,
        ...shown(name),
        lift: {
          difference: rate(counts[name]) - base,
          relative: (rate(counts[name]) - base) / base,
          probability: estimateConversionRates([counts[name], counts.holdout])[0]!.probability,
        },
      })),
      holdout: shown('holdout'),
    })
    assert.deepEqual(await reached(id, 'b'), who.b.toSorted())
    assert.deepEqual(await reached(id, 'a'), who.a.toSorted())
    const [held] = await reports.behind(id, 'goal:holdout')
    assert.deepEqual([held.id, held.address, held.stamp], [who.holdout[0], addresses.get(who.holdout[0]!), null])
    assert.deepEqual((await call('GET', `/actions/${id}/experiment`)).body.goal, goal)
    const foreign = await call('GET', `/actions/${id}/report/contacts?of=goal:b`, { headers: { 'x-key': other.key } })
    assert.equal(foreign.status, 404)
    for (const word of ['goal', 'goal:z', 'goal:'])
      assert.equal((await call('GET', `/actions/${id}/report/contacts?of=${word}`)).status, 400, word)
  })

  test('can be a click on another campaign, by people and within its time', async () => {
    const first = await action({ type: 'mailMessage' })
    const goal = {
      event: { type: 'action.hit', ids: [first], kinds: ['redirection'] },
      within: { unit: 'HOUR', value: 4 },
    }
    const { id, addresses, of } = await begun('other', goal)
    await stage.validated(first)
    const [one, two, robot] = of('heldOut')
    const late = of('a')[0]!
    for (const contactId of [one!, two!, robot!, of('b')[0]!, late])
      assert.equal(
        (
          await call('POST', `/actions/${first}/execution`, {
            body: { recipient: { type: 'id', value: contactId } },
          })
        ).status < 300,
        true,
      )
    await settle()
    assert.equal(gateway.to(addresses.get(one!)!).length, 1)
    // Hits right after a send are those of machines.
    clock.advance(HOUR)
    for (const contactId of [one!, two!, of('b')[0]!]) await follow(addresses.get(contactId)!)
    await follow(addresses.get(robot!)!, ROBOT)
    await settleHits()
    assert.deepEqual(figures(await goalOf(id)), {
      a: [of('a').length, 0],
      b: [of('b').length, 1],
      heldOut: [of('heldOut').length, 2],
    })
    await age(5 * HOUR)
    await follow(addresses.get(late)!)
    await settleHits()
    assert.deepEqual(await reached(id, 'a'), [])
    assert.deepEqual(await reached(id, 'holdout'), [one!, two!].toSorted())
  })

  test('can be entering a segment, which is then watched', async () => {
    const target = await segment([])
    const { id, of } = await begun('enters', { ...orders, event: { type: 'segment.entered', segments: [target] } })
    const entering = [of('a')[0]!, of('heldOut')[0]!]
    assert.equal((await call('PUT', `/segments/${target}/targets`, { body: entering })).status < 300, true)
    await compareWatchedSegments(db, clock.now())
    assert.deepEqual(figures(await goalOf(id)), {
      a: [of('a').length, 1],
      b: [of('b').length, 0],
      heldOut: [of('heldOut').length, 1],
    })
  })

  test('is counted finally after its time, and keeps figures without events and lists for 400 days', async () => {
    const { id, of } = await begun('kept', orders)
    for (const one of [of('b')[0]!, of('heldOut')[0]!]) await happens(one)
    const before = await goalOf(id)
    await finalizeGoalCounts(db, new Date(clock.now() + 3 * DAY))
    assert.equal((await goalOf(id)).countedAt, null)
    const now = new Date(clock.now() + 3 * DAY + 2 * HOUR)
    await finalizeGoalCounts(db, now)
    const { countedAt, ...counted } = await goalOf(id)
    assert.equal(countedAt, now.toISOString())
    assert.deepEqual({ ...counted, countedAt: null }, before)
    await sql`delete from events`.execute(db)
    await sql`delete from notices`.execute(db)
    assert.deepEqual({ ...(await goalOf(id)), countedAt: null }, before)
    assert.deepEqual([await reached(id, 'b'), await reached(id, 'holdout')], [[of('b')[0]], [of('heldOut')[0]]])
    assert.deepEqual(
      (
        await sql`select from notice_listeners where owner like 'experiment %' and account = ${own.account} and owner = (
      select 'experiment ' || sending from actions where id = ${Number.parseInt(id, 36)} limit 1)`.execute(db)
      ).rows,
      [],
    )
    // One who is erased stays counted, without an address.
    assert.equal((await call('DELETE', `/targets/${of('b')[0]}`)).status, 204)
    const [erased] = await reports.behind(id, 'goal:b')
    assert.deepEqual([erased.id, erased.address], [of('b')[0], null])
    await purgeExpiredRows(context, 'forgetGoals', clock.now() + 401 * DAY)
    assert.deepEqual(await reached(id, 'b'), [])
    assert.deepEqual(figures(await goalOf(id)), figures(before))
  })

  test('stays counted for a contact deleted while it runs', async () => {
    const { id, of } = await begun('erased', orders)
    const [one] = of('heldOut')
    await happens(one!)
    assert.equal((await call('DELETE', `/targets/${one}`)).status, 204)
    const rows = await sql`select from notices where contact = ${parseContactId(one!)}`.execute(db)
    assert.deepEqual(figures(await goalOf(id)).heldOut, [of('heldOut').length, rows.rows.length])
    const [listed] = await reports.behind(id, 'goal:holdout')
    assert.deepEqual([listed.id, listed.address], [one, null])
  })

  test('is kept by PUT and duplication, absent when not set, and planned with zeros', async () => {
    const id = await action({ type: 'mailCampaign', settings })
    assert.deepEqual((await get(id)).settings.experiment.goal, orders)
    const copy = (await call('POST', `/actions/${id}/duplication`)).body
    assert.deepEqual(copy.settings.experiment.goal, orders)
    assert.deepEqual(figures(await goalOf(id)), { a: [0, 0], b: [0, 0], heldOut: [0, 0] })
    assert.deepEqual([(await goalOf(id)).versions[0].lift, (await goalOf(id)).versions[0].rate], [null, null])
    const name = (await call('PUT', `/actions/${id}`, { body: { name: 'Another' } })).body
    assert.deepEqual(name.settings.experiment.goal, orders)
    for (const goal of [null, undefined]) {
      const { body } = await call('PUT', `/actions/${id}`, {
        body: { settings: { experiment: { ...experiment, goal } } },
      })
      assert.equal('goal' in body.settings.experiment, false)
    }
    assert.equal(await goalOf(id), null)
    assert.equal((await call('GET', `/actions/${id}/report/contacts?of=goal:a`)).status, 400)
  })

  test('is refused with a pointer to each fault, and to objects that the account does not have', async () => {
    const id = await action({ type: 'mailCampaign', settings })
    const faults = async (goal: object): Promise<string[]> => {
      const body = { settings: { experiment: { ...experiment, goal } } }
      const answer = await call('PUT', `/actions/${id}`, { body })
      assert.equal(answer.status, 400, answer.text)
      return answer.body.errors.map(({ pointer }: Shown) => pointer.replace('/settings/experiment/goal', ''))
    }
    const event = (members: object) => faults({ ...orders, event: members })
    const theirs = (await call('POST', '/segments', { body: { type: 'static', name: 'Theirs' }, key: other.key })).body
      .id
    const foreign = (await call('POST', '/actions', { body: { type: 'mailMessage', name: 'Theirs' }, key: other.key }))
      .body.id
    assert.deepEqual(await event({ type: 'custom' }), ['/event/names'])
    assert.deepEqual(await event({ type: 'custom', names: ['order', ''] }), ['/event/names/1'])
    assert.deepEqual(await event({ type: 'custom', names: ['order'], ids: ['000AB1'] }), ['/event/ids'])
    assert.deepEqual(await event({ type: 'purchase' }), ['/event/type'])
    assert.deepEqual(await event({ type: 'target.created' }), ['/event/type'])
    assert.deepEqual(await event({ type: 'action.hit', ids: ['?'], kinds: ['bought'] }), [
      '/event/ids/0',
      '/event/kinds/0',
    ])
    assert.deepEqual(await event({ type: 'rcs.interaction', ids: ['000AB1'] }), ['/event/ids/0'])
    assert.deepEqual(await event({ type: 'subscription.created', applications: ['x'] }), ['/event/applications/0'])
    assert.deepEqual(await event({ ...orders.event, filter: { type: 'literal', value: true } }), ['/event/filter'])
    assert.deepEqual(await event({ type: 'segment.entered', segments: [theirs] }), ['/event/segments/0'])
    assert.deepEqual(await event({ type: 'action.hit', ids: [id, foreign] }), ['/event/ids/1'])
    for (const within of [
      { unit: 'MINUTE', value: 59 },
      { unit: 'DAY', value: 31 },
    ])
      assert.deepEqual(await faults({ ...orders, within }), ['/within'])
    assert.deepEqual(await faults({ event: orders.event }), ['/within'])
    const versions = [
      { id: 'holdout', share: 10 },
      { id: 'b', share: 10 },
    ]
    const answer = await call('PUT', `/actions/${id}`, {
      body: { settings: { experiment: { ...experiment, versions } } },
    })
    assert.deepEqual(
      answer.body.errors.map(({ pointer }: Shown) => pointer),
      ['/settings/experiment/versions/0/id'],
    )
    assert.deepEqual((await get(id)).settings.experiment, experiment)
    const member = (await call('GET', `/actions/${id}`)).body
    assert.equal((await call('PUT', `/actions/${id}`, { body: member })).status, 200)
  })

  test('is part of the approval, and another goal requires approval again', async () => {
    const author = await colleague(stage, 'author')
    const sender = await colleague(stage, 'sender')
    await colleague(stage, 'sender')
    assert.equal((await call('PUT', '/settings/people', { body: { approval: true } })).status, 200)
    const addresses = await people('approved', 12)
    const scheduler = { type: 'asap', segments: { selected: [await segment([...addresses.keys()])] } }
    const id = await action({ type: 'mailCampaign', settings, scheduler })
    const asked = async () => {
      const body = { fortest: true, mediaForTest: author.email }
      assert.equal((await author.call('POST', `/actions/${id}/validation`, { body })).status, 204)
      await settle()
      return (await author.call('POST', '/approvals', { body: { type: 'action', id } })).body.id
    }
    const approve = (approval: string) =>
      sender.call('POST', `/approvals/${approval}/decision`, { body: { decision: 'approve' } })
    const stale = await asked()
    const goal = { ...orders, within: { unit: 'DAY', value: 5 } }
    const put = await author.call('PUT', `/actions/${id}`, {
      body: { settings: { experiment: { ...experiment, goal } } },
    })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual([(await approve(stale)).status], [409])
    const answer = await approve(await asked())
    assert.ok(answer.status < 300, answer.text)
    await settle()
    await advance()
    assert.deepEqual((await goalOf(id)).within, goal.within)
  })
})
