import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { footprint, startRcsRequests, to } from '../../support/stages/rcs-requests.ts'

const stage = await startRcsRequests()
const { ask, call, clock, contact, context, events, field, gateway, makeKey, makeProfile, other, own } = stage
const { phone, profile, rcs, ready, segment, sendDue, advance } = stage
clock.set('2026-03-02T10:00:00.000Z')

const ann = await phone('ann@shop.example', '+33612345678')
const bob = await phone('bob@shop.example', '+33612345679')
const tests = await segment([bob, ann], { isTest: true })

const prove = (id: number | string, body: object, options: object = {}) => ask('POST', `${id}/proof`, body, options)
const RACED = '0198c2d4-6a00-7c11-8e5d-91b2c3d4e601'
const kindOf = (problem: { type: string }) => problem.type.split(':').at(-1)
const textOf = ({ contentMessage }: { contentMessage: string }) => JSON.parse(contentMessage).text

/** What waits for an action: a proof for each row. */
async function waiting(action: number) {
  const { rows } = await context.pool.query(
    `select m.kind, m.lane, m.address, m.stamp, v.source -> 'content' as content
     from messages m join sendings g on g.id = m.sending join content_versions v on v.id = m.version
     where g.source = $1 and g.source_kind = 'rcs' order by m.id`,
    [action],
  )
  return rows
}

/** How much is stored of sends of an action, proofs or not. */
async function opened(action: number): Promise<number[]> {
  const { rows } = await context.pool.query(
    `select (select count(*)::integer from content_versions where owner = $1 and owner_kind = 'rcs') as versions,
       (select count(*)::integer from sendings where source = $1 and source_kind = 'rcs') as sendings`,
    [action],
  )
  return [rows[0].versions, rows[0].sendings]
}

suite('RCS proofs', () => {
  test('a known stamp and an unknown contact create no content version and no sending', async () => {
    const id = await rcs()
    assert.deepEqual(await opened(id), [0, 0])
    const stamp = { id: '0198c2d4-6a00-7c11-8e5d-91b2c3d4e600' }
    assert.equal((await prove(id, { recipient: to('no@shop.example') })).body[0].type, 'error')
    assert.deepEqual(await opened(id), [0, 0])
    const first = await prove(id, { recipient: to('ann@shop.example'), stamp })
    assert.deepEqual(await opened(id), [1, 1])
    const content = { type: 'text', text: 'Other' }
    for (const recipient of [to('ann@shop.example'), to('bob@shop.example'), to('no@shop.example')])
      assert.deepEqual((await prove(id, { recipient, stamp, content })).body, first.body)
    const both = await Promise.all(
      [1, 2].map(() => prove(id, { recipient: to('bob@shop.example'), stamp: { id: RACED } })),
    )
    assert.deepEqual(both[0]!.body, both[1]!.body)
    assert.deepEqual([await opened(id), (await waiting(id)).length], [[2, 2], 2])
    await sendDue()
  })

  test('each success warns about content that the phone will not show as intended', async () => {
    const id = await rcs({ content: { type: 'text', text: '{{ contact.Email }}{{ data.more }}' } })
    const long = { more: 'x'.repeat(290) }
    const { body } = await prove(id, { recipient: to('ann@shop.example'), testSegments: [tests], data: long })
    assert.deepEqual(
      body.map(({ type, warnings }: { type: string; warnings: { type: string; pointer: string }[] }) => [
        type,
        warnings.map((one) => [one.type, one.pointer]),
      ]),
      [0, 1].map(() => ['success', [['text-long', '/content/text']]]),
    )
    const plain = await prove(id, { recipient: to('ann@shop.example') })
    assert.deepEqual(Object.keys(plain.body[0]).toSorted(), ['id', 'recipient', 'type'])
    await sendDue()
  })

  test('no counter of marketing pressure changes', async () => {
    const made = await call('POST', '/marketing/pressure/rules', {
      body: {
        label: 'One',
        predicate: {
          type: 'and',
          expressions: [{ type: 'limit', count: 1, period: { type: 'rolling', unit: 'DAY', value: 7 } }],
        },
      },
    })
    assert.equal(made.status, 200, made.text)
    clock.advance(1000)
    const standing = async () =>
      (await call('GET', `/targets/${ann}/pressure`)).body.map((one: { count: number }) => one.count)
    const id = await ready({ settings: { profile, field, mp: { use: true, increment: true } } })
    const before = gateway.sentRcs.length
    for (let proof = 0; proof < 2; proof++) {
      assert.equal((await prove(id, { recipient: to('ann@shop.example') })).body[0].type, 'success')
      await sendDue()
    }
    assert.deepEqual([gateway.sentRcs.length - before, await standing()], [2, [0]])
    assert.equal((await ask('POST', `${id}/execution`, { recipient: to('ann@shop.example') })).status, 200)
    await sendDue()
    assert.deepEqual(await standing(), [1])
    assert.equal((await prove(id, { recipient: to('ann@shop.example') })).body[0].type, 'success')
    await sendDue()
    assert.deepEqual([gateway.sentRcs.length - before, await standing()], [4, [1]])
    assert.equal((await call('DELETE', `/marketing/pressure/rules/${made.body.id}`)).status, 204)
    clock.advance(1000)
  })

  test('a proof in state 20 is sent with kind test, and reactivities stay empty', async () => {
    const id = await rcs({ settings: { profile, field, consent: 0, mp: { use: true, increment: true } } })
    const stamp = { id: '0198c2d4-6a00-7c11-8e5d-91b2c3d4e5f6' }
    const body = { recipient: to('ann@shop.example'), data: { name: 'Ann' }, stamp }
    const first = await prove(id, body)
    assert.deepEqual(
      [first.status, first.body],
      [200, [{ type: 'success', id: stamp.id, recipient: footprint(ann, 'ann@shop.example') }]],
    )
    const [proof, ...more] = await waiting(id)
    assert.deepEqual([proof.kind, proof.lane, proof.address, more], ['test', 0, null, []])
    assert.deepEqual(await events(id), [])
    const before = gateway.sentRcs.length
    await sendDue()
    assert.deepEqual(
      gateway.sentRcs.slice(before).map((message) => [message.to, message.messageId, textOf(message)]),
      [['+33612345678', stamp.id, 'Hello Ann']],
    )
    const [activation, ...others] = await events(id)
    assert.deepEqual([activation.type, activation.source.detail.activation.kind, others], ['activation', 'test', []])
    const reactivities = await call('GET', `/channel/rcs/actions/${id}/reactivities`)
    assert.deepEqual([reactivities.status, reactivities.body], [200, []])
    await advance()
    assert.equal((await ask('GET', id)).body.state, 20)
    assert.deepEqual((await prove(id, body)).body, first.body)
    assert.equal(await sendDue(), 0)
  })

  test("a red-listed contact's proof is cancelled with kind test, and a request for nobody is 400", async () => {
    const id = await rcs()
    const eve = await phone('eve@shop.example', '+33612345670')
    assert.equal((await call('POST', `/targets/${eve}/redlist/sms`)).status < 300, true)
    const { body } = await prove(id, { recipient: to('eve@shop.example') })
    assert.equal(body[0].type, 'success')
    const before = gateway.sentRcs.length
    await sendDue()
    assert.equal(gateway.sentRcs.length, before)
    const [cancellation] = await events(id)
    const { detail } = cancellation.source
    assert.deepEqual(
      [cancellation.type, detail.cancellation, detail.execution.kind],
      ['cancellation', { type: 'redlist', value: { channel: 'sms' } }, 'test'],
    )
    for (const nobody of [{}, { testSegments: [] }, { mediaForTest: '+33612345678' }]) {
      const refused = await prove(id, nobody)
      assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/recipient'])
    }
    const empty = await segment([], { isTest: true })
    const refused = await prove(id, { testSegments: [empty] })
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/testSegments'])
  })

  test('each contact gets one proof, the recipient first and then by id, all sent to mediaForTest', async () => {
    const id = await rcs()
    const { body } = await prove(id, {
      recipient: to('bob@shop.example'),
      testSegments: [tests, tests],
      mediaForTest: ' +33612345671 ',
      data: { name: 'you' },
    })
    assert.deepEqual(
      body.map(({ type, recipient }: { type: string; recipient: object }) => [type, recipient]),
      [
        ['success', footprint(bob, 'bob@shop.example')],
        ['success', footprint(ann, 'ann@shop.example')],
      ],
    )
    const before = gateway.sentRcs.length
    await sendDue()
    assert.deepEqual(
      gateway.sentRcs
        .slice(before)
        .map(({ to: number, messageId }) => [number, messageId])
        .toSorted(),
      body.map((result: { id: string }) => ['+33612345671', result.id]).toSorted(),
    )
    const unknown = to('no@shop.example')
    const foreign = await call('POST', '/targets', { body: { Email: 'foreign@shop.example' }, key: other.key })
    for (const recipient of [unknown, { type: 'id', value: foreign.body.id }])
      assert.deepEqual((await prove(id, { recipient })).body, [
        { type: 'error', value: { type: 'recipient not found', recipient } },
      ])
  })

  test('a proof needs no consent and may bring content and fallback, and no other fallback is sent', async () => {
    await call('PUT', '/settings/sending', { body: { optInField: 1 } })
    const fallback = { type: 'sms', text: 'Pears' }
    const id = await ready({ settings: { profile, field, consent: 1 }, fallback })
    const recipient = to('ann@shop.example')
    const content = { type: 'text', text: 'New {{ data.name }} {{ season }}' }
    const given = { data: { name: 'Ann' }, variables: [{ key: 'season', value: 'spring' }] }
    for (const body of [
      { recipient },
      { recipient, ...given, content },
      { recipient, fallback: { type: 'sms', text: 'Other' } },
      { recipient, fallback: null },
    ]) {
      const proved = await prove(id, body)
      assert.equal(proved.status, 200, proved.text)
    }
    const stored = { type: 'text', text: 'Hello {{ data.name }}' }
    assert.deepEqual(
      (await waiting(id)).map((one) => one.content),
      [
        { content: stored, fallback: null },
        { content, fallback: null },
        { content: stored, fallback: { type: 'sms', text: 'Other' } },
        { content: stored, fallback: null },
      ],
    )
    const before = gateway.sentRcs.length
    await sendDue()
    assert.deepEqual(gateway.sentRcs.slice(before).map(textOf), ['Hello ', 'New Ann spring', 'Hello ', 'Hello '])
    assert.equal((await ask('GET', id)).body.state, 50)
  })

  test('an invalid body is 400 with its pointer, an unfit action 409', async () => {
    const id = await rcs()
    const sound = { recipient: to('ann@shop.example') }
    for (const [more, pointer] of [
      [{ mediaForTest: '0612345678' }, '/mediaForTest'],
      [{ recipient: { type: 'unicity', value: 'x' } }, '/recipient/value'],
      [{ content: { type: 'poem' } }, '/content/type'],
      [{ content: { type: 'text', text: '{% if %}' } }, '/content/text'],
      [{ fallback: { type: 'sms', text: '{% if %}' } }, '/fallback/text'],
      [{ fallback: { type: 'sms', text: ' ' } }, '/fallback/text'],
      [{ testSegments: [tests], stamp: { id: '0198c2d4-6a00-7c11-8e5d-91b2c3d4e5f7' } }, '/stamp/id'],
      [{ copies: [] }, '/copies'],
    ] as const) {
      const refused = await prove(id, { ...sound, ...more })
      const pointers = (refused.body.errors ?? []).map((fault: { pointer: string }) => fault.pointer)
      assert.ok(refused.status === 400 && pointers.includes(pointer), `${JSON.stringify(more)} ${refused.text}`)
    }
    const broken = await rcs({ content: { type: 'text', text: '{% if %}' } })
    const refused = await prove(broken, sound)
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [409, '/content/text'])
    assert.equal((await prove(broken, { ...sound, content: { type: 'text', text: 'x' } })).status, 200)
    const bare = await rcs({ settings: { profile: await makeProfile(), field } })
    const fallback = { type: 'sms', text: 'Pears' }
    assert.equal((await prove(bare, { ...sound, fallback })).status, 409)
    assert.equal((await prove(bare, sound)).status, 200)
    const old = await rcs({ settings: { profile, field, templating: { version: '2' } } })
    assert.equal(kindOf((await prove(old, { ...sound, content: { type: 'text', text: 'x' } })).body), 'content-fixed')
    assert.deepEqual(await waiting(id), [])
  })

  test('segments must be known, unexpired test segments, and 200 proofs are sent but not 201', async () => {
    const id = await rcs()
    const plain = await segment([ann])
    assert.deepEqual(kindOf((await prove(id, { testSegments: [plain] })).body), 'segment-not-test')
    const late = await segment([ann], { isTest: true, expiration: '2026-03-02T11:00:00.000Z' })
    assert.equal((await prove(id, { testSegments: [late] })).status, 200)
    clock.advance(3_600_000)
    const expired = await prove(id, { testSegments: [late] })
    assert.deepEqual([expired.status, kindOf(expired.body)], [409, 'segment-expired'])
    assert.equal((await prove(id, { testSegments: [999_999] })).status, 404)
    const theirs = await call('POST', '/segments', {
      body: { type: 'static', name: 'T', isTest: true },
      key: other.key,
    })
    assert.equal((await prove(id, { testSegments: [theirs.body.id] })).status, 404)
    const ids: string[] = []
    for (let index = 0; index < 200; index++) ids.push(await contact(`many${index}@shop.example`))
    const many = await segment(ids.slice(0, 50), { isTest: true })
    for (let start = 50; start < 200; start += 50)
      await call('PUT', `/segments/${many}/targets`, { body: ids.slice(start, start + 50) })
    assert.equal((await prove(id, { testSegments: [many] })).body.length, 200)
    const over = await prove(id, { testSegments: [many], recipient: to('ann@shop.example') })
    assert.deepEqual([over.status, kindOf(over.body)], [409, 'test-too-large'])
  })

  test('proofs are accepted only in states 20 and 50', async () => {
    const sound = { recipient: to('ann@shop.example') }
    const status = async (id: number | string, options: object = {}) => (await prove(id, sound, options)).status
    assert.equal(await status(await rcs({ content: null })), 409)
    assert.equal((await prove(await rcs({ settings: { field } }), sound)).status, 409)
    const scheduler = { type: 'scheduled', startDate: '2027-01-01T00:00:00.000Z', segments: { selected: [tests] } }
    const campaign = await ready({ type: 'rcsCampaign', scheduler })
    assert.equal(await status(campaign), 200)
    for (const state of [55, 60]) {
      await context.pool.query('update actions set state = $2 where id = $1', [campaign, state])
      assert.equal(await status(campaign), 409, String(state))
    }
    const agent = await makeProfile()
    const id = await ready({ settings: { profile: agent, field } })
    assert.equal(await status(id), 200)
    await call('PUT', `/channel/rcs/profiles/${agent}`, { body: { active: false } })
    assert.equal(kindOf((await prove(id, sound)).body), 'profile-inactive')
    assert.equal(await status(id, { key: other.key }), 404)
    assert.equal(await status('none'), 404)
    await ask('DELETE', id)
    assert.equal(await status(id), 404)
  })

  test('only JSON bodies are accepted, and the right to send is required', async () => {
    const id = await rcs()
    const text = JSON.stringify({ recipient: to('ann@shop.example') })
    for (const type of ['text/plain', 'application/vnd.np6.cm.sms'])
      assert.equal((await ask('POST', `${id}/proof`, text, { headers: { 'content-type': type } })).status, 415)
    const key = await makeKey(own.account, ['read', 'write', 'admin'])
    assert.equal((await prove(id, {}, { key })).status, 403)
  })
})
