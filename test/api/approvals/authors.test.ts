import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Answer } from '../../support/harness.ts'
import { colleague } from '../../support/stages/colleagues.ts'
import { storedApplication } from '../../support/stages/push-applications.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, action, contact, segment, settle, state, validated, put, gateway } = stage
const author = await colleague(stage, 'author')
const sender = await colleague(stage, 'sender')
const viewer = await colleague(stage, 'viewer')

const testOf = (id: string, body: object, who = author): Promise<Answer> =>
  who.call('POST', `/actions/${id}/validation`, { body: { fortest: true, ...body } })

async function refused(kind: string, answer: Promise<Answer>, status = 403): Promise<void> {
  const { status: given, body, text } = await answer
  assert.equal(given, status, text)
  assert.equal(body.type, `urn:stentor:problem:${kind}`, text)
}

async function made(url: string, body: object): Promise<Answer['body']> {
  const answer = await call('POST', url, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const people = async (count: number, prefix: string): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await contact(`${prefix}${n}@shop.example`))
  return ids
}

suite('tests by authors', () => {
  test('can be sent to test segments, to themselves and to people of the account', async () => {
    const friends = await segment(await people(2, 'friend'), { isTest: true })
    for (const body of [
      { testSegments: [friends] },
      { mediaForTest: author.email },
      { mediaForTest: sender.email.toUpperCase() },
    ]) {
      const id = await action()
      const { status, text } = await testOf(id, body)
      assert.equal(status, 204, text)
      await settle()
      assert.equal(await state(id), 38)
    }
    assert.ok(gateway.sent.length > 0)
  })

  test('cannot be sent anywhere else, and nothing changes', async () => {
    const id = await action()
    const stranger = await colleague(stage, 'author', { account: stage.other })
    for (const mediaForTest of ['customer@shop.example', stranger.email])
      await refused('right-missing', testOf(id, { mediaForTest }))
    const customers = await segment(await people(1, 'customer'))
    await refused('segment-not-test', testOf(id, { testSegments: [customers] }), 409)
    assert.equal(await state(id), 20)
  })

  test('have at most 20 proofs, and two for each contact count twice', async () => {
    const many = await people(21, 'many')
    const [ten, eleven, twenty, all] = [
      await segment(many.slice(0, 10), { isTest: true }),
      await segment(many.slice(0, 11), { isTest: true }),
      await segment(many.slice(0, 20), { isTest: true }),
      await segment(many, { isTest: true }),
    ]
    const tries: [number, object, number][] = [
      [all, {}, 409],
      [twenty, {}, 204],
      [eleven, { textandHtml: true }, 409],
      [ten, { textandHtml: true }, 204],
    ]
    for (const [one, more, status] of tries) {
      const answer = await testOf(await action(), { testSegments: [one], ...more })
      assert.equal(answer.status, status, answer.text)
      if (status === 409) assert.equal(answer.body.type, 'urn:stentor:problem:test-too-large')
    }
    const answer = await testOf(await action(), { testSegments: [all] }, sender)
    assert.equal(answer.status, 204, answer.text)
  })

  test('are refused for viewers and for a key that only writes', async () => {
    const id = await action()
    await refused('right-missing', testOf(id, { mediaForTest: viewer.email }, viewer))
    const key = await stage.makeKey(stage.own.account, ['read', 'write'])
    const body = { fortest: true, mediaForTest: 'a@shop.example' }
    await refused('right-missing', call('POST', `/actions/${id}/validation`, { body, key }))
  })

  test('have the same limits for RCS actions and notifications', async () => {
    await call('POST', '/fields', { body: { name: 'Mobile', type: 'phone' } })
    const profile = (
      await made('/channel/rcs/profiles', { name: 'Orchard', agent: 'orchard_fr_k2', provider: { type: 'capture' } })
    ).id
    const content = { type: 'text', text: 'Hello' }
    const { id } = await made('/channel/rcs/actions', {
      type: 'rcsMessage',
      name: 'Pears',
      settings: { profile },
      content,
    })
    const customer = await contact('rcs.customer@shop.example')
    const own = await contact(author.email)
    const proof = (body: object) => author.call('POST', `/channel/rcs/actions/${id}/proof`, { body })
    const friends = await segment([customer], { isTest: true })
    await refused('right-missing', proof({ recipient: { type: 'id', value: customer } }))
    await refused('right-missing', proof({ recipient: { type: 'id', value: 'ZZZZZZZZ' } }))
    await refused('right-missing', proof({ testSegments: [friends], mediaForTest: '+33612345678' }))
    for (const body of [{ testSegments: [friends] }, { recipient: { type: 'id', value: own } }]) {
      const answer = await proof(body)
      assert.equal(answer.status, 200, answer.text)
    }
    const application = await storedApplication(stage)
    const versions = [{ master: true, content: { title: 'Twenty off', body: 'Tonight' } }]
    const push = await made('/notifications', { type: 'push-app', name: 'Sale', settings: { application }, versions })
    const pushed = (recipient: object) => author.call('POST', `/notifications/${push.id}/test`, { body: { recipient } })
    await refused('right-missing', pushed({ type: 'id', value: customer }))
    await refused('right-missing', pushed({ type: 'subscription', value: crypto.randomUUID() }))
    for (const recipient of [
      { type: 'segment', value: friends },
      { type: 'id', value: own },
    ]) {
      const answer = await pushed(recipient)
      assert.equal(answer.status, 200, answer.text)
    }
  })
})

suite('authors', () => {
  test('cannot validate for production', async () => {
    const id = await action()
    assert.equal((await testOf(id, { mediaForTest: author.email })).status, 204)
    await settle()
    for (const body of [{}, { fortest: false }, { fortest: null }])
      await refused('right-missing', author.call('POST', `/actions/${id}/validation`, { body }))
    assert.equal(await state(id), 38)
  })

  test('cannot send, un-validate, pause or activate', async () => {
    const id = await validated(await action())
    const item = { recipient: { type: 'id', value: await contact('item@shop.example') } }
    const acts: [string, string, unknown][] = [
      ['POST', `/actions/${id}/execution`, item],
      ['POST', `/actions/${id}/executions`, [item]],
      ['DELETE', `/actions/${id}/validation`, undefined],
      ['POST', `/actions/${id}/pause`, undefined],
      ['POST', '/channel/rcs/actions/1/validation', {}],
      ['POST', '/notifications/1/activation', undefined],
      ['DELETE', '/notifications/1/activation', undefined],
      ['POST', '/notifications/1/execution', item],
      ['POST', '/scripting/workflows/1/activation', undefined],
      ['DELETE', '/scripting/workflows/1/activation', undefined],
      ['DELETE', `/scripting/workflows/1/runs/${crypto.randomUUID()}`, undefined],
    ]
    for (const [method, url, body] of acts) await refused('right-missing', author.call(method, url, { body }))
    assert.equal(await state(id), 50)
  })

  test('cannot change or delete a validated action, but can before and after', async () => {
    const id = await validated(await action())
    await refused('right-missing', author.call('PUT', `/actions/${id}`, { body: { name: 'Another' } }))
    await refused('right-missing', author.call('DELETE', `/actions/${id}`))
    assert.equal(await state(id), 50)
    const campaign = await action({ type: 'mailCampaign' })
    await put(campaign, { state: 55, paused: true })
    await refused('right-missing', author.call('DELETE', `/actions/${campaign}`))
    assert.equal((await sender.call('PUT', `/actions/${id}`, { body: { name: 'Another' } })).status, 200)
    assert.equal((await author.call('PUT', `/actions/${id}`, { body: { name: 'Mine' } })).body.name, 'Mine')
    assert.equal((await author.call('DELETE', `/actions/${id}`)).status, 204)
    assert.equal((await author.call('PUT', `/actions/${id}`, { body: {} })).status, 404)
  })

  test('cannot change a validated RCS action by any operation', async () => {
    const { id } = await made('/channel/rcs/actions', { type: 'rcsMessage', name: 'Pears' })
    const url = `/channel/rcs/actions/${id}`
    assert.equal((await author.call('PATCH', url, { body: { name: 'Apples' } })).status, 200)
    await stage.context.pool.query('update actions set state = 50 where id = $1', [id])
    for (const method of ['PUT', 'PATCH'])
      await refused('right-missing', author.call(method, url, { body: { name: 'Late' } }))
    await refused('right-missing', author.call('DELETE', url))
    assert.deepEqual([(await call('GET', url)).body.name, (await call('GET', url)).body.state], ['Apples', 50])
  })

  test('cannot change an active notification or workflow', async () => {
    const application = await storedApplication(stage)
    const versions = [{ master: true, content: { title: 'Twenty off', body: 'Tonight' } }]
    const push = await made('/notifications', { type: 'push-app', name: 'Sale', settings: { application }, versions })
    const flow = await made('/scripting/workflows', {
      name: 'Welcome',
      nodes: [{ id: 'end', type: 'terminal', default: true }],
    })
    const urls = [`/notifications/${push.id}`, `/scripting/workflows/${flow.id}`]
    for (const url of urls) {
      assert.equal((await author.call('PUT', url, { body: { name: 'Mine' } })).status, 200, url)
      const activation = await call('POST', `${url}/activation`)
      assert.equal(activation.status, 204, activation.text)
      await refused('right-missing', author.call('PUT', url, { body: { name: 'Late' } }))
      await refused('right-missing', author.call('DELETE', url))
      assert.equal((await call('GET', url)).body.name, 'Mine')
    }
    const parts: [string, string, unknown][] = [
      ['PATCH', urls[1]!, { name: 'Late' }],
      ['PUT', `${urls[1]}/nodes`, []],
      ['DELETE', `${urls[1]}/listeners`, undefined],
      ['PATCH', `${urls[1]}/settings`, {}],
      ['PUT', `${urls[1]}/capping`, []],
    ]
    for (const [method, url, body] of parts) await refused('right-missing', author.call(method, url, { body }))
    for (const url of urls) assert.equal((await sender.call('PUT', url, { body: { name: 'By a sender' } })).status, 200)
    assert.equal((await call('PUT', urls[0]!, { body: { name: 'By a key' } })).status, 200)
  })

  test('have no rights in another account', async () => {
    const id = await action()
    const headers = { 'x-account': stage.other.code }
    await refused('not-a-member', author.call('PUT', `/actions/${id}`, { body: {}, headers }))
  })
})
