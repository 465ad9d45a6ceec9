import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { simpleParser } from 'mailparser'
import { finalizeVersionSuccesses } from '../../../src/features/actions/experiments/keeping.ts'
import { meanConversionRate } from '../../../src/lib/beta-distribution.ts'
import { placesOf } from '../../support/stages/experiments.ts'
import { reportTools, type Shown } from '../../support/stages/reports.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { action, advance, app, call, clock, contact, context, gateway, get, other, own, segment, settle } = stage
const reports = reportTools(stage, '/actions')

const HOUR = 3_600_000
const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const ROBOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)'
const versions = [
  { id: 'a', share: 30 },
  { id: 'b', share: 30, subject: 'Version B' },
]
const experiment = {
  versions,
  holdout: 30,
  metric: 'clicks',
  decideAfter: { unit: 'HOUR', value: 2 },
  minimum: 10,
  decide: 'ask',
}

/** A campaign with the experiment, validated; and who is in which share. */
async function validated(name: string, count: number) {
  // Events are stamped by the database.
  clock.set(Date.now())
  const addresses = new Map<string, string>()
  for (let n = 0; n < count; n++) {
    const address = `${name}${n}@ab.example`
    addresses.set(await contact(address), address)
  }
  const scheduler = { type: 'asap', segments: { selected: [await segment([...addresses.keys()])] } }
  const id = await action({ type: 'mailCampaign', settings: { experiment }, scheduler })
  await call('PUT', '/settings/sending', { body: { testRequired: false } })
  const answer = await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })
  assert.equal(answer.status, 204, answer.text)
  const places = placesOf({ account: own.account, action: id, ...experiment }, addresses.keys())
  const of = (share: string) => [...addresses.keys()].filter((one) => places.get(one) === share)
  return { id, addresses, of }
}

/** The same with its shares sent. */
async function begun(name: string, count: number) {
  const made = await validated(name, count)
  await settle()
  await advance()
  return made
}

async function follow(address: string, agent: string): Promise<void> {
  const mail = await simpleParser(gateway.to(address).at(-1)!.bytes)
  const url = /\/t\/r\/[\w-]{72}/.exec(String(mail.html))?.[0] ?? ''
  await app.inject({ url, headers: { 'user-agent': agent } })
}

async function settleHits(): Promise<void> {
  await context.db
    .updateTable('unsettled_hits')
    .set({ hit_at: new Date(0) })
    .execute()
  await settle()
}

const idsOf = (list: Shown[]): string[] => list.map(({ id }) => id).toSorted()

suite('the report of a campaign with an experiment', () => {
  test('equals its lists for versions, held-out and waiting contacts, before and after the decision', {
    timeout: 240_000,
  }, async () => {
    const { id, addresses, of } = await begun('report', 50)
    clock.advance(HOUR)
    const followers = [...of('b').slice(0, 5), ...of('a').slice(0, 1)]
    for (const one of followers) await follow(addresses.get(one)!, READER)
    await follow(addresses.get(of('a')[1]!)!, ROBOT)
    await settleHits()
    const shown = await reports.assertLists(id)
    const { experiment: found, holdout, waiting } = shown
    assert.deepEqual(found, (await call('GET', `/actions/${id}/experiment`)).body)
    assert.deepEqual(
      [found.state, holdout, found.holdout, waiting, found.waiting, found.decision],
      [
        'measuring',
        of('heldOut').length,
        { share: 30, contacts: of('heldOut').length },
        of('rest').length,
        of('rest').length,
        null,
      ],
    )
    const successes = { a: 1, b: 5 }
    for (const { probability, interval, ...version } of found.versions) {
      const own = of(version.id)
      const conversions = successes[version.id as 'a']
      const counts = { visits: own.length, conversions }
      assert.deepEqual(version, {
        id: version.id,
        share: 30,
        sent: own.length,
        successes: conversions,
        rate: conversions / own.length,
        mean: meanConversionRate(counts),
      })
      assert.ok(interval.low < version.rate && version.rate < interval.high && probability > 0 && probability < 1)
      assert.deepEqual(idsOf(await reports.behind(id, `version:${version.id}`)), own.toSorted())
    }
    const held = await reports.behind(id, 'holdout')
    assert.deepEqual(
      held.map(({ id: one, address, stamp, detail }) => [one, address, stamp, detail]),
      of('heldOut')
        .toSorted()
        .map((one) => [one, addresses.get(one), null, null]),
    )
    assert.deepEqual(idsOf(await reports.behind(id, 'waiting')), of('rest').toSorted())
    const decided = await call('POST', `/actions/${id}/experiment/decision`, { body: { version: 'a' } })
    assert.equal(decided.status, 200, decided.text)
    await settle()
    const after = await reports.assertLists(id)
    assert.deepEqual(after.experiment.versions, found.versions)
    const { at: _, ...decision } = after.experiment.decision
    assert.deepEqual(decision, { version: 'a', by: 'person', isClear: false })
    assert.deepEqual([after.sent, after.holdout, after.waiting], [50 - of('heldOut').length, of('heldOut').length, 0])
    // The rest has a copy of the version: what was compared stays.
    assert.deepEqual(idsOf(await reports.behind(id, 'version:a')), of('a').toSorted())
  })

  test('lists held-out contacts in pages, without the address of an erased one, and not to other accounts', async () => {
    const { id, of } = await begun('held', 40)
    const held = of('heldOut').toSorted()
    assert.ok(held.length > 2)
    const pages: string[] = []
    let after = ''
    do {
      const path = `/actions/${id}/report/contacts?of=holdout&limit=2${after}`
      const answer = await call('GET', path)
      pages.push(...answer.body.map(({ id: one }: Shown) => one))
      const next = /<([^>]+)>; rel="next"/.exec(String(answer.headers['link'] ?? ''))?.[1]
      after = next ? `&after=${new URL(next, 'http://x').searchParams.get('after')}` : ''
    } while (after)
    assert.deepEqual(pages, held)
    assert.equal((await call('DELETE', `/targets/${held[0]}`)).status, 204)
    const [erased, ...others] = await reports.behind(id, 'holdout')
    assert.deepEqual([erased.id, erased.address, others.length], [held[0], null, held.length - 1])
    assert.equal((await reports.report(id)).holdout, held.length)
    for (const path of ['', '/contacts?of=holdout', '/contacts?of=version:b'])
      assert.equal((await call('GET', `/actions/${id}/report${path}`, { headers: { 'x-key': other.key } })).status, 404)
  })

  test('has no list for an unknown version, nor before the campaign begins', async () => {
    const { id } = await begun('unknown', 3)
    const status = async (of: string, action = id) =>
      (await call('GET', `/actions/${action}/report/contacts?of=${of}`)).status
    assert.deepEqual([await status('version:z'), await status('version'), await status('version:a')], [400, 400, 200])
    const draft = await action({ type: 'mailCampaign', settings: { experiment } })
    const { experiment: planned, holdout } = await reports.report(draft)
    assert.deepEqual([planned.state, holdout, await status('version:a', draft)], ['planned', 0, 400])
    assert.deepEqual(await reports.behind(draft, 'holdout'), [])
    const plain = await reports.report(await action({ type: 'mailCampaign' }))
    assert.equal(plain.experiment, null)
    assert.equal('experiment' in (await get(draft)).settings, true)
  })

  test('is final after its time, and the decision is still made when events are no longer kept', async () => {
    const { id, addresses, of } = await begun('kept', 50)
    const found = async () => (await reports.report(id)).experiment
    const successes = async () => (await found()).versions.map((one: Shown) => one.successes)
    clock.advance(HOUR)
    for (const one of of('b').slice(0, 3)) await follow(addresses.get(one)!, READER)
    await settleHits()
    assert.deepEqual(await successes(), [0, 3])
    // Two hours of the comparison have passed for all, but hits may still be settled.
    await finalizeVersionSuccesses(context.db, new Date(clock.now() + 1.9 * HOUR))
    await follow(addresses.get(of('a')[0]!)!, READER)
    await settleHits()
    assert.deepEqual(await successes(), [1, 3])
    await finalizeVersionSuccesses(context.db, new Date(clock.now() + 2.1 * HOUR))
    const before = await found()
    await sql`delete from events`.execute(context.db)
    await sql`delete from sent_messages`.execute(context.db)
    assert.deepEqual(await found(), before)
    const decided = await call('POST', `/actions/${id}/experiment/decision`, { body: { version: 'b' } })
    assert.equal(decided.status, 200, decided.text)
    assert.deepEqual(decided.body.versions, before.versions)
  })

  test('is final even if it was decided before all of its shares were sent', async () => {
    const { id, of } = await validated('early', 40)
    await advance()
    await stage.work()
    const decided = await call('POST', `/actions/${id}/experiment/decision`, { body: { version: 'a' } })
    assert.deepEqual([decided.status, decided.body.settledAt], [200, null], decided.text)
    await settle()
    await advance()
    const { settledAt, state, versions: before } = (await reports.report(id)).experiment
    assert.ok(settledAt)
    assert.deepEqual([state, ...before.map(({ sent }: Shown) => sent)], ['decided', of('a').length, of('b').length])
    await finalizeVersionSuccesses(context.db, new Date(clock.now() + 3.1 * HOUR))
    await sql`delete from events`.execute(context.db)
    assert.deepEqual((await reports.report(id)).experiment.versions, before)
  })
})
