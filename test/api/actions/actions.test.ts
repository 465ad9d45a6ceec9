import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'

const { call, clock, own, other, action, contact, get, put, segment, state } = await startStage()

const html = '<html><body>Come in</body></html>'

function pointers(answer: { body: { errors?: { pointer: string }[] } }): string[] {
  return (answer.body.errors ?? []).map(({ pointer }) => pointer)
}

async function count(): Promise<number> {
  return (await call('GET', '/actions')).body.length
}

suite('actions › create', () => {
  test('type and name suffice for an action in state 10, which shows every default', async () => {
    clock.set('2026-03-02T09:15:00.000Z')
    const { status, body } = await call('POST', '/actions', { body: { type: 'mailMessage', name: ' Bare ' } })
    assert.equal(status, 200)
    assert.match(body.id, /^[0-9A-Z]{6}$/)
    const { category } = body.informations
    assert.deepEqual(body, {
      type: 'mailMessage',
      id: body.id,
      state: 10,
      name: 'Bare',
      description: null,
      creationDate: '2026-03-02T09:15:00.000Z',
      updateDate: '2026-03-02T09:15:00.000Z',
      informations: { folder: 1, category, state: 10, paused: false, lastValidation: null },
      settings: {
        templating: { version: '4.1' },
        purpose: { type: 'marketing' },
        consent: 0,
        priority: false,
        environment: {},
        field: 1,
        sendingProfile: null,
        mp: { use: true, increment: true, topic: null, priority: 50, onLimit: 'cancel', postponeHours: 24 },
        webAnalyser: null,
        culture: 'fr-FR',
        editionMode: 1,
        contentFormat: 2,
        importance: false,
        useFormLinkSSL: true,
        performance: { openingRate: 0, clickRate: 0, unsubscribedRate: 0 },
        archive: false,
      },
      content: { headers: { from: {}, reply: null }, subject: null, html: null, text: null, amp: null },
    })
    assert.deepEqual(await get(body.id), body)
  })

  test('subject and html make an action complete in state 20', async () => {
    const { body } = await call('POST', '/actions', {
      body: { type: 'mailMessage', name: 'Whole', content: { subject: 'Hi', html } },
    })
    assert.deepEqual([body.state, body.informations.state, body.description], [20, 20, null])
  })

  test('text alone is complete with contentFormat 3, which editionMode 2 sets', async () => {
    const content = { subject: 'Hi', text: 'Come in' }
    const plain = await call('POST', '/actions', {
      body: { type: 'mailMessage', name: 'Text', settings: { editionMode: 2 }, content },
    })
    assert.deepEqual([plain.body.state, plain.body.settings.contentFormat], [20, 3])
    const other = await call('POST', '/actions', { body: { type: 'mailMessage', name: 'Text', content } })
    assert.equal(other.body.state, 10)
  })

  test('a new campaign has an asap scheduler and no monitor', async () => {
    const { body } = await call('POST', '/actions', { body: { type: 'mailCampaign', name: 'Spring' } })
    assert.deepEqual(body.scheduler, {
      type: 'asap',
      startDate: null,
      endDate: null,
      speed: 0,
      segments: { selected: [], excluded: [] },
      timeZoneField: null,
    })
    assert.equal(body.monitor, null)
  })

  test('an SMS action keeps its own settings and ignores those of email', async () => {
    await call('POST', '/fields', { body: { type: 'phone', name: 'Mobile' } })
    const { status, body } = await call('POST', '/actions', {
      body: {
        type: 'smsMessage',
        name: 'Parcel ready',
        informations: { folder: null, category: null },
        settings: { purpose: { type: 'service' }, countries: ['fra', 'ES'], archive: true },
        content: { textContent: 'Hello {{ contact.Firstname }}' },
      },
    })
    assert.equal(status, 200)
    assert.equal(body.state, 20)
    assert.deepEqual(body.content, { textContent: 'Hello {{ contact.Firstname }}' })
    assert.deepEqual(body.settings.countries, ['FRA', 'ESP'])
    assert.deepEqual([body.settings.smsFormat, body.settings.smsType, body.settings.sender], [3, 1, null])
    assert.deepEqual(body.settings.mp, {
      use: false,
      increment: false,
      topic: null,
      priority: 50,
      onLimit: 'cancel',
      postponeHours: 24,
    })
    assert.equal('archive' in body.settings, false)
  })

  test('a templating version given as a number is returned as a string', async () => {
    const body = { type: 'mailMessage', name: 'Numbered', settings: { templating: { version: 4.1 } } }
    const made = await call('POST', '/actions', { body })
    assert.equal(made.body.settings.templating.version, '4.1')
    const older = await call('POST', '/actions', { body: { ...body, settings: { templating: { version: 4 } } } })
    assert.equal(older.body.settings.templating.version, '4')
    const wrong = await call('POST', '/actions', { body: { ...body, settings: { templating: { version: '3' } } } })
    assert.deepEqual([wrong.status, pointers(wrong)], [400, ['/settings/templating/version']])
  })

  test("null for folder, category and culture means the account's default", async () => {
    const body = {
      type: 'mailMessage',
      name: 'Nulls',
      informations: { folder: null, category: null },
      settings: { culture: null },
    }
    const made = await call('POST', '/actions', { body })
    assert.deepEqual([made.status, made.body.informations.folder, made.body.settings.culture], [200, 1, 'fr-FR'])
  })

  test('0 is read as not set at creation and in an update', async () => {
    const zeros = {
      informations: { folder: 0, category: 0 },
      settings: { field: 0, sendingProfile: 0, webAnalyser: 0 },
    }
    const bare = { type: 'mailMessage', name: 'Zeros' }
    const plain = (await call('POST', '/actions', { body: bare })).body
    const { status, body: made } = await call('POST', '/actions', { body: { ...bare, ...zeros } })
    assert.equal(status, 200)
    assert.deepEqual({ ...made, id: plain.id }, plain)
    await call('PUT', '/settings/sending', { body: { webAnalysers: [{ id: 3, name: 'A', parameters: {} }] } })
    const { profiles } = (await call('GET', '/settings/sending')).body
    const own = profiles.find(({ channel }: { channel: string }) => channel === 'email').id
    const given = { informations: { folder: 9 }, settings: { sendingProfile: own } }
    const before = (await call('PUT', `/actions/${made.id}`, { body: given })).body
    const after = (await call('PUT', `/actions/${made.id}`, { body: zeros })).body
    assert.deepEqual(
      [after.informations.folder, after.informations.category, after.settings],
      [9, plain.informations.category, before.settings],
    )
    const wrong = await call('POST', '/actions', { body: { ...bare, settings: { sendingProfile: -1 } } })
    assert.deepEqual([wrong.status, pointers(wrong)], [400, ['/settings/sendingProfile']])
  })

  test('a purpose is accepted in any letter case, returned in lower case and refused if unknown', async () => {
    const bare = { type: 'mailMessage', name: 'Purposes' }
    for (const [given, shown] of [
      ['Marketing', 'marketing'],
      ['SERVICE', 'service'],
      ['service', 'service'],
    ]) {
      const { body } = await call('POST', '/actions', { body: { ...bare, settings: { purpose: { type: given } } } })
      assert.deepEqual([body.settings.purpose, body.settings.mp.use], [{ type: shown }, shown === 'marketing'])
    }
    const wrong = await call('POST', '/actions', { body: { ...bare, settings: { purpose: { type: 'spam' } } } })
    assert.deepEqual([wrong.status, pointers(wrong)], [400, ['/settings/purpose/type']])
    assert.match(wrong.body.errors[0].detail, /marketing.*service/)
  })

  test("the keyword for the profile's domain is returned as it was written", async () => {
    const headers = { from: { prefix: 'own', domain: 'defaultdomain' } }
    const id = await action({ content: { subject: 'Hi', html, headers } })
    assert.deepEqual((await get(id)).content.headers, { ...headers, reply: null })
    const { body } = await call('POST', `/actions/${id}/render`, { body: {} })
    assert.equal(body.sender.value, 'own@stentor.example')
  })

  test('unknown members of segments are ignored, and reported under strict handling', async () => {
    const [selected, tester] = [await segment([]), await segment([], { isTest: true })]
    for (const more of [
      { test: [tester] },
      { test: [999999] },
      { test: 'x' },
      { held: [1] },
      { selectd: 'all', id: 4 },
    ]) {
      const segments = { selected: [selected], ...more }
      const body = { type: 'mailCampaign', name: 'Roles', scheduler: { segments } }
      const made = await call('POST', '/actions', { body })
      assert.deepEqual([made.status, made.body.scheduler.segments], [200, { selected: [selected], excluded: [] }])
      const changed = await call('PUT', `/actions/${made.body.id}`, { body: { scheduler: { segments: more } } })
      assert.deepEqual([changed.status, changed.body.scheduler], [200, made.body.scheduler])
      const strict = await call('POST', '/actions', { body, headers: { prefer: 'handling=strict' } })
      const names = Object.keys(more).map((name) => `/scheduler/segments/${name}`)
      assert.deepEqual([strict.status, pointers(strict)], [400, names])
    }
    assert.equal((await call('DELETE', `/segments/${tester}`)).status, 204)
  })

  test('an empty scheduler gets the defaults of a new campaign', async () => {
    const bare = { type: 'mailCampaign', name: 'Bare' }
    const plain = (await call('POST', '/actions', { body: bare })).body
    for (const scheduler of [{}, { id: 79 }, null]) {
      const { status, body } = await call('POST', '/actions', { body: { ...bare, scheduler } })
      assert.deepEqual([status, body.scheduler], [200, plain.scheduler], JSON.stringify(scheduler))
    }
  })

  test('an invalid action is refused with a pointer and not created', async () => {
    const before = await count()
    const bare = { type: 'mailMessage', name: 'Refused' }
    const cases: [object, string][] = [
      [{ name: 'No type' }, '/type'],
      [{ type: 'mailMessage' }, '/name'],
      [{ ...bare, name: '   ' }, '/name'],
      [{ ...bare, name: 'x'.repeat(256) }, '/name'],
      [{ ...bare, type: 'letter' }, '/type'],
      [{ ...bare, description: 7 }, '/description'],
      [{ ...bare, description: 'x'.repeat(4001) }, '/description'],
      [{ ...bare, content: { headers: { from: 'ann@shop.example' } } }, '/content/headers/from'],
      [{ ...bare, content: { headers: { from: { prefix: 'a b' } } } }, '/content/headers/from/prefix'],
      [{ ...bare, content: { headers: { from: { domain: 'no domain' } } } }, '/content/headers/from/domain'],
      [{ ...bare, content: { subject: 'x'.repeat(999) } }, '/content/subject'],
      [{ ...bare, content: { html: 'x'.repeat(1_000_001) } }, '/content/html'],
      [{ ...bare, settings: { field: 999999 } }, '/settings/field'],
      [{ ...bare, settings: { culture: 'not a culture' } }, '/settings/culture'],
      [{ ...bare, settings: { environment: { a: 'x'.repeat(65_536) } } }, '/settings/environment'],
      [{ ...bare, settings: { performance: { clickRate: 101 } } }, '/settings/performance/clickRate'],
      [{ ...bare, scheduler: {} }, '/scheduler'],
      [{ ...bare, type: 'mailCampaign', scheduler: { speed: -1 } }, '/scheduler/speed'],
      [{ ...bare, type: 'mailCampaign', scheduler: { type: 'scheduled', startDate: 'soon' } }, '/scheduler/startDate'],
      [{ ...bare, type: 'mailCampaign', scheduler: { endDate: 9e14 } }, '/scheduler/endDate'],
      [
        { ...bare, type: 'mailCampaign', scheduler: { segments: { excluded: [1, 2, 3] } } },
        '/scheduler/segments/excluded',
      ],
      [{ ...bare, type: 'mailCampaign', scheduler: { timeZoneField: 1 } }, '/scheduler/timeZoneField'],
      [
        {
          ...bare,
          type: 'mailCampaign',
          scheduler: { type: 'scheduled', startDate: '2026-05-02', endDate: '2026-05-01' },
        },
        '/scheduler/endDate',
      ],
      [{ ...bare, type: 'smsMessage', settings: { countries: ['FRA', 'XXX'] } }, '/settings/countries/1'],
      [{ ...bare, type: 'smsMessage', settings: { sender: '!!' } }, '/settings/sender'],
    ]
    for (const [body, pointer] of cases) {
      const answer = await call('POST', '/actions', { body })
      assert.deepEqual([answer.status, pointers(answer)], [400, [pointer]], JSON.stringify(body).slice(0, 200))
    }
    assert.equal(await count(), before)
  })

  test('a category, profile, analyser, topic or segment unknown or of another account is 404 and creates nothing', async () => {
    const before = await count()
    const foreign = await call('POST', '/segments', { body: { type: 'static', name: 'Foreign' }, key: other.key })
    const bare = { type: 'mailCampaign', name: 'Refused' }
    const bodies = [
      { ...bare, informations: { category: 999999 } },
      { ...bare, settings: { sendingProfile: 99 } },
      { ...bare, settings: { webAnalyser: 99 } },
      { ...bare, settings: { mp: { topic: '0198c2d4-5b1e-7a60-9d3f-2c4e6a8b0d12' } } },
      { ...bare, scheduler: { segments: { selected: [999999] } } },
      { ...bare, scheduler: { segments: { excluded: [foreign.body.id] } } },
    ]
    for (const body of bodies)
      assert.equal((await call('POST', '/actions', { body })).status, 404, JSON.stringify(body))
    assert.equal(await count(), before)
  })

  test('an action without a field to send to is 409', async () => {
    const { fields } = await fieldsOf(other.key)
    assert.ok(fields.every(({ type }: { type: string }) => type !== 'phone'))
    const answer = await call('POST', '/actions', { body: { type: 'smsMessage', name: 'No phone' }, key: other.key })
    assert.deepEqual([answer.status, answer.body.type], [409, 'urn:stentor:problem:field-missing'])
  })
})

async function fieldsOf(key: string) {
  return { fields: (await call('GET', '/fields', { key })).body }
}

suite('actions › update', () => {
  test('a whole document can be sent back and only the differences change', async () => {
    const id = await action({
      type: 'mailCampaign',
      settings: { environment: { shop: { city: 'Lille', tags: ['a', 'b'] } } },
      scheduler: { type: 'scheduled', startDate: '2026-03-20T08:00:00Z', segments: { selected: [await segment([])] } },
    })
    const before = await get(id)
    clock.advance(1000)
    const content = { ...before.content, subject: 'Another' }
    const strict = { prefer: 'handling=strict' }
    const { status, body } = await call('PUT', `/actions/${id}`, { body: { ...before, content }, headers: strict })
    assert.equal(status, 200)
    assert.deepEqual(body, { ...before, content, updateDate: new Date(clock.now()).toISOString() })
  })

  test('merges objects member by member and replaces arrays', async () => {
    const [first, second] = [await segment([]), await segment([])]
    const id = await action({
      type: 'mailCampaign',
      content: { subject: 'Hi', html, headers: { from: { prefix: 'news', label: 'The Shop' } } },
      settings: { environment: { a: 1, b: { c: 2 } } },
      scheduler: { segments: { selected: [first], excluded: [second] } },
    })
    const change = {
      content: { headers: { from: { label: 'Shop' } } },
      settings: { environment: { b: { d: 3 } } },
      scheduler: { segments: { selected: [second, first, second] } },
    }
    const { body } = await call('PUT', `/actions/${id}`, { body: change })
    assert.deepEqual(body.content.headers, { from: { prefix: 'news', label: 'Shop' }, reply: null })
    assert.deepEqual(body.settings.environment, { a: 1, b: { c: 2, d: 3 } })
    assert.deepEqual(body.scheduler.segments, { selected: [second, first], excluded: [second] })
    assert.equal(body.content.html, html)
  })

  test('reassesses the state of an action, even with an empty body', async () => {
    const id = await action()
    await put(id, { state: 10 })
    assert.equal((await call('PUT', `/actions/${id}`, { body: {} })).body.state, 20)
    assert.equal((await call('PUT', `/actions/${id}`, { body: { content: { subject: null } } })).body.state, 10)
  })

  test('pressure settings follow the purpose except where the client set them', async () => {
    const id = await action({ settings: { mp: { increment: true } } })
    const { body } = await call('PUT', `/actions/${id}`, { body: { settings: { purpose: { type: 'service' } } } })
    assert.deepEqual(body.settings.mp, {
      use: false,
      increment: true,
      topic: null,
      priority: 50,
      onLimit: 'cancel',
      postponeHours: 24,
    })
  })

  test('a different type is 409 and changes nothing', async () => {
    const id = await action()
    const before = await get(id)
    const answer = await call('PUT', `/actions/${id}`, { body: { type: 'mailCampaign', name: 'Other' } })
    assert.deepEqual([answer.status, answer.body.type], [409, 'urn:stentor:problem:type-fixed'])
    assert.deepEqual(await get(id), before)
  })

  test('a zoned start date loses its offset, and an asap start has no date', async () => {
    const id = await action({
      type: 'mailCampaign',
      scheduler: { type: 'timeZoneSchedule', startDate: '2026-03-20T09:00:00+01:00' },
    })
    assert.equal((await get(id)).scheduler.startDate, '2026-03-20T09:00:00.000Z')
    const { body } = await call('PUT', `/actions/${id}`, { body: { scheduler: { type: 'asap' } } })
    assert.equal(body.scheduler.startDate, null)
  })

  test('an outdated If-Match is 412 and changes nothing', async () => {
    const id = await action()
    const { headers } = await call('GET', `/actions/${id}`)
    const etag = String(headers['etag'])
    assert.equal(
      (await call('PUT', `/actions/${id}`, { body: { name: 'New' }, headers: { 'if-match': etag } })).status,
      200,
    )
    assert.equal(
      (await call('PUT', `/actions/${id}`, { body: { name: 'Newer' }, headers: { 'if-match': etag } })).status,
      412,
    )
    assert.equal((await call('DELETE', `/actions/${id}`, { headers: { 'if-match': etag } })).status, 412)
    assert.equal((await get(id)).name, 'New')
  })
})

suite('actions › delete', () => {
  test("makes the id unknown and releases the action's segments", async () => {
    const used = await segment([])
    const id = await action({ type: 'mailCampaign', scheduler: { segments: { selected: [used] } } })
    assert.equal((await call('DELETE', `/segments/${used}`)).status, 409)
    assert.equal((await call('DELETE', `/actions/${id}`)).status, 204)
    assert.equal((await call('GET', `/actions/${id}`)).status, 404)
    assert.equal((await call('PUT', `/actions/${id}`, { body: {} })).status, 404)
    assert.equal((await call('DELETE', `/actions/${id}`)).status, 404)
    assert.equal((await call('DELETE', `/segments/${used}`)).status, 204)
    const made = await action()
    assert.ok(made > id)
  })
})

suite('actions › list', () => {
  test('returns the actions created in a period by ascending id, start inclusive and end exclusive', async () => {
    clock.set('2026-06-01T00:00:00Z')
    const first = await action()
    clock.set('2026-06-02T00:00:00Z')
    const second = await action({
      type: 'mailCampaign',
      scheduler: { type: 'scheduled', startDate: '2026-07-01T00:00:00Z' },
    })
    clock.set('2026-06-03T00:00:00Z')
    await action()
    const { body } = await call('GET', '/actions?creation_start=2026-06-01&creation_end=2026-06-03')
    assert.deepEqual(
      body.map(({ id }: { id: string }) => id),
      [first, second],
    )
    const { name, informations } = await get(second)
    assert.deepEqual(body[1], {
      type: 'mailCampaign',
      id: second,
      name,
      creationDate: '2026-06-02T00:00:00.000Z',
      informations: { folder: 1, category: informations.category, state: 20 },
      state: 20,
      settings: { templating: { version: '4.1' } },
      scheduler: { type: 'scheduled', startDate: '2026-07-01T00:00:00.000Z', endDate: null },
      monitor: null,
    })
  })

  test('is paged by limit and after, and omits deleted actions', async () => {
    const id = await action()
    await call('DELETE', `/actions/${id}`)
    const whole = (await call('GET', '/actions')).body
    assert.ok(whole.every((one: { id: string }) => one.id !== id))
    const page = await call('GET', '/actions?limit=2')
    const next = /<([^>]+)>/.exec(String(page.headers['link']))?.[1] ?? ''
    assert.deepEqual([...page.body, ...(await call('GET', next)).body], whole.slice(0, 4))
  })

  test('refuses an invalid date and an end before the start', async () => {
    for (const query of ['creation_start=tomorrow', 'creation_start=2026-02-01&creation_end=2026-01-01']) {
      assert.equal((await call('GET', `/actions?${query}`)).status, 400, query)
    }
  })
})

suite('actions › duplication', () => {
  test('copies a finished campaign with a new id, a numbered name, state 20 and no dates', async () => {
    const id = await action({
      type: 'mailCampaign',
      name: 'Spring opening',
      description: 'words',
      informations: { folder: 4 },
      scheduler: {
        type: 'scheduled',
        startDate: '2026-03-20T08:00:00Z',
        endDate: '2026-03-21',
        segments: { selected: [await segment([])] },
      },
    })
    await put(id, { state: 60 })
    const source = await get(id)
    const { status, body } = await call('POST', `/actions/${id}/duplication`)
    assert.equal(status, 200)
    assert.notEqual(body.id, id)
    const now = new Date(clock.now()).toISOString()
    assert.deepEqual(body, {
      ...source,
      id: body.id,
      name: 'Spring opening (1)',
      state: 20,
      informations: { ...source.informations, state: 20 },
      creationDate: now,
      updateDate: now,
      scheduler: { ...source.scheduler, startDate: null, endDate: null },
    })
    assert.equal((await call('POST', `/actions/${id}/duplication`)).body.name, 'Spring opening (2)')
    assert.equal(await state(id), 60)
  })

  test('shortens the name so that its number fits', async () => {
    const id = await action({ name: 'x'.repeat(255) })
    const { body } = await call('POST', `/actions/${id}/duplication?folder=9`)
    assert.equal(body.name, `${'x'.repeat(251)} (1)`)
    assert.equal(body.informations.folder, 9)
  })

  test('turns a message into a campaign without segments, and a campaign into a message without scheduler', async () => {
    const message = await action()
    const campaign = (await call('POST', `/actions/${message}/duplication?type=2`)).body
    assert.deepEqual(
      [campaign.type, campaign.scheduler.type, campaign.scheduler.segments],
      ['mailCampaign', 'asap', { selected: [], excluded: [] }],
    )
    const copy = (await call('POST', `/actions/${campaign.id}/duplication?type=1`)).body
    assert.deepEqual([copy.type, 'scheduler' in copy, 'monitor' in copy], ['mailMessage', false, false])
  })

  test('0 for type and folder is read as not set', async () => {
    const id = await action({ type: 'mailCampaign', informations: { folder: 7 } })
    const { status, body } = await call('POST', `/actions/${id}/duplication?type=0&folder=0`)
    assert.deepEqual([status, body.type, body.informations.folder], [200, 'mailCampaign', 7])
  })

  test('refuses an unknown type number and a type of the other channel', async () => {
    const id = await action()
    for (const type of [-1, 5, 3, 4])
      assert.equal((await call('POST', `/actions/${id}/duplication?type=${type}`)).status, 400, String(type))
  })
})

suite('actions › categories', () => {
  test('actions of a deleted category show the default one, and their states do not change', async () => {
    const { body: category } = await call('POST', '/categories', { body: { name: 'Newsletters' } })
    const id = await action({ informations: { category: category.id } })
    await put(id, { state: 50 })
    assert.equal((await get(id)).informations.category, category.id)
    assert.equal((await call('DELETE', `/categories/${category.id}`)).status, 204)
    const { informations } = await get(id)
    assert.deepEqual([informations.category, informations.state], [1, 50])
    assert.equal((await call('DELETE', '/categories/1')).status, 409)
  })
})

suite('actions › another account', () => {
  test('cannot reach these actions by any operation', async () => {
    const id = await action()
    await contact('someone@shop.example')
    const item = { recipient: { type: 'unicity', value: ['someone@shop.example'] } }
    const operations: [string, string, unknown?][] = [
      ['GET', ''],
      ['PUT', '', { name: 'Taken' }],
      ['DELETE', ''],
      ['POST', '/duplication'],
      ['POST', '/validation', { fortest: true, mediaForTest: 'a@desk.example' }],
      ['POST', '/validation', {}],
      ['DELETE', '/validation'],
      ['POST', '/pause'],
      ['DELETE', '/pause'],
      ['POST', '/execution', item],
      ['POST', '/executions', [item]],
      ['POST', '/render', {}],
      ['POST', '/renders', []],
    ]
    const before = await get(id)
    for (const [method, path, body] of operations) {
      const foreign = await call(method, `/actions/${id}${path}`, { body, key: other.key })
      const unknown = await call(method, `/actions/ZZZZZZ${path}`, { body, key: own.key })
      assert.deepEqual([foreign.status, unknown.status], [404, 404], `${method} ${path}`)
    }
    assert.deepEqual(await get(id), before)
    assert.equal((await call('GET', '/actions', { key: other.key })).body.length, 0)
  })
})
