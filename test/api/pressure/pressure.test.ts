import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { type Colleague, colleague } from '../../support/stages/colleagues.ts'
import { limit, pressureTools } from '../../support/stages/pressure.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, context, own, other, makeKey } = stage
const { topic, rule, withoutRules, contact, mail } = pressureTools(stage)
await call('PUT', '/settings/sending', { body: { testRequired: false } })

const [TOPICS, RULES] = ['/marketing/pressure/topics', '/marketing/pressure/rules']
const SETTING = '/settings/marketing/pressure/topic'
const put = (url: string, body: unknown) =>
  call('PUT', url, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
const pointers = ({ body }: { body: { errors?: { pointer: string }[] } }) => body.errors?.map(({ pointer }) => pointer)

suite('topics and rules of marketing pressure', () => {
  test('a new account has no topics or rules and requires no topic', async () => {
    for (const url of [TOPICS, RULES]) assert.deepEqual((await call('GET', url)).body, [])
    const { status, body } = await call('GET', SETTING)
    assert.deepEqual([status, body], [200, false])
  })

  test('the person or key that created or changed a topic or a rule is named', async () => {
    const [ann, bob] = [await colleague(stage, 'admin'), await colleague(stage, 'admin')]
    const personOf = ({ id, name }: Colleague) => ({ type: 'person', id, name })
    for (const [url, body] of [
      [TOPICS, { label: 'By Ann' }],
      [RULES, { label: 'By Ann', predicate: { type: 'and', expressions: [limit(3)] } }],
    ] as const) {
      const made = (await ann.call('POST', url, { body })).body
      const whoOf = ({ createdBy, modifiedBy, who }: typeof made) => ({ createdBy, modifiedBy, who })
      assert.deepEqual(whoOf(made), {
        createdBy: ann.name,
        modifiedBy: ann.name,
        who: { creation: personOf(ann), modification: personOf(ann) },
      })
      const changed = (await bob.call('PUT', `${url}/${made.id}`, { body: { label: 'By Bob' } })).body
      assert.deepEqual(whoOf(changed), {
        createdBy: ann.name,
        modifiedBy: bob.name,
        who: { creation: personOf(ann), modification: personOf(bob) },
      })
      const { body: again } = await call('PUT', `${url}/${made.id}`, { body: changed })
      assert.deepEqual(
        [again.createdBy, again.who.creation, again.who.modification.type],
        [ann.name, personOf(ann), 'key'],
      )
      assert.equal((await call('DELETE', `${url}/${made.id}`)).status, 204)
    }
  })

  test('the topic setting accepts only a bare boolean', async () => {
    const changed = await put(SETTING, true)
    assert.deepEqual([changed.status, changed.body], [200, true])
    for (const given of ['true', 1, null, {}, []]) assert.equal((await put(SETTING, given)).status, 400, String(given))
    assert.equal((await call('GET', SETTING)).body, true)
    assert.equal((await put(SETTING, false)).body, false)
  })

  test('a topic is created, listed by label, changed and deleted', async () => {
    const made = await call('POST', TOPICS, { body: { label: '  Fresh fruit ', description: 'Apples' } })
    assert.equal(made.status, 200, made.text)
    const { id, stamp, ...shown } = made.body
    assert.deepEqual(shown, {
      label: 'Fresh fruit',
      description: 'Apples',
      createdBy: shown.createdBy,
      modifiedBy: shown.createdBy,
      who: { creation: shown.who.creation, modification: shown.who.creation },
    })
    assert.deepEqual([shown.who.creation.type, shown.who.creation.name], ['key', shown.createdBy])
    assert.notEqual(shown.createdBy, '')
    assert.equal(stamp.creation, stamp.modification)
    const second = await topic('apples')
    const listed = (await call('GET', TOPICS)).body
    assert.deepEqual(
      listed.map(({ id }: { id: string }) => id),
      [second, id],
    )
    const page = await call('GET', `${TOPICS}?limit=1`)
    assert.match(String(page.headers['link']), /rel="next"/)
    assert.deepEqual((await call('GET', `${TOPICS}/${id.toUpperCase()}`)).body, made.body)
    const changed = await call('PUT', `${TOPICS}/${id}`, { body: { description: null } })
    assert.deepEqual([changed.body.label, changed.body.description], ['Fresh fruit', null])
    assert.equal((await call('PUT', `${TOPICS}/${id}`, { body: { label: 'APPLES' } })).status, 409)
    assert.equal((await call('POST', TOPICS, { body: { label: 'fresh FRUIT' } })).status, 409)
    for (const label of ['', '   ', 'x'.repeat(101), undefined])
      assert.deepEqual(pointers(await call('POST', TOPICS, { body: { label } })), ['/label'])
    const long = await call('POST', TOPICS, { body: { label: 'Long', description: 'x'.repeat(501) } })
    assert.deepEqual(pointers(long), ['/description'])
    assert.equal((await call('DELETE', `${TOPICS}/${second}`)).status, 204)
    assert.equal((await call('GET', `${TOPICS}/${second}`)).status, 404)
    assert.equal((await topic('apples')) === second, false)
  })

  test('an account has at most 500 topics and 50 rules', async () => {
    const fresh = await stage.makeAccount('FULL001')
    const post = (url: string, body: object) => call('POST', url, { body, key: fresh.key })
    await sql`
      insert into pressure_topics (id, account, number, label, label_folded, created_at, updated_at, created_by, modified_by)
      select uuidv7(), ${fresh.account}, n, n::text, n::text, now(), now(), '', '' from generate_series(1, 499) as n`.execute(
      context.db,
    )
    assert.equal((await post(TOPICS, { label: 'Last' })).status, 200)
    assert.equal((await post(TOPICS, { label: 'One more' })).status, 409)
    const predicate = { type: 'and', expressions: [limit(1)] }
    await sql`
      insert into pressure_rules (id, account, label, label_folded, active, predicate, created_at, updated_at, created_by, modified_by)
      select uuidv7(), ${fresh.account}, n::text, n::text, false, '{"type":"and","expressions":[]}', now(), now(), '', '' from generate_series(1, 49) as n`.execute(
      context.db,
    )
    assert.equal((await post(RULES, { label: 'Last', predicate })).status, 200)
    assert.equal((await post(RULES, { label: 'One more', predicate })).status, 409)
  })

  test('a rule is created with its defaults, changed and deleted', async () => {
    const named = await topic()
    const window = { from: '22:00', to: '08:00', daysOfWeek: [7, 1, 1] }
    const expressions = [limit(3), limit(0, { channels: ['sms', 'sms'], topics: [named], purposes: [], window })]
    const made = await call('POST', RULES, { body: { label: 'Three a week', predicate: { type: 'and', expressions } } })
    assert.equal(made.status, 200, made.text)
    const period = { type: 'rolling', unit: 'DAY', value: 7 }
    const common = { reserve: 0, reservePriority: 50 }
    assert.deepEqual(made.body.predicate, {
      type: 'and',
      expressions: [
        { ...common, type: 'limit', count: 3, period, channels: [], topics: [], purposes: ['marketing'], window: null },
        {
          ...common,
          type: 'limit',
          count: 0,
          period,
          channels: ['sms'],
          topics: [named],
          purposes: [],
          window: { ...window, daysOfWeek: [1, 7] },
        },
      ],
    })
    assert.equal(made.body.active, true)
    const { id } = made.body
    const changed = await call('PUT', `${RULES}/${id}`, { body: { active: false } })
    assert.deepEqual([changed.body.active, changed.body.predicate], [false, made.body.predicate])
    const read = await call('GET', `${RULES}/${id}`)
    assert.deepEqual(read.body, changed.body)
    const stale = await call('PUT', `${RULES}/${id}`, { body: { active: true }, headers: { 'if-match': '"other"' } })
    assert.equal(stale.status, 412)
    assert.equal(
      (await call('POST', RULES, { body: { label: 'three A week', predicate: read.body.predicate } })).status,
      409,
    )
    const again = await call('PUT', `${RULES}/${id}`, { body: read.body })
    assert.equal(again.status, 200, again.text)
    assert.equal((await call('DELETE', `${RULES}/${id}`)).status, 204)
    assert.equal((await call('DELETE', `${RULES}/${id}`)).status, 404)
  })

  test('a fault in an expression is 400 with its pointer, an unknown topic is 404', async () => {
    const at = '/predicate/expressions/1'
    const period = (change: object) => ({ period: { type: 'rolling', unit: 'DAY', value: 7, ...change } })
    const faults: [object, string][] = [
      [limit(1, { type: 'total' }), `${at}/type`],
      [limit(-1), `${at}/count`],
      [limit(1001), `${at}/count`],
      [limit(1, period({ value: 93 })), `${at}/period/value`],
      [limit(1, period({ unit: 'MONTH', value: 4 })), `${at}/period/value`],
      [limit(1, period({ unit: 'HOUR', value: 2209 })), `${at}/period/value`],
      [limit(1, period({ unit: 'WEEK', value: 14 })), `${at}/period/value`],
      [limit(1, period({ unit: 'YEAR' })), `${at}/period/unit`],
      [limit(1, { channels: ['fax'] }), `${at}/channels/0`],
      [limit(3, { reserve: 3 }), `${at}/reserve`],
      [limit(3, { window: { from: '24:00', to: '08:00' } }), `${at}/window/from`],
      [limit(3, { window: { from: '22:00', to: '08:00', daysOfWeek: [8] } }), `${at}/window/daysOfWeek/0`],
    ]
    for (const [fault, pointer] of faults) {
      const body = { label: 'Faulty', predicate: { type: 'and', expressions: [limit(1), fault] } }
      const answer = await call('POST', RULES, { body })
      assert.equal(answer.status, 400, answer.text)
      assert.deepEqual(pointers(answer), [pointer])
    }
    const none = { label: 'Faulty', predicate: { type: 'and', expressions: [] } }
    assert.equal((await call('POST', RULES, { body: none })).status, 400)
    const unknown = { type: 'and', expressions: [limit(1, { topics: [crypto.randomUUID()] })] }
    assert.equal((await call('POST', RULES, { body: { label: 'Unknown', predicate: unknown } })).status, 404)
  })

  test('a topic in use cannot be deleted, and the objects that name it are listed', async () => {
    const id = await topic('Named')
    const made = await rule([limit(1, { topics: [id] })])
    const action = await stage.action({ name: 'Names it', settings: { mp: { topic: id.toUpperCase() } } })
    assert.equal((await stage.get(action)).settings.mp.topic, id)
    const refused = await call('DELETE', `${TOPICS}/${id}`)
    assert.equal(refused.status, 409)
    assert.deepEqual(refused.body.links, [
      { type: 'rule', id: made.id, name: made.label },
      { type: 'action', id: action, name: 'Names it' },
    ])
    await withoutRules()
    assert.deepEqual((await call('DELETE', `${TOPICS}/${id}`)).body.links.length, 1)
    await call('PUT', `/actions/${action}`, { body: { settings: { mp: { topic: null } } } })
    assert.equal((await call('DELETE', `${TOPICS}/${id}`)).status, 204)
    const gone = await call('PUT', `/actions/${action}`, { body: { settings: { mp: { topic: id } } } })
    assert.equal(gone.status, 404)
  })

  test('ids of another account are unknown', async () => {
    const key = other.key
    const [named, made, person] = [await topic(), await rule([limit(1)]), await contact()]
    for (const url of [`${TOPICS}/${named}`, `${RULES}/${made.id}`])
      for (const method of ['GET', 'PUT', 'DELETE'])
        assert.equal(
          (await call(method, url, { key, ...(method === 'PUT' && { body: { label: 'X' } }) })).status,
          404,
          url,
        )
    assert.equal((await call('GET', `/targets/${person}/pressure`, { key })).status, 404)
    const predicate = { type: 'and', expressions: [limit(1, { topics: [named] })] }
    assert.equal((await call('POST', RULES, { key, body: { label: 'Foreign', predicate } })).status, 404)
    assert.deepEqual((await call('GET', RULES, { key })).body, [])
    await withoutRules()
  })

  test('reading requires the right to read, changes that of an administrator', async () => {
    const key = await makeKey(own.account, ['read', 'write', 'send'])
    assert.equal((await call('GET', RULES, { key })).status, 200)
    assert.equal((await call('POST', TOPICS, { key, body: { label: 'Mine' } })).status, 403)
    assert.equal(
      (await call('PUT', SETTING, { key, body: 'true', headers: { 'content-type': 'application/json' } })).status,
      403,
    )
  })

  test('the time zone of contacts comes from a text field of the account', async () => {
    const URL = '/settings/marketing/pressure'
    const { body: zone } = await call('POST', '/fields', { body: { type: 'textField', name: 'Zone' } })
    const { body: age } = await call('POST', '/fields', { body: { type: 'numeric', name: 'Age' } })
    assert.deepEqual((await call('GET', URL)).body, { timeZoneField: null })
    assert.deepEqual((await call('PUT', URL, { body: { timeZoneField: zone.id } })).body, { timeZoneField: zone.id })
    for (const timeZoneField of [age.id, 99_999, 'x'])
      assert.deepEqual(pointers(await call('PUT', URL, { body: { timeZoneField } })), ['/timeZoneField'])
    assert.deepEqual((await call('PUT', URL, { body: {} })).body, { timeZoneField: zone.id })
    assert.deepEqual((await call('PUT', URL, { body: { timeZoneField: null } })).body, { timeZoneField: null })
  })
})

suite('the required topic of marketing actions', () => {
  const validate = (id: string, body: object) => call('POST', `/actions/${id}/validation`, { body })

  test('is needed for production when the account requires it, not for tests and service messages', async () => {
    await put(SETTING, true)
    const id = await stage.action()
    assert.equal((await validate(id, { fortest: true, mediaForTest: 'proof@desk.example' })).status, 204)
    await stage.settle()
    const refused = await validate(id, { fortest: false })
    assert.equal(refused.status, 409)
    assert.match(refused.body.detail, /settings\.mp\.topic/)
    await mail({ mp: { topic: await topic() } })
    await mail({ purpose: { type: 'service' } })
    await put(SETTING, false)
  })

  test('does not stop an action validated before it was required', async () => {
    const id = await mail()
    await put(SETTING, true)
    const tools = pressureTools(stage)
    assert.equal(await tools.send(id, await contact()), 'accepted')
    await put(SETTING, false)
  })

  test('members of settings.mp follow the purpose unless they are given', async () => {
    const defaults = { topic: null, priority: 50, onLimit: 'cancel', postponeHours: 24 }
    const id = await stage.action({ settings: { mp: { increment: false, priority: 70 } } })
    const mp = async () => (await stage.get(id)).settings.mp
    assert.deepEqual(await mp(), { ...defaults, use: true, increment: false, priority: 70 })
    await call('PUT', `/actions/${id}`, { body: { settings: { purpose: { type: 'service' } } } })
    assert.deepEqual(await mp(), { ...defaults, use: false, increment: false, priority: 70 })
    for (const [member, value] of [
      ['priority', 101],
      ['postponeHours', 169],
      ['onLimit', 'wait'],
      ['topic', 'x'],
    ] as const)
      assert.deepEqual(
        pointers(await call('PUT', `/actions/${id}`, { body: { settings: { mp: { [member]: value } } } })),
        [`/settings/mp/${member}`],
      )
  })
})
