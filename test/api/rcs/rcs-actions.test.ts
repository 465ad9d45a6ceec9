import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { formatActionId } from '../../../src/lib/ids.ts'
import { startStage } from '../../support/stages/stage.ts'

const { call, clock, context, own, other, contact, segment, makeKey } = await startStage()
clock.set('2026-03-02T10:00:00.000Z')
const PATH = '/channel/rcs/actions'
const spring = await segment([await contact('ann@shop.example')])

async function made(url: string, body: object, key: string = own.key) {
  const answer = await call('POST', url, { body, key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function profileOf(more: object = {}, key: string = own.key): Promise<number> {
  const body = { name: `Orchard ${Math.random()}`, agent: 'orchard_fr_k2', provider: { type: 'capture' }, ...more }
  return (await made('/channel/rcs/profiles', body, key)).id
}

await made('/fields', { name: 'Mobile', type: 'phone' }).catch(() => undefined)
const profile = await profileOf()
const content = { type: 'text', text: 'Hello {{ contact.Email }}' }
const scheduler = { type: 'scheduled', startDate: '2026-06-01T08:00:00.000Z', segments: { selected: [spring] } }
const whole = { settings: { profile }, content }

async function make(more: object = {}) {
  return made(PATH, { type: 'rcsMessage', name: 'Pear week', ...whole, ...more })
}

const ask = (method: string, path: string | number, body?: unknown, key: string = own.key) =>
  call(method, `${PATH}/${path}`, { ...(body !== undefined && { body }), key })

/** Puts an action where a test wants it; a campaign under way has a sending. */
async function put(id: number, state: number, paused = false): Promise<void> {
  await context.pool.query('update actions set state = $2 where id = $1', [id, state])
  await context.pool.query(
    `with version as (
      insert into content_versions (account, owner, owner_kind, source, links, created_at)
      select account, id, 'rcs', '{}', '[]', now() from actions where id = $1 and state = 55 and sending is null
      returning id, account, owner
    ), made as (
      insert into sendings (account, channel, source_kind, source, kind, version, lane, run, state, created_at)
      select account, 'rcs', 'rcs', owner, 'campaign', id, 2, uuidv7(), 'running', now() from version returning id, source
    )
    update actions a set sending = made.id from made where a.id = made.source`,
    [id],
  )
  await context.pool.query('update sendings set paused = $2 where source = $1', [id, paused])
}

suite('RCS actions', () => {
  test('an action without content is incomplete, and its validation names the content', async () => {
    const { id, state, ...rest } = await made(PATH, { type: 'rcsMessage', name: ' Pears ', settings: { profile } })
    assert.equal(typeof id, 'number')
    assert.deepEqual([state, rest.informations.state, rest.content, rest.fallback], [10, 10, null, null])
    assert.deepEqual(rest.settings, {
      profile,
      field: rest.settings.field,
      purpose: { type: 'marketing' },
      trafficType: null,
      expiration: null,
      consent: 0,
      priority: false,
      culture: 'fr-FR',
      mp: { use: true, increment: true, topic: null, priority: 50, onLimit: 'cancel', postponeHours: 24 },
      environment: {},
      templating: { version: '4.1' },
    })
    const refused = await ask('POST', `${id}/validation`)
    assert.equal(refused.status, 409)
    assert.deepEqual(refused.body.errors, [{ pointer: '/content', detail: 'content is missing.' }])
  })

  test('a PUT of the name alone keeps the content and moves state 50 to 20', async () => {
    const { id } = await make()
    const validated = await ask('POST', `${id}/validation`)
    assert.equal(validated.status, 204, validated.text)
    assert.equal((await ask('GET', id)).body.state, 50)
    const changed = await ask('PUT', id, { name: 'Pears' })
    assert.deepEqual([changed.status, changed.body.state, changed.body.content], [200, 20, content])
  })

  test('a second un-validation is 409, one of a deleted action is 410, and GET of it is 404', async () => {
    const { id } = await make()
    await ask('POST', `${id}/validation`, { comments: 'final' })
    assert.equal((await ask('DELETE', `${id}/validation`)).status, 204)
    assert.equal((await ask('DELETE', `${id}/validation`)).status, 409)
    assert.equal((await ask('DELETE', id)).status, 204)
    for (const method of ['POST', 'DELETE']) assert.equal((await ask(method, `${id}/validation`)).status, 410)
    assert.equal((await ask('GET', id)).status, 404)
  })

  test('a validation for test is 400 and keeps the state', async () => {
    const { id } = await make()
    const refused = await ask('POST', `${id}/validation`, { fortest: true })
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/fortest'])
    assert.equal((await ask('GET', id)).body.state, 20)
  })

  test('a carousel of 1 or 11 cards, or TALL media in SMALL cards, is 400 with its pointer', async () => {
    const card = { title: 'Pear' }
    const carousel = (cards: object[], width = 'MEDIUM') => ({ type: 'carousel', width, cards })
    const tall = { media: { height: 'TALL', file: { url: 'https://img.shop.example/pear.jpg' } } }
    for (const [bad, pointer] of [
      [carousel([card]), '/content/cards'],
      [carousel(Array(11).fill(card)), '/content/cards'],
      [carousel([card, tall], 'SMALL'), '/content/cards/1/media/height'],
      [{ type: 'poem' }, '/content/type'],
      [{ type: 'text', text: 'x'.repeat(3073) }, '/content/text'],
    ] as const) {
      const refused = await call('POST', PATH, { body: { type: 'rcsMessage', name: 'Pears', content: bad } })
      assert.equal(refused.status, 400, refused.text)
      assert.ok(
        refused.body.errors.some((fault: { pointer: string }) => fault.pointer.startsWith(pointer)),
        refused.text,
      )
    }
  })

  test('ids of another account, of its profiles and of the other family are unknown', async () => {
    const foreign = await profileOf({}, other.key)
    const { id } = await make()
    const mail = await made('/actions', { type: 'mailMessage', name: 'Mail' })
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', {}],
      ['PATCH', '', {}],
      ['DELETE', ''],
      ['POST', '/validation'],
      ['DELETE', '/validation'],
      ['POST', '/pause'],
      ['DELETE', '/pause'],
      ['POST', '/duplication'],
    ] as const) {
      assert.equal((await ask(method, `${id}${path}`, body, other.key)).status, 404, `${method} ${path}`)
      assert.equal((await ask(method, `${Number.parseInt(mail.id, 36)}${path}`, body)).status, 404, `${method} ${path}`)
    }
    for (const path of ['', '/archives', '/events', '/export/recipients'])
      assert.equal((await call('GET', `/actions/${formatActionId(id)}${path}`)).status, 404, path)
    assert.equal(
      (await call('POST', PATH, { body: { type: 'rcsMessage', name: 'P', settings: { profile: foreign } } })).status,
      404,
    )
    assert.equal((await ask('PUT', id, { settings: { profile: 99999 } })).status, 404)
    assert.ok(!(await call('GET', PATH, { key: other.key })).body.some((one: { id: number }) => one.id === id))
    assert.ok(!(await call('GET', '/actions')).body.some((one: { id: string }) => one.id === formatActionId(id)))
  })

  test('invalid members are 400 with pointers, unknown references 404, and missing rights 403', async () => {
    for (const [body, pointer] of [
      [{}, '/name'],
      [{ name: 'P', settings: { field: 999_999 } }, '/settings/field'],
      [{ name: 'P', settings: { purpose: { type: 'fun' } } }, '/settings/purpose/type'],
      [{ name: 'P', settings: { trafficType: 'FUN' } }, '/settings/trafficType'],
      [
        { name: 'P', settings: { expiration: { type: 'period', value: { unit: 'SECOND', value: 9 } } } },
        '/settings/expiration/value',
      ],
      [{ name: 'P', scheduler: {} }, '/scheduler'],
      [{ name: 'P', fallback: { type: 'sms', text: ' ' } }, '/fallback/text'],
    ] as const) {
      const refused = await call('POST', PATH, { body: { type: 'rcsMessage', ...body } })
      assert.deepEqual([refused.status, refused.body.errors?.[0].pointer], [400, pointer], refused.text)
    }
    for (const body of [{ informations: { category: 999_999 } }, { settings: { mp: { topic: crypto.randomUUID() } } }])
      assert.equal((await call('POST', PATH, { body: { type: 'rcsMessage', name: 'P', ...body } })).status, 404)
    const reader = await makeKey(own.account, ['read'])
    const { id } = await make()
    assert.equal((await ask('GET', id, undefined, reader)).status, 200)
    for (const path of ['validation', 'pause', 'duplication'])
      assert.equal((await ask('POST', `${id}/${path}`, undefined, reader)).status, 403, path)
  })

  test('PUT merges members but replaces content of another type, and PATCH replaces in both forms', async () => {
    const settings = { profile, purpose: { type: 'SERVICE' }, environment: { a: 1 }, trafficType: 'TRANSACTION' }
    const suggestions = [{ type: 'reply', text: 'Later' }]
    const { id, settings: shown } = await make({ settings, content: { ...content, suggestions } })
    assert.deepEqual([shown.purpose, shown.mp.use], [{ type: 'service' }, false])
    const merged = await ask('PUT', id, { settings: { environment: { b: 2 } }, content: { text: 'Pears' } })
    assert.deepEqual(merged.body.settings.environment, { a: 1, b: 2 })
    assert.deepEqual(merged.body.content, { type: 'text', text: 'Pears', suggestions })
    const file = { type: 'file', file: { url: 'https://img.shop.example/pear.jpg' } }
    assert.deepEqual((await ask('PUT', id, { content: file })).body.content, file)
    const same = await ask('PUT', id, (await ask('GET', id)).body)
    assert.deepEqual([same.status, same.body.content, same.body.settings.trafficType], [200, file, 'TRANSACTION'])
    const patched = await ask('PATCH', id, { settings: { trafficType: null, environment: null }, description: 'ripe' })
    assert.equal(patched.status, 200, patched.text)
    assert.deepEqual([patched.body.settings.trafficType, patched.body.settings.environment], [null, {}])
    assert.deepEqual(
      [patched.body.description, patched.body.content, patched.body.settings.profile],
      ['ripe', file, profile],
    )
    const operations = await ask('PATCH', id, [{ op: 'remove', path: '/content' }])
    assert.deepEqual([operations.status, operations.body.content, operations.body.state], [200, null, 10])
    assert.equal((await ask('PATCH', id, [{ op: 'test', path: '/name', value: 'x' }])).status, 409)
    assert.equal((await ask('PATCH', id, { name: null })).status, 400)
    assert.equal((await ask('PUT', id, { type: 'rcsCampaign' })).status, 409)
  })

  test('a refused validation is 409 with an entry for each reason and changes nothing', async () => {
    const inactive = await profileOf({ active: false, fallback: null })
    const { id } = await make({
      type: 'rcsCampaign',
      settings: { profile: inactive, consent: 1, purpose: { type: 'service' } },
      content: { type: 'text', text: '{{ contact.Firstname | }}{% if %}' },
      fallback: { type: 'sms', text: 'Pears' },
      scheduler: { type: 'scheduled', segments: { selected: [] } },
    })
    const refused = await ask('POST', `${id}/validation`)
    assert.equal(refused.status, 409, refused.text)
    assert.deepEqual(
      [...new Set(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer))],
      [
        '/settings/profile',
        '/fallback',
        '/content/text',
        '/scheduler/segments/selected',
        '/scheduler/startDate',
        '/settings/consent',
      ],
    )
    assert.equal((await ask('GET', id)).body.state, 20)
  })

  test('lists return whole actions by id and can be filtered', async () => {
    const { id } = await make({ type: 'rcsCampaign', scheduler })
    const all = (await call('GET', `${PATH}?type=rcsCampaign&state=20&creation_start=2026-03-01`)).body
    assert.deepEqual(
      all.find((one: { id: number }) => one.id === id),
      (await ask('GET', id)).body,
    )
    assert.ok(all.every((one: { type: string; state: number }) => one.type === 'rcsCampaign' && one.state === 20))
    assert.deepEqual((await call('GET', `${PATH}?creation_start=2027-01-01`)).body, [])
    for (const query of ['type=mailMessage', 'state=30', 'creation_start=2026-02-01&creation_end=2026-01-01'])
      assert.equal((await call('GET', `${PATH}?${query}`)).status, 400, query)
  })

  test('campaigns, categories and segments accept RCS actions', async () => {
    const category = await made('/categories', { name: 'Fruit' })
    const { id } = await make({ type: 'rcsCampaign', scheduler, informations: { category: category.id } })
    const item = { type: 'rcs', id }
    const campaign = await made('/campaigns', { name: 'Pears', items: [item, item] })
    assert.deepEqual(campaign.items, [item])
    const mail = await made('/actions', { type: 'mailMessage', name: 'Mail' })
    for (const [bad, status] of [
      [String(id), 400],
      [99_999, 404],
      [Number.parseInt(mail.id, 36), 404],
    ] as const)
      assert.equal(
        (await call('POST', `/campaigns/${campaign.id}/items`, { body: { type: 'rcs', id: bad } })).status,
        status,
      )
    assert.equal((await call('GET', `/campaigns/${campaign.id}/events`)).status, 200)
    const linked = await call('DELETE', `/segments/${spring}`)
    assert.equal(linked.status, 409)
    assert.ok(
      linked.body.links.some(
        (link: object) => JSON.stringify(link) === JSON.stringify({ type: 'rcs', id, name: 'Pear week' }),
      ),
    )
    await call('DELETE', `/categories/${category.id}`)
    assert.notEqual((await ask('GET', id)).body.informations.category, category.id)
    assert.equal((await ask('DELETE', id)).status, 204)
    assert.deepEqual((await call('GET', `/campaigns/${campaign.id}`)).body.items, [])
  })
})

const columns = ['10', '20', '50 message', '50 campaign', '55', '55 paused', '60', 'deleted'] as const
const whenRead = '200 200 200 200 200 200 200 404'
const judged = '200->10 200->20 200->20 200->20 409 409 409 404'

/** rcs.md 4: operation x state. */
const table: Record<string, [row: string, method: string, path: string, body?: unknown]> = {
  GET: [whenRead, 'GET', ''],
  PUT: [judged, 'PUT', '', {}],
  PATCH: [judged, 'PATCH', '', {}],
  'PUT of what is incomplete': [judged.replaceAll('->20', '->10'), 'PUT', '', { content: null }],
  DELETE: ['204 204 204 204 409 204 204 404', 'DELETE', ''],
  validation: ['409 204->50 409 409 409 409 409 410', 'POST', '/validation', {}],
  'un-validation': ['409 409 204->20 204->20 409 409 409 410', 'DELETE', '/validation'],
  pause: ['409 409 409 409 204 409 409 404', 'POST', '/pause'],
  resume: ['409 409 409 409 409 204 409 404', 'DELETE', '/pause'],
  duplication: ['200 200 200 200 200 200 200 410', 'POST', '/duplication'],
}

suite('RCS actions: operations by state', () => {
  for (const [name, [row, method, path, body]] of Object.entries(table)) {
    test(`${name} has the expected status and resulting state in every state`, async () => {
      for (const [index, where] of columns.entries()) {
        for (const type of ['rcsMessage', 'rcsCampaign']) {
          const isCampaign = type === 'rcsCampaign'
          if (where === '50 message' ? isCampaign : /^5|^60/.test(where) && !isCampaign) continue
          const more = { type, ...(isCampaign && { scheduler }), ...(where === '10' && { content: null }) }
          const { id } = await make(more)
          if (where === 'deleted') await ask('DELETE', id)
          else if (where.startsWith('50')) assert.equal((await ask('POST', `${id}/validation`)).status, 204)
          else await put(id, Number.parseInt(where, 10), where.endsWith('paused'))
          const before = (await ask('GET', id)).body
          const answer = await ask(method, `${id}${path}`, body)
          const [status, next = before.state] = row.split(' ')[index]!.split('->').map(Number)
          const place = `${method} ${path} of a ${type} in ${where}: ${answer.text}`
          assert.equal(answer.status, status, place)
          const after = await ask('GET', id)
          if (where === 'deleted' || (method === 'DELETE' && path === '' && status === 204)) {
            assert.equal(after.status, 404, place)
            continue
          }
          assert.deepEqual([after.body.state, after.body.informations.state], [next, next], place)
          const isPaused = path === '/pause' && status === 204 ? method === 'POST' : before.informations.paused
          assert.equal(after.body.informations.paused, isPaused, place)
          if (path === '/duplication') {
            assert.match(answer.body.name, / \(\d+\)$/)
            assert.deepEqual(
              [answer.body.state, answer.body.scheduler?.startDate ?? null],
              [where === '10' ? 10 : 20, null],
            )
          }
        }
      }
    })
  }
})
