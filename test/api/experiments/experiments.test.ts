import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import { parseActionId, parseContactId } from '../../../src/lib/ids.ts'
import { planCampaign } from '../../../src/sending/plan/plan-campaign.ts'
import { placesOf } from '../../support/stages/experiments.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { action, advance, app, call, clock, contact, context, gateway, get, makeKey, other, own, segment, settle } =
  stage
const { db } = context
// Events are stamped by the database.
clock.set(Date.now())
const HOUR = 3_600_000
const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

let named = 0
async function people(count: number): Promise<{ addresses: Map<string, string>; segment: number }> {
  const addresses = new Map<string, string>()
  for (let n = 0; n < count; n++) {
    const address = `person${++named}@ab.example`
    addresses.set(await contact(address), address)
  }
  return { addresses, segment: await segment([...addresses.keys()]) }
}

const html = (word: string) => `<html><body>${word} <a href="https://shop.example/${word}">Come in</a></body></html>`
const experiment = {
  versions: [
    { id: 'a', share: 30 },
    { id: 'b', share: 30, subject: 'Version B', content: { html: html('bee') }, from: { label: 'Bee' } },
  ],
  holdout: 10,
  metric: 'clicks',
  decideAfter: { unit: 'HOUR', value: 2 },
  minimum: 10,
  decide: 'auto',
}

async function campaign(selected: number, more: object = {}, scheduler: object = {}): Promise<string> {
  return action({
    type: 'mailCampaign',
    settings: { experiment: { ...experiment, ...more } },
    scheduler: { type: 'asap', segments: { selected: [selected] }, ...scheduler },
  })
}

async function put(id: string, body: object, status = 200) {
  const answer = await call('PUT', `/actions/${id}`, { body })
  assert.equal(answer.status, status, answer.text)
  return answer.body
}

async function result(id: string) {
  const answer = await call('GET', `/actions/${id}/experiment`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const decision = (id: string, version: string) =>
  call('POST', `/actions/${id}/experiment/decision`, { body: { version } })

/** Validates without proofs, starts, plans and sends the shares. */
async function begun(id: string): Promise<string> {
  await call('PUT', '/settings/sending', { body: { testRequired: false } })
  const answer = await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })
  assert.equal(answer.status, 204, answer.text)
  await settle()
  return id
}

const placed = (id: string, contacts: Iterable<string>, versions: { id: string; share: number }[], holdout: number) =>
  placesOf({ account: own.account, action: id, holdout, versions }, contacts)

async function follow(address: string): Promise<void> {
  const mail = await simpleParser(gateway.to(address).at(-1)!.bytes)
  const url = /\/t\/r\/[\w-]{72}/.exec(String(mail.html))?.[0] ?? ''
  await app.inject({ url, headers: { 'user-agent': READER } })
}

suite('an experiment', () => {
  test('is stored, replaced whole, copied by duplication and removed by null', async () => {
    const audience = await people(1)
    const id = await campaign(audience.segment)
    assert.deepEqual((await get(id)).settings.experiment, experiment)
    const { holdout: _, minimum: __, decide: ___, ...least } = experiment
    const replaced = {
      ...least,
      versions: experiment.versions.map(({ id: version, share }) => ({ id: version, share })),
    }
    const changed = await put(id, { settings: { experiment: replaced } })
    assert.deepEqual(changed.settings.experiment, { ...replaced, holdout: 0, minimum: 100, decide: 'auto' })
    const copy = (await call('POST', `/actions/${id}/duplication`)).body
    assert.deepEqual(copy.settings.experiment, changed.settings.experiment)
    const message = (await call('POST', `/actions/${id}/duplication?type=1`)).body
    assert.equal('experiment' in message.settings, false)
    const dropped = await put(id, { settings: { experiment: null } })
    assert.equal('experiment' in dropped.settings, false)
    assert.equal((await call('GET', `/actions/${id}/experiment`)).status, 404)
  })

  test('is refused with a pointer to each fault', async () => {
    const audience = await people(1)
    const id = await campaign(audience.segment)
    const fault = async (more: object, scheduler?: object) => {
      const body = { settings: { experiment: { ...experiment, ...more } }, ...(scheduler && { scheduler }) }
      return (await put(id, body, 400)).errors.map(({ pointer }: { pointer: string }) => pointer)
    }
    const versions = (...of: object[]) => ({ versions: of })
    const [a, b] = [
      { id: 'a', share: 60 },
      { id: 'b', share: 40 },
    ]
    const at = '/settings/experiment'
    assert.deepEqual(await fault(versions(a, b)), [`${at}/versions`])
    assert.deepEqual(await fault(versions({ ...a, share: 10.001 }, b)), [`${at}/versions/0/share`])
    assert.deepEqual(await fault(versions({ ...a, share: 1 }, { ...a, share: 1 })), [`${at}/versions/1/id`])
    assert.deepEqual(await fault({ decideAfter: { unit: 'MINUTE', value: 59 } }), [`${at}/decideAfter`])
    assert.deepEqual(await fault({ decideAfter: { unit: 'DAY', value: 8 } }), [`${at}/decideAfter`])
    const startDate = new Date(clock.now() + HOUR).toISOString()
    assert.deepEqual(await fault({}, { type: 'timeZoneSchedule', startDate }), [at])
    assert.deepEqual(await fault({}, { type: 'bestTime', startDate }), [at])
    const endDate = new Date(clock.now() + 3 * HOUR).toISOString()
    assert.deepEqual(await fault({}, { type: 'scheduled', startDate, endDate }), [`${at}/decideAfter`])
    const message = await call('POST', '/actions', {
      body: { type: 'mailMessage', name: 'M', settings: { experiment } },
    })
    assert.deepEqual([message.status, message.body.errors[0].pointer], [400, at])
    const blank = versions({ id: 'a', share: 10 }, { id: 'b', share: 10, subject: ' ' })
    assert.equal((await put(id, { settings: { experiment: { ...experiment, ...blank } } })).state, 10)
  })

  test('is tested in each of its versions', async () => {
    const audience = await people(1)
    const id = await campaign(audience.segment)
    const test = { fortest: true, mediaForTest: 'proofs@ab.example' }
    assert.equal((await call('POST', `/actions/${id}/validation`, { body: test })).status, 204)
    await settle()
    const subjects = await Promise.all(
      gateway.to('proofs@ab.example').map(async ({ bytes }) => (await simpleParser(bytes)).subject),
    )
    assert.deepEqual(subjects.toSorted(), ['[TEST] Hello', '[TEST] Version B'])
    assert.equal(await stage.state(id), 38)
    const broken = { versions: [experiment.versions[0], { id: 'b', share: 5, content: { html: '{% if %}' } }] }
    await put(id, { settings: { experiment: { ...experiment, ...broken } } })
    await call('POST', `/actions/${id}/validation`, { body: test })
    await settle()
    const { state, informations } = await get(id)
    assert.equal(state, 10)
    assert.match(informations.lastValidation.errors[0].message, /^Version b: /)
  })

  test('sends each share its version, lets the rest wait, and then sends it the best one by itself', {
    timeout: 240_000,
  }, async () => {
    const { addresses, segment: everybody } = await people(40)
    const versions = experiment.versions.map((version) => ({ ...version, share: 40 }))
    const id = await begun(await campaign(everybody, { versions }))
    const places = placed(id, addresses.keys(), versions, experiment.holdout)
    const of = (share: string) =>
      [...addresses].filter(([one]) => places.get(one) === share).map(([, address]) => address)
    const sent = async (address: string) =>
      Promise.all(gateway.to(address).map(async ({ bytes }) => (await simpleParser(bytes)).subject))
    for (const address of of('a')) assert.deepEqual(await sent(address), ['Hello'])
    for (const address of of('b')) assert.deepEqual(await sent(address), ['Version B'])
    for (const address of [...of('rest'), ...of('heldOut')]) assert.deepEqual(await sent(address), [])
    await advance()
    clock.advance(HOUR)
    for (const address of of('b')) await follow(address)
    for (const address of of('a').slice(0, 2)) await follow(address)
    await db
      .updateTable('unsettled_hits')
      .set({ hit_at: new Date(0) })
      .execute()
    const measuring = await result(id)
    assert.deepEqual(
      [measuring.state, measuring.best, measuring.isClear, measuring.waiting, measuring.holdout.contacts],
      ['measuring', 'b', true, of('rest').length, of('heldOut').length],
    )
    assert.deepEqual(
      measuring.versions.map(({ sent: n, successes }: { sent: number; successes: number }) => [n, successes]),
      [
        [of('a').length, 2],
        [of('b').length, of('b').length],
      ],
    )
    const monitor = (await get(id)).monitor
    assert.deepEqual([monitor.recipients, monitor.pending], [40 - of('heldOut').length, of('rest').length])
    clock.advance(2 * HOUR)
    await settle()
    await settle()
    for (const address of of('rest')) assert.deepEqual(await sent(address), ['Version B'])
    for (const address of of('heldOut')) assert.deepEqual(await sent(address), [])
    const over = await result(id)
    assert.deepEqual([over.state, over.waiting, over.decision.version, over.decision.by], ['decided', 0, 'b', 'auto'])
    assert.deepEqual(over.versions, measuring.versions)
    assert.equal(await stage.state(id), 60)
    const held = [...places].filter(([, share]) => share === 'heldOut').map(([one]) => parseContactId(one)!)
    const events = await db
      .selectFrom('events')
      .select('id')
      .where('contact', 'in', [0, ...held])
      .execute()
    assert.deepEqual(events, [])
    assert.equal((await decision(id, 'a')).status, 409)
  })

  test('is decided once by a person, even before its time, and by nobody else', { timeout: 240_000 }, async () => {
    const { addresses, segment: everybody } = await people(30)
    const id = await campaign(everybody, { decide: 'ask' })
    assert.equal((await decision(id, 'a')).body.type, 'urn:stentor:problem:experiment-not-waiting')
    await begun(id)
    const places = placed(id, addresses.keys(), experiment.versions, experiment.holdout)
    await advance()
    clock.advance(3 * HOUR)
    await settle()
    assert.equal((await result(id)).state, 'asking')
    assert.equal(await stage.state(id), 55)
    assert.equal((await decision(id, 'z')).status, 400)
    const stranger = { headers: { 'x-key': other.key }, body: { version: 'a' } }
    assert.equal((await call('POST', `/actions/${id}/experiment/decision`, stranger)).status, 404)
    const reader = await makeKey(own.account, ['read'])
    const asReader = await call('POST', `/actions/${id}/experiment/decision`, {
      headers: { 'x-key': reader },
      body: { version: 'a' },
    })
    assert.equal(asReader.status, 403)
    const both = await Promise.all([decision(id, 'a'), decision(id, 'b')])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
    const subject = both[0].status === 200 ? 'Hello' : 'Version B'
    await settle()
    for (const [one, address] of addresses) {
      if (places.get(one) !== 'rest') continue
      const [mail, ...more] = gateway.to(address)
      assert.deepEqual([(await simpleParser(mail!.bytes)).subject, more.length], [subject, 0])
    }
  })

  test('expires with its campaign when nobody decides', async () => {
    const { addresses, segment: everybody } = await people(20)
    const endDate = new Date(clock.now() + 4 * HOUR).toISOString()
    const id = await begun(await campaign(everybody, { decide: 'ask' }, { endDate }))
    clock.advance(5 * HOUR)
    await settle()
    const rest = [...placed(id, addresses.keys(), experiment.versions, experiment.holdout).values()].filter(
      (share) => share === 'rest',
    )
    const { state, monitor } = await get(id)
    assert.deepEqual([state, monitor.cancelled], [60, rest.length])
    assert.equal((await decision(id, 'a')).status, 409)
  })

  test('can be decided while it is planned, and contacts planned later get the decided version', async () => {
    const { addresses, segment: everybody } = await people(40)
    await call('PUT', '/settings/sending', { body: { testRequired: false } })
    const id = await campaign(everybody)
    await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })
    const { sending } = await db
      .selectFrom('actions')
      .select('sending')
      .where('id', '=', parseActionId(id)!)
      .executeTakeFirstOrThrow()
    let slices = 0
    const killed = {
      throwIfAborted() {
        if (++slices > 2) throw new Error('killed')
      },
    }
    await assert.rejects(planCampaign(context, { sending: sending! }, { signal: killed, slice: 7 }), /killed/)
    assert.equal((await decision(id, 'b')).status, 200)
    await settle()
    const places = placed(id, addresses.keys(), experiment.versions, experiment.holdout)
    for (const [one, address] of addresses) {
      const subjects = await Promise.all(
        gateway.to(address).map(async ({ bytes }) => (await simpleParser(bytes)).subject),
      )
      const expected = { a: ['Hello'], b: ['Version B'], rest: ['Version B'], heldOut: [] as string[] }
      assert.deepEqual(subjects, expected[places.get(one) as 'a'])
    }
    assert.equal(await stage.state(id), 60)
  })

  test('cannot be validated when too slow for the end of its campaign', async () => {
    const { segment: everybody } = await people(10)
    const endDate = new Date(clock.now() + 5 * HOUR).toISOString()
    const id = await campaign(everybody, {}, { endDate, speed: 2 })
    const answer = await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })
    assert.deepEqual([answer.status, answer.body.type], [409, 'urn:stentor:problem:experiment-too-slow'])
  })
})
