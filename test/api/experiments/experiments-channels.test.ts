import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { parseContactId } from '../../../src/lib/ids.ts'
import { placesOf } from '../../support/stages/experiments.ts'
import { type Asked, startFallbackStage } from '../../support/stages/rcs-fallbacks.ts'
import { reportTools, type Shown } from '../../support/stages/reports.ts'

const stage = await startFallbackStage()
const { app, call, clock, context, own, rbm, texts } = stage
await call('PUT', '/settings/sending', { body: { testRequired: false } })
const field = (await call('GET', '/fields')).body.find(({ name }: Shown) => name === 'Mobile').id

const HOUR = 3_600_000
const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const PEOPLE = 40
let numbers = 0

async function people() {
  const phones = new Map<string, string>()
  for (let n = 0; n < PEOPLE; n++) {
    const phone = `+336019${String(++numbers).padStart(5, '0')}`
    phones.set(await stage.contact(`tried${numbers}@orchard.example`, { Mobile: phone }), phone)
  }
  return { phones, segment: await stage.segment([...phones.keys()]) }
}

const rules = { holdout: 15, decideAfter: { unit: 'HOUR', value: 2 }, minimum: 10, decide: 'auto' }

/** Makes a campaign, validates it, sends its shares; and who is in which. */
async function begun(path: string, body: { settings: { experiment: { versions: { id: string; share: number }[] } } }) {
  // Events are stamped by the database.
  clock.set(Date.now())
  const { phones, segment } = await people()
  const scheduler = { type: 'asap', segments: { selected: [segment] } }
  const made = await call('POST', path, { body: { ...body, scheduler } })
  assert.equal(made.status, 200, made.text)
  const { id } = made.body
  const answer = await call('POST', `${path}/${id}/validation`, { body: path === '/actions' ? { fortest: false } : {} })
  assert.equal(answer.status, 204, answer.text)
  await stage.settle()
  await stage.work()
  await stage.advance()
  const { versions } = body.settings.experiment
  const places = placesOf({ account: own.account, action: id, holdout: rules.holdout, versions }, phones.keys())
  const of = (share: string) => [...phones.keys()].filter((one) => places.get(one) === share)
  return { id, phones, of }
}

async function decided(path: string, id: string | number) {
  clock.advance(3 * HOUR)
  await stage.settle()
  await stage.work()
  await stage.advance()
  const answer = await call('GET', `${path}/${id}/experiment`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** The numbers of the report are those of its lists, and of who is in which share. */
async function assertReport(path: string, id: string | number, of: (share: string) => string[]): Promise<Shown> {
  const reports = reportTools(stage, path)
  const shown = await reports.assertLists(id)
  const idsOf = async (word: string) => (await reports.behind(id, word)).map((one: Shown) => one.id).toSorted()
  assert.deepEqual(await idsOf('holdout'), of('heldOut').toSorted())
  assert.equal(shown.holdout, of('heldOut').length)
  for (const { id: version, sent } of shown.experiment.versions) {
    assert.deepEqual(await idsOf(`version:${version}`), of(version).toSorted())
    assert.equal(sent, of(version).length)
  }
  return shown
}

suite('experiments in other channels', () => {
  test('with SMS, each share gets its own text, clicks decide, and the rest gets the better one', {
    timeout: 240_000,
  }, async () => {
    const link = '{{ "https://shop.example/sale" | tracked: "sale" }}'
    const versions = [
      { id: 'a', share: 30 },
      { id: 'b', share: 30, content: { textContent: `Ripe pears ${link}` } },
    ]
    const { id, phones, of } = await begun('/actions', {
      type: 'smsCampaign',
      name: 'Text',
      content: { textContent: `Pears ${link}` },
      settings: {
        purpose: { type: 'service' },
        sender: 'SHOP',
        field,
        experiment: { ...rules, versions, metric: { link: 'sale' } },
      },
    } as never)
    const textOf = (one: string): string[] => texts(phones.get(one)!)
    for (const one of of('a')) assert.match(textOf(one).join(), /^Pears \S+$/)
    for (const one of of('b')) assert.match(textOf(one).join(), /^Ripe pears \S+$/)
    for (const one of [...of('rest'), ...of('heldOut')]) assert.deepEqual(textOf(one), [])
    clock.advance(HOUR)
    for (const one of of('b')) {
      const url = new URL(/https?:\S+/.exec(textOf(one)[0]!)![0]).pathname
      await app.inject({ url, headers: { 'user-agent': READER } })
    }
    await context.db
      .updateTable('unsettled_hits')
      .set({ hit_at: new Date(0) })
      .execute()
    const { decision, waiting } = await decided('/actions', id)
    assert.deepEqual([decision.version, decision.by, waiting], ['b', 'auto', 0])
    for (const one of of('rest')) assert.match(textOf(one).join(), /^Ripe pears \S+$/)
    for (const one of of('heldOut')) assert.deepEqual(textOf(one), [])
    const { experiment } = await assertReport('/actions', id, of)
    assert.deepEqual(
      experiment.versions.map(({ successes }: Shown) => successes),
      [0, of('b').length],
    )
  })

  test('with RCS, each share gets its own content, reads decide, and the rest gets the better one', {
    timeout: 240_000,
  }, async () => {
    const path = '/channel/rcs/actions'
    const versions = [
      { id: 'a', share: 30, content: { type: 'text', text: 'Ripe pears' } },
      { id: 'b', share: 30 },
    ]
    const { id, phones, of } = await begun(path, {
      type: 'rcsCampaign',
      name: 'Pear week',
      content: { type: 'text', text: 'Pears' },
      settings: {
        profile: stage.profile,
        field,
        purpose: { type: 'service' },
        experiment: { ...rules, versions, metric: 'opens' },
      },
    } as never)
    const takenBy = (one: string) => rbm.book.taken.filter(({ phone }) => phone === phones.get(one))
    const wordsTo = (one: string): string[] => takenBy(one).map(({ body }) => body.contentMessage.text)
    for (const one of of('a')) assert.deepEqual(wordsTo(one), ['Ripe pears'])
    for (const one of of('b')) assert.deepEqual(wordsTo(one), ['Pears'])
    for (const one of [...of('rest'), ...of('heldOut')]) assert.deepEqual(wordsTo(one), [])
    clock.advance(HOUR)
    const { rows } = await sql<{ contact: number; stamp: string }>`
      select contact, stamp from sent_messages where source = ${id} and source_kind = 'rcs'`.execute(context.db)
    const stamps = new Map(rows.map(({ contact, stamp }) => [contact, stamp]))
    const read = of('a').map((one): Asked => {
      const contact = parseContactId(one)!
      return { id: one, contact, phone: phones.get(one)!, stamp: stamps.get(contact)! }
    })
    await stage.report('read', ...read)
    const { decision, versions: found } = await decided(path, id)
    assert.deepEqual([decision.version, decision.by], ['a', 'auto'])
    assert.deepEqual(
      found.map(({ successes }: Shown) => successes),
      [of('a').length, 0],
    )
    for (const one of of('rest')) assert.deepEqual(wordsTo(one), ['Ripe pears'])
    for (const one of of('heldOut')) assert.deepEqual(wordsTo(one), [])
    await assertReport(path, id, of)
  })

  test('members that a channel does not have are refused with a pointer', async () => {
    const versions = [
      { id: 'a', share: 30 },
      { id: 'b', share: 30, subject: 'No subject here', from: { label: 'Ann' } },
    ]
    const body = (experiment: object) => ({
      type: 'smsCampaign',
      name: 'Text',
      content: { textContent: 'Pears' },
      settings: { experiment: { ...rules, ...experiment } },
    })
    const faults = async (experiment: object) => {
      const answer = await call('POST', '/actions', { body: body(experiment) })
      return [answer.status, ...answer.body.errors.map(({ pointer }: Shown) => pointer)]
    }
    const at = '/settings/experiment'
    assert.deepEqual(await faults({ versions, metric: 'clicks' }), [
      400,
      `${at}/versions/1/subject`,
      `${at}/versions/1/from`,
    ])
    const plain = versions.map(({ id, share }) => ({ id, share }))
    assert.deepEqual(await faults({ versions: plain, metric: 'opens' }), [400, `${at}/metric`])
  })
})
