import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { countSegment } from '../../../src/features/segments/counts/counts.ts'
import { runDueJobs } from '../../../src/jobs/runner.ts'
import { startStage } from '../../support/stages/stage.ts'

const { call, clock, context, own, other, ...stage } = await startStage()

async function contact(address: string, key = own.key): Promise<string> {
  const { body } = await call('PUT', '/targets', { body: { Email: address }, key })
  return body.id
}

let named = 0
async function segment(more: object = {}, key = own.key): Promise<number> {
  const { status, body } = await call('POST', '/segments', {
    body: { type: 'static', name: `Segment ${++named}`, ...more },
    key,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}

async function members(id: number): Promise<string[]> {
  return (await call('GET', `/segments/${id}/targets`)).body
}

suite('segments › create and read', () => {
  test('requires only type and name, and the segment expires in a year', async () => {
    clock.set('2026-03-01T10:00:00Z')
    const { body } = await call('POST', '/segments', { body: { type: 'static', name: ' Tea lovers ' } })
    assert.deepEqual(body, {
      type: 'static',
      id: body.id,
      name: 'Tea lovers',
      description: null,
      creation: '2026-03-01T10:00:00.000Z',
      expiration: '2027-03-01T10:00:00.000Z',
      isTest: false,
      targetsCount: 0,
      targetsCountDate: null,
      targetsCountExact: true,
      parentId: null,
      searchId: null,
      criteria: null,
    })
    assert.deepEqual((await call('GET', `/segments/${body.id}`)).body, body)
  })

  test('list items have no description and no criteria', async () => {
    const id = await segment({ description: 'of the list' })
    const { body } = await call('GET', '/segments')
    const listed = body.find((one: { id: number }) => one.id === id)
    assert.ok(!('description' in listed) && !('criteria' in listed))
  })

  test('refuses a missing type or name, an invalid date, and a name taken in another case', async () => {
    await segment({ name: 'Taken' })
    for (const body of [
      { name: 'x' },
      { type: 'static' },
      { type: 'static', name: ' ' },
      { type: 'other', name: 'x' },
      { type: 'static', name: 'x', expiration: 'soon' },
    ]) {
      assert.equal((await call('POST', '/segments', { body })).status, 400, JSON.stringify(body))
    }
    const taken = await call('POST', '/segments', { body: { type: 'static', name: 'tAKEN' } })
    assert.deepEqual([taken.status, taken.body.type], [409, 'urn:stentor:problem:name-taken'])
  })

  test('a static segment has neither parent nor criteria', async () => {
    const parentId = await segment({ type: 'dynamic' })
    assert.equal((await call('POST', '/segments', { body: { type: 'static', name: 'x', parentId } })).status, 400)
    assert.equal(
      (await call('POST', '/segments', { body: { type: 'static', name: 'x', criteria: { all: [] } } })).status,
      400,
    )
  })
})

suite('segments › update', () => {
  test('changes the given members, keeps the rest, and null keeps the expiration', async () => {
    const id = await segment({ description: 'kept', expiration: '2020-01-01' })
    const { body } = await call('PUT', `/segments/${id}`, { body: { isTest: true, expiration: null } })
    assert.deepEqual([body.isTest, body.description, body.expiration], [true, 'kept', '2020-01-01T00:00:00.000Z'])
  })

  test('refuses another type, a cycle of parents and an unknown parent', async () => {
    const above = await segment({ type: 'dynamic' })
    const below = await segment({ type: 'dynamic', parentId: above })
    assert.equal((await call('PUT', `/segments/${above}`, { body: { type: 'static' } })).status, 409)
    assert.equal((await call('PUT', `/segments/${above}`, { body: { parentId: below } })).status, 409)
    assert.equal((await call('PUT', `/segments/${above}`, { body: { parentId: 999999 } })).status, 404)
  })
})

suite('segments › delete', () => {
  test('keeps the contacts, and is refused with a link while another segment is below it', async () => {
    const above = await segment({ type: 'dynamic' })
    const below = await segment({ type: 'dynamic', parentId: above, name: 'Below' })
    const refused = await call('DELETE', `/segments/${above}`)
    assert.equal(refused.status, 409)
    assert.deepEqual(refused.body.links, [{ type: 'segment', id: below, name: 'Below' }])
    assert.equal((await call('DELETE', `/segments/${below}`)).status, 204)
    assert.equal((await call('DELETE', `/segments/${above}`)).status, 204)
    assert.equal((await call('DELETE', `/segments/${above}`)).status, 404)
  })

  test('with If-Match is refused while linked in the same way, and succeeds once it is free', async () => {
    const above = await segment({ type: 'dynamic' })
    const below = await segment({ type: 'dynamic', parentId: above, name: 'Held on' })
    const etag = String((await call('GET', `/segments/${above}`)).headers['etag'])
    const { instance: _, ...plain } = (await call('DELETE', `/segments/${above}`)).body
    assert.deepEqual(plain.links, [{ type: 'segment', id: below, name: 'Held on' }])
    for (const match of [etag, '*']) {
      const { status, body } = await call('DELETE', `/segments/${above}`, { headers: { 'if-match': match } })
      const { instance: _, ...problem } = body
      assert.deepEqual([status, problem], [409, plain])
    }
    assert.equal((await call('DELETE', `/segments/${above}`, { headers: { 'if-match': '"x"' } })).status, 412)
    assert.equal((await call('DELETE', `/segments/${below}`)).status, 204)
    assert.equal((await call('DELETE', `/segments/${above}`, { headers: { 'if-match': etag } })).status, 204)
    assert.equal((await call('GET', `/segments/${above}`)).status, 404)
  })

  test('removes members and count but not the contacts', async () => {
    const id = await segment()
    const ann = await contact('leftover@example.org')
    await call('PUT', `/segments/${id}/targets`, { body: [ann] })
    assert.equal((await call('DELETE', `/segments/${id}`)).status, 204)
    assert.equal((await call('GET', `/targets/${ann}`)).status, 200)
    const { rows } = await context.pool.query('select n from segment_counts where segment = $1', [id])
    assert.deepEqual(rows, [])
  })
})

suite('segments › members', () => {
  test('accepts exactly 50 targets, and refuses 51 without a change', async () => {
    const id = await segment()
    const contacts = await Promise.all(Array.from({ length: 51 }, (_, n) => contact(`fifty${n}@example.org`)))
    assert.equal((await call('PUT', `/segments/${id}/targets`, { body: contacts })).status, 400)
    assert.deepEqual(await members(id), [])
    const { status, body } = await call('PUT', `/segments/${id}/targets`, { body: contacts.slice(0, 50) })
    assert.deepEqual([status, body], [200, 50])
    assert.equal((await call('GET', `/segments/${id}`)).body.targetsCount, 50)
  })

  test('counts only added targets, by id or unicity, not unknown ones or existing members', async () => {
    const id = await segment()
    const ann = await contact('ann@example.org')
    await contact('bob@example.org')
    assert.equal(
      (await call('PUT', `/segments/${id}/targets`, { body: [ann, 'BOB@example.org', 'none@example.org'] })).body,
      2,
    )
    assert.equal((await call('PUT', `/segments/${id}/targets`, { body: [ann] })).body, 0)
    const type = 'application/vnd.mperf.v8.unicity'
    const put = async (headers: Record<string, string>, names: string[]) =>
      (await call('PUT', `/segments/${await segment()}/targets`, { body: names, headers })).body
    assert.equal(await put({ accept: type }, [ann]), 0)
    assert.equal(await put({ accept: type }, ['ann@example.org']), 1)
    // As the type of the body it says nothing of what the strings are.
    assert.equal(await put({ 'content-type': type }, [ann]), 1)
    assert.equal(await put({ 'content-type': type, accept: type }, [ann, 'ann@example.org']), 1)
  })

  test('adding a member twice is 204 and then 409, and removing a non-member is 204', async () => {
    const id = await segment()
    const ann = await contact('ann@example.org')
    const url = `/targets/${ann}/segments/${id}`
    assert.equal((await call('POST', url, { body: {} })).status, 204)
    assert.equal((await call('POST', url)).status, 409)
    assert.deepEqual(await members(id), [ann])
    assert.equal((await call('DELETE', url)).status, 204)
    assert.equal((await call('DELETE', url)).status, 204)
    assert.deepEqual(await members(id), [])
  })

  test('the form used by shop modules adds a member, and is 204 for an existing one', async () => {
    const id = await segment()
    const ann = await contact('ann@example.org')
    const url = `/segments/${id}/targets/${ann.toLowerCase()}`
    const headers = { 'content-type': 'application/json' }
    for (const options of [{}, { body: 'null', headers }, { body: '', headers }, { body: {} }, { body: [ann] }])
      assert.equal((await call('POST', url, options)).status, 204, JSON.stringify(options))
    assert.deepEqual(await members(id), [ann])
    assert.equal((await call('GET', `/segments/${id}`)).body.targetsCount, 1)
    const strange = await contact('ann@example.org', other.key)
    const dynamic = await segment({ type: 'dynamic' })
    assert.equal((await call('POST', `/segments/${dynamic}/targets/${ann}`)).status, 409)
    for (const path of [
      `/segments/${id}/targets/ZZZZZZZZ`,
      `/segments/${id}/targets/ann@example.org`,
      `/segments/${id}/targets/${strange}`,
      `/segments/99999999/targets/${ann}`,
      `/segments/x/targets/${ann}`,
    ])
      assert.equal((await call('POST', path)).status, 404, path)
    assert.equal((await call('POST', url, { key: other.key })).status, 404)
    const reader = await stage.makeKey(own.account, ['read', 'send', 'admin'])
    assert.equal((await call('POST', url, { key: reader })).status, 403)
    const twenty = await segment()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', `/segments/${twenty}/targets/${ann}`)),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204])
    assert.deepEqual(await members(twenty), [ann])
  })

  test('twenty concurrent requests create one membership', async () => {
    const id = await segment()
    const ann = await contact('ann@example.org')
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', `/targets/${ann}/segments/${id}`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...Array.from({ length: 19 }, () => 409)])
    assert.equal((await call('GET', `/segments/${id}`)).body.targetsCount, 1)
  })

  test('DELETE empties the segment without a body, removes listed members, and none with []', async () => {
    const id = await segment()
    const [ann, bob] = [await contact('ann@example.org'), await contact('bob@example.org')]
    await call('PUT', `/segments/${id}/targets`, { body: [ann, bob] })
    await call('DELETE', `/segments/${id}/targets`, { body: [] })
    assert.deepEqual(await members(id), [ann, bob])
    await call('DELETE', `/segments/${id}/targets`, { body: ['bob@example.org'] })
    assert.deepEqual(await members(id), [ann])
    assert.equal((await call('DELETE', `/segments/${id}/targets`, { body: {} })).status, 204)
    assert.deepEqual(await members(id), [])
  })

  test('a DELETE whose body is not understood takes nobody out of the segment', async () => {
    const id = await segment()
    const ann = await contact('ann@example.org')
    await call('PUT', `/segments/${id}/targets`, { body: [ann] })
    for (const body of [{ type: 'id', value: [ann] }, { targets: [ann] }, { value: [] }, 1, true, [[ann]]])
      assert.equal((await call('DELETE', `/segments/${id}/targets`, { body })).status, 400, JSON.stringify(body))
    assert.deepEqual(await members(id), [ann])
  })

  test('a dynamic segment refuses members, and is empty without criteria', async () => {
    const id = await segment({ type: 'dynamic' })
    const ann = await contact('ann@example.org')
    assert.equal((await call('PUT', `/segments/${id}/targets`, { body: [ann] })).status, 409)
    assert.equal((await call('DELETE', `/segments/${id}/targets`)).status, 409)
    assert.equal((await call('POST', `/targets/${ann}/segments/${id}`)).status, 409)
    assert.equal((await call('DELETE', `/targets/${ann}/segments/${id}`)).status, 409)
    assert.deepEqual(await members(id), [])
  })

  test("a target's segments include expired ones, and a deleted target leaves them", async () => {
    const id = await segment({ expiration: '2020-01-01' })
    const eve = await contact('eve@example.org')
    await call('PUT', `/segments/${id}/targets`, { body: [eve] })
    const { body } = await call('GET', `/targets/${eve}/segments`)
    assert.deepEqual(
      body.map((one: { id: number }) => one.id),
      [id],
    )
    await call('DELETE', `/targets/${eve}`)
    assert.equal((await call('GET', `/segments/${id}`)).body.targetsCount, 0)
  })

  test('the ids of members are paged', async () => {
    const id = await segment()
    const contacts = await Promise.all(['p1', 'p2', 'p3'].map((name) => contact(`${name}@example.org`)))
    await call('PUT', `/segments/${id}/targets`, { body: contacts })
    const first = await call('GET', `/segments/${id}/targets?limit=2`)
    const next = /<([^>]+)>/.exec(String(first.headers['link']))![1]!
    assert.deepEqual([...first.body, ...(await call('GET', next)).body], contacts.toSorted())
  })
})

suite('segments › in use', () => {
  const campaign = (selected: number[], excluded: number[] = []) =>
    stage.action({ type: 'mailCampaign', scheduler: { type: 'asap', segments: { selected, excluded } } })

  test('a segment selected by a validated campaign can be deleted only once the action is deleted', async () => {
    const id = await segment()
    await call('PUT', `/segments/${id}/targets`, { body: [await contact('held@example.org')] })
    const action = await campaign([id])
    await stage.put(action, { state: 50 })
    const refused = await call('DELETE', `/segments/${id}`)
    const { name } = await stage.get(action)
    assert.deepEqual([refused.status, refused.body.links], [409, [{ type: 'action', id: action, name }]])
    await stage.put(action, { state: 20 })
    assert.equal((await call('DELETE', `/actions/${action}`)).status, 204)
    assert.equal((await call('DELETE', `/segments/${id}`)).status, 204)
  })

  test("a campaign is sent to the dynamic segments' contacts at its start, without excluded ones", async () => {
    const field = (await call('POST', '/fields', { body: { type: 'numeric', name: 'Points' } })).body.id
    const points = (operator: string, value: number) => ({ type: 'field', field, operator, value })
    const people = await Promise.all([5, 15, 25, 35].map((n) => stage.contact(`points${n}@example.org`, { Points: n })))
    const base = await segment({ type: 'dynamic', criteria: points('greater', 10) })
    const selected = await segment({ type: 'dynamic', parentId: base, criteria: points('less', 100) })
    const excluded = await segment({ type: 'dynamic', criteria: points('equals', 35) })
    const action = await stage.validated(await campaign([selected], [excluded]))
    await call('PUT', `/targets/${people[0]}`, { body: { Points: 11 } })
    await call('PUT', `/targets/${people[1]}`, { body: { Points: 1 } })
    await stage.settle()
    const { body } = await call('GET', `/actions/${action}/events/activations`)
    const activations: { kind: string; receiver: { id: string } }[] = body.map(
      (event: { source: { detail: { activation: object } } }) => event.source.detail.activation,
    )
    const reached = activations.filter(({ kind }) => kind === 'campaign').map(({ receiver }) => receiver.id)
    assert.deepEqual(reached.toSorted(), [people[0], people[2]].toSorted())
  })

  test('a test is sent to the contacts of a dynamic test segment, unless there are more than 200', async () => {
    const crowd = await segment({ type: 'dynamic', isTest: true, criteria: { all: [] } })
    const rows = Array.from({ length: 201 }, (_, n) => ({ Email: `crowd${n}@example.org` }))
    await call('PUT', '/targets', { body: rows })
    const action = await stage.action()
    const ask = (testSegments: number[]) =>
      call('POST', `/actions/${action}/validation`, { body: { fortest: true, testSegments } })
    assert.equal((await ask([crowd])).body.type, 'urn:stentor:problem:test-too-large')
    const email = (await call('GET', '/fields')).body[0].id
    const criteria = {
      type: 'field',
      field: email,
      operator: 'in',
      value: ['CROWD7@example.org', 'crowd8@example.org'],
    }
    assert.equal((await ask([await segment({ type: 'dynamic', isTest: true, criteria })])).status, 204)
    await stage.settle()
    assert.equal((await stage.get(action)).informations.lastValidation.recipients, 2)
  })
})

suite('segments › counting', () => {
  test('a count that takes over two seconds is left to a job, and the previous one is shown', async () => {
    const id = await segment({ type: 'dynamic', criteria: { none: [{ type: 'bounce' }] } })
    const before = (await call('GET', `/segments/${id}`)).body
    assert.ok(before.targetsCount > 0)
    await contact('uncounted@example.org')
    clock.advance(61_000)
    const blocking = await context.pool.connect()
    try {
      await blocking.query('begin; lock table bounce_flags in access exclusive mode')
      assert.deepEqual((await call('GET', `/segments/${id}`)).body, before)
    } finally {
      await blocking.query('rollback')
      blocking.release()
    }
    await runDueJobs(context.pool, context.log, {
      'segments.count': (payload) => countSegment(context.db, payload, clock.now()),
    })
    const { body } = await call('GET', '/segments')
    const counted = body.find((one: { id: number }) => one.id === id)
    assert.deepEqual(
      [counted.targetsCount, counted.targetsCountDate],
      [before.targetsCount + 1, new Date(clock.now()).toISOString()],
    )
  })
})

suite('segments › another account', () => {
  test('its segments and targets are unknown in every operation', async () => {
    const theirs = await segment({}, other.key)
    const foreign = await contact('stranger@example.org', other.key)
    const ours = await segment()
    const ann = await contact('ann@example.org')
    const calls: [string, string, unknown?][] = [
      ['GET', `/segments/${theirs}`],
      ['PUT', `/segments/${theirs}`, { name: 'Mine now' }],
      ['DELETE', `/segments/${theirs}`],
      ['GET', `/segments/${theirs}/targets`],
      ['PUT', `/segments/${theirs}/targets`, [ann]],
      ['DELETE', `/segments/${theirs}/targets`],
      ['POST', `/targets/${ann}/segments/${theirs}`],
      ['DELETE', `/targets/${ann}/segments/${theirs}`],
      ['POST', `/targets/${foreign}/segments/${ours}`],
      ['GET', `/targets/${foreign}/segments`],
    ]
    for (const [method, url, body] of calls)
      assert.equal((await call(method, url, { body })).status, 404, `${method} ${url}`)
    assert.equal((await call('PUT', `/segments/${ours}/targets`, { body: [foreign] })).body, 0)
    assert.equal((await call('GET', `/segments/${theirs}`, { key: other.key })).status, 200)
  })
})
