import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { type CallOptions, startHarness } from '../../support/harness.ts'
import { storedApplication } from '../../support/stages/push-applications.ts'

const harness = await startHarness()
const { call, clock, context, makeKey, own, other } = harness
const PATH = '/notifications'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MINUTE = 60_000
const PRESSURE = { priority: 50, onLimit: 'cancel', postponeHours: 24 }

let made = 0
const texts = { title: 'Twenty off', body: 'Tonight only' }
const master = (more: object = {}) => ({ master: true, content: texts, ...more })

async function make(more: object = {}, options: CallOptions = {}) {
  const answer = await call('POST', PATH, { body: { type: 'push-app', name: `Sale ${++made}`, ...more }, ...options })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function ready(more: object = {}, settings: object = {}) {
  const application = await storedApplication(harness)
  return make({ settings: { application, ...settings }, versions: [master()], ...more })
}

async function activated(more: object = {}) {
  const one = await ready(more)
  const answer = await call('POST', `${PATH}/${one.id}/activation`)
  assert.equal(answer.status, 204, answer.text)
  return one
}

async function segment(more: object = {}, options: CallOptions = {}): Promise<number> {
  const answer = await call('POST', '/segments', {
    body: { type: 'static', name: `Buyers ${++made}`, ...more },
    ...options,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

async function refused(status: number, pointer: string | undefined, answer: ReturnType<typeof call>) {
  const { status: given, body, text } = await answer
  assert.equal(given, status, text)
  if (pointer !== undefined)
    assert.ok(
      body.errors.some((error: { pointer: string }) => error.pointer === pointer),
      text,
    )
  return body
}

const put = (id: number, body: object) => call('PUT', `${PATH}/${id}`, { body })
const get = async (id: number) => (await call('GET', `${PATH}/${id}`)).body

suite('notifications', () => {
  test('are inactive with one master version when created from a minimal body', async () => {
    const now = new Date(clock.now()).toISOString()
    const body = await make({ name: 'Flash sale' })
    const [version] = body.versions
    assert.match(version.id, UUID)
    assert.deepEqual(body, {
      type: 'push-app',
      id: body.id,
      name: 'Flash sale',
      description: null,
      active: false,
      stamp: { creation: now, modification: now },
      settings: {
        application: null,
        urgent: false,
        purpose: { type: 'marketing' },
        expiration: null,
        mp: { use: true, increment: true, topic: null, ...PRESSURE },
        culture: 'fr-FR',
      },
      task: null,
      versions: [
        {
          id: version.id,
          name: null,
          master: true,
          condition: null,
          content: { title: null, body: null, icon: null, thumbnail: null, image: null, buttons: [] },
          redirection: null,
          channel: null,
        },
      ],
    })
    assert.deepEqual(await get(body.id), body)
  })

  test('require a type and a name, and report each fault with a pointer', async () => {
    const post = (body: unknown) => call('POST', PATH, { body })
    await refused(400, '/type', post({ name: 'Sale' }))
    await refused(400, '/name', post({ type: 'push-app' }))
    await refused(400, '/name', post({ type: 'push-app', name: '  ' }))
    await refused(400, undefined, post({ type: 'push-web', name: 'Sale' }))
    await refused(400, undefined, post({ type: 'push-app', name: 'a'.repeat(256) }))
    await refused(400, undefined, post({ type: 'push-app', name: 'Sale', versions: [] }))
    await refused(
      400,
      '/settings/culture',
      post({ type: 'push-app', name: 'Sale', settings: { culture: 'nowhere at all' } }),
    )
    const buttons = Array.from({ length: 4 }, () => ({ title: 'Open' }))
    await refused(
      400,
      undefined,
      post({ type: 'push-app', name: 'Sale', versions: [master({ content: { buttons } })] }),
    )
    assert.equal((await call('POST', PATH, { body: 'x', headers: { 'content-type': 'text/plain' } })).status, 415)
  })

  test('have exactly one master version', async () => {
    await refused(
      400,
      '/versions/1/master',
      call('POST', PATH, { body: { type: 'push-app', name: 'Sale', versions: [master(), master()] } }),
    )
    const { id, versions } = await make({ versions: [{ name: 'a' }, { name: 'b' }] })
    assert.deepEqual(
      versions.map((version: { name: string; master: boolean }) => [version.name, version.master]),
      [
        ['a', true],
        ['b', false],
      ],
    )
    const problem = await refused(409, undefined, put(id, { versions: [versions[1]] }))
    assert.match(problem.detail, /The master cannot be deleted/)
    assert.deepEqual((await get(id)).versions, versions)
    await refused(400, '/versions', put(id, { versions: [{ ...versions[0], master: false }, versions[1]] }))
    const marked = await put(id, { versions: [{ ...versions[1], master: true }] })
    assert.equal(marked.status, 200, marked.text)
    assert.deepEqual(marked.body.versions, [{ ...versions[1], master: true }])
  })

  test('keep version ids, task id and active state when sent back as read', async () => {
    const selected = [await segment()]
    const scheduler = { type: 'cron', minute: '0', hour: '18', dayOfWeek: 'FRI', timeZone: { id: 'Europe/Paris' } }
    const versions = [
      { name: 'fr', condition: 'contact.Language == "fr"', content: { ...texts, buttons: [{ title: 'Ouvrir' }] } },
      master({ redirection: { type: 'literal', value: 'app://{{ contact.id }}' } }),
    ]
    const { id } = await activated({ task: { segments: { selected }, scheduler }, versions })
    const before = await get(id)
    assert.equal(before.active, true)
    assert.equal(before.task.segments.selected[0], selected[0])
    clock.advance(MINUTE)
    const { status, body, text } = await put(id, before)
    assert.equal(status, 200, text)
    const modification = new Date(clock.now()).toISOString()
    assert.deepEqual(body, { ...before, stamp: { ...before.stamp, modification } })
  })

  test('keep versions by their ids and give the others new ids', async () => {
    const { id, versions } = await make({ versions: [master(), { name: 'b' }] })
    const unknown = '0198c300-2222-7333-8444-555566667777'
    const answer = await put(id, {
      versions: [
        { name: 'c', id: unknown },
        { ...versions[0], id: versions[0].id.toUpperCase() },
      ],
    })
    assert.equal(answer.status, 200, answer.text)
    const [fresh, kept] = answer.body.versions
    assert.deepEqual(kept, versions[0])
    assert.match(fresh.id, UUID)
    assert.ok(![unknown, versions[0].id, versions[1].id].includes(fresh.id))
    await refused(400, '/versions/1/id', put(id, { versions: [kept, kept] }))
  })

  test('require conditions that parse, except on the master', async () => {
    const one = await make({
      versions: [
        master({ condition: 'contact.Language == ' }),
        { condition: `contact.Language == 'fr' and contact.Points > 10` },
        { condition: 'contact.Nowhere contains "x"' },
      ],
    })
    assert.equal(one.versions[1].condition, `contact.Language == 'fr' and contact.Points > 10`)
    for (const condition of ['1 %}{% if true', '', '{{ contact.id }}', 'contact.Language | nofilter == 1'])
      await refused(400, '/versions/1/condition', put(one.id, { versions: [one.versions[0], { condition }] }))
    assert.deepEqual((await get(one.id)).versions, one.versions)
  })

  test('read a purpose in any letter case, and derive the pressure defaults from it', async () => {
    const one = await make({ settings: { purpose: { type: 'Service' } } })
    assert.deepEqual(one.settings.purpose, { type: 'service' })
    assert.deepEqual(one.settings.mp, { use: false, increment: false, topic: null, ...PRESSURE })
    const changed = await put(one.id, { settings: { mp: { use: true }, purpose: { type: 'MARKETING' } } })
    assert.deepEqual(changed.body.settings.mp, { use: true, increment: true, topic: null, ...PRESSURE })
    await refused(400, '/settings/purpose/type', put(one.id, { settings: { purpose: { type: 'other' } } }))
  })

  test('keep an expiration as given and refuse one of less than a minute', async () => {
    const expiration = { type: 'period', value: { unit: 'MONTH', value: 2 } }
    const one = await make({ settings: { expiration } })
    assert.deepEqual(one.settings.expiration, expiration)
    const settings = (value: unknown) => ({ settings: { expiration: value } })
    await refused(
      400,
      '/settings/expiration/value',
      put(one.id, settings({ type: 'period', value: { unit: 'SECOND', value: 30 } })),
    )
    await refused(400, '/settings/expiration/value/date', put(one.id, settings({ type: 'date', value: 'soon' })))
    const bare = await put(one.id, settings({ type: 'date', value: '2031-01-02T03:04:05Z' }))
    assert.deepEqual(bare.body.settings.expiration, { type: 'date', value: { date: '2031-01-02T03:04:05.000Z' } })
    assert.equal((await put(one.id, settings(null))).body.settings.expiration, null)
  })

  test('have a task with segments and a scheduler, merged member by member', async () => {
    const [first, second] = [await segment(), await segment()]
    const one = await make({
      task: { scheduler: { type: 'cron', hour: '18', segments: { selected: [first], excluded: [second] } } },
    })
    const { task } = one
    const segments = { selected: [first], excluded: [second] }
    assert.deepEqual(task, {
      id: task.id,
      name: '',
      description: '',
      segments,
      scheduler: {
        type: 'cron',
        id: task.scheduler.id,
        name: '',
        segments,
        minute: '*',
        hour: '18',
        dayOfMonth: '*',
        month: '*',
        dayOfWeek: '*',
        timeZone: { id: 'UTC' },
        lastRun: null,
        nextRun: null,
      },
    })
    const changed = await put(one.id, { task: { name: 'Evenings', scheduler: { minute: '30' } } })
    assert.deepEqual(changed.body.task, { ...task, name: 'Evenings', scheduler: { ...task.scheduler, minute: '30' } })
    const both = { segments: { selected: [second], excluded: [] }, scheduler: { segments: { selected: [first] } } }
    assert.deepEqual((await put(one.id, { task: both })).body.task.scheduler.segments, both.segments)
    const once = await put(one.id, { task: { scheduler: { type: 'scheduled', startDate: 1893456000000 } } })
    assert.equal(once.body.task.scheduler.startDate, '2030-01-01T00:00:00.000Z')
    assert.ok(!('minute' in once.body.task.scheduler))
    assert.equal(once.body.task.scheduler.id, task.scheduler.id)
    assert.equal((await put(one.id, { task: null })).body.task, null)
  })

  test('refuse an invalid cron, an unknown time zone and unknown segments', async () => {
    const { id } = await make()
    const scheduler = (more: object) => put(id, { task: { scheduler: { type: 'cron', ...more } } })
    await refused(400, '/task/scheduler/minute', scheduler({ minute: '60' }))
    await refused(400, '/task/scheduler/dayOfWeek', scheduler({ dayOfWeek: 'FRI#2' }))
    await refused(400, '/task/scheduler/hour', scheduler({ hour: '5/2' }))
    await refused(400, '/task/scheduler/month', scheduler({ month: '' }))
    await refused(400, '/task/scheduler/timeZone/id', scheduler({ timeZone: { id: 'Mars/Base' } }))
    await refused(400, '/task/scheduler/type', put(id, { task: { scheduler: { name: 'x' } } }))
    await refused(
      400,
      '/task/scheduler/startDate',
      put(id, { task: { scheduler: { type: 'scheduled', startDate: 'soon' } } }),
    )
    await refused(404, undefined, put(id, { task: { segments: { selected: [999_999] } } }))
    assert.equal((await get(id)).task, null)
  })

  test('are listed by id and filtered by active state', async () => {
    const one = await activated()
    const two = await make()
    const ids = async (query: string) => (await call('GET', `${PATH}${query}`)).body.map(({ id }: { id: number }) => id)
    const all = await ids('')
    assert.deepEqual(
      all,
      all.toSorted((a: number, b: number) => a - b),
    )
    assert.ok(all.includes(one.id) && all.includes(two.id))
    const [active, inactive] = [await ids('?active=true'), await ids('?active=false')]
    assert.ok(active.includes(one.id) && !active.includes(two.id))
    assert.ok(inactive.includes(two.id) && !inactive.includes(one.id))
  })

  test('are copied as inactive, with a name and ids of their own', async () => {
    const selected = [await segment()]
    const scheduler = { type: 'cron', minute: '5' }
    const one = await activated({
      name: 'Spring',
      task: { segments: { selected }, scheduler },
      versions: [{ name: 'x', condition: 'true', content: texts }, master()],
    })
    const copy = async () => {
      const answer = await call('POST', `${PATH}/${one.id}/duplication`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    const [first, second] = [await copy(), await copy()]
    assert.equal(first.name, 'Spring (1)')
    assert.equal(second.name, 'Spring (2)')
    assert.equal(first.active, false)
    const ids = (list: { id: string }[]) => list.map(({ id }) => id)
    assert.deepEqual(
      ids(first.versions).filter((id) => ids(one.versions).includes(id)),
      [],
    )
    assert.notEqual(first.task.id, one.task.id)
    assert.notEqual(first.task.scheduler.id, one.task.scheduler.id)
    const withoutId = (list: { id: string }[]) => list.map(({ id: _, ...version }) => version)
    assert.deepEqual(withoutId(first.versions), withoutId(one.versions))
    assert.deepEqual(first.task.segments, one.task.segments)
    assert.deepEqual(first.settings, one.settings)
    const long = await make({ name: 'é'.repeat(255) })
    const { body } = await call('POST', `${PATH}/${long.id}/duplication`)
    assert.equal(body.name, `${'é'.repeat(251)} (1)`)
  })

  test('are 404 for every operation once deleted', async () => {
    const one = await activated()
    assert.equal((await call('DELETE', `${PATH}/${one.id}`)).status, 204)
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/duplication'],
      ['POST', '/activation'],
      ['DELETE', '/activation'],
    ] as const)
      assert.equal((await call(method, `${PATH}/${one.id}${path}`, body ? { body } : {})).status, 404, path)
  })

  test('are unknown to another account, and cannot name objects of another account', async () => {
    const one = await make()
    const key = other.key
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/duplication'],
      ['POST', '/activation'],
      ['DELETE', '/activation'],
    ] as const)
      assert.equal((await call(method, `${PATH}/${one.id}${path}`, { key, ...(body && { body }) })).status, 404, path)
    const application = await storedApplication(harness, { account: other.account })
    await refused(404, '/settings/application', put(one.id, { settings: { application } }))
    const foreign = await segment({}, { key })
    await refused(404, undefined, put(one.id, { task: { segments: { selected: [foreign] } } }))
    await refused(404, undefined, put(one.id, { settings: { mp: { topic: application } } }))
  })

  test('require the right to write, and the right to send for an activation', async () => {
    const one = await ready()
    const key = await makeKey(own.account, ['read', 'write'])
    assert.equal((await call('GET', `${PATH}/${one.id}`, { key })).status, 200)
    assert.equal((await call('PUT', `${PATH}/${one.id}`, { key, body: { name: 'Other' } })).status, 200)
    assert.equal((await call('POST', `${PATH}/${one.id}/activation`, { key })).status, 403)
    const reader = await makeKey(own.account, ['read'])
    assert.equal((await call('POST', PATH, { key: reader, body: { type: 'push-app', name: 'x' } })).status, 403)
  })

  test('prevent deletion of a segment that they target', async () => {
    const selected = [await segment()]
    const one = await make({ task: { segments: { selected } } })
    const { status, body } = await call('DELETE', `/segments/${selected[0]}`)
    assert.equal(status, 409)
    assert.deepEqual(body.links, [{ type: 'notification', id: one.id, name: one.name }])
    assert.equal((await call('DELETE', `${PATH}/${one.id}`)).status, 204)
    assert.equal((await call('DELETE', `/segments/${selected[0]}`)).status, 204)
  })

  test('stay in campaigns until they are deleted', async () => {
    const one = await make()
    const items = [{ type: 'notification', id: one.id }]
    const campaign = await call('POST', '/campaigns', { body: { name: `Spring ${++made}`, items } })
    assert.equal(campaign.status, 200, campaign.text)
    assert.deepEqual(campaign.body.items, items)
    assert.equal((await call('DELETE', `${PATH}/${one.id}`)).status, 204)
    assert.deepEqual((await call('GET', `/campaigns/${campaign.body.id}`)).body.items, [])
  })
})

suite('notification activation', () => {
  test('is refused with every fault', async () => {
    const routes = [{ name: 'home', value: 'app://home', default: true }]
    const application = await storedApplication(harness, { active: false, routes })
    const expired = await segment({ expiration: new Date(clock.now() + MINUTE).toISOString() })
    const one = await make({
      settings: { application },
      task: { segments: { selected: [expired] }, scheduler: { type: 'scheduled', startDate: clock.now() + MINUTE } },
      versions: [
        {
          name: 'fr',
          condition: 'true',
          content: {
            title: 'Bonjour {{ contact.Nowhere',
            body: ' ',
            image: 'http://img.example/a',
            buttons: [{ title: 'x', redirection: { type: 'route', value: 'sale' } }],
          },
          redirection: { type: 'route', value: 'home' },
          channel: { type: 'channel', value: 'news' },
        },
        { master: true },
      ],
    })
    clock.advance(2 * MINUTE)
    const problem = await refused(409, undefined, call('POST', `${PATH}/${one.id}/activation`))
    assert.deepEqual(
      problem.errors.map(({ pointer }: { pointer: string }) => pointer),
      [
        '/settings/application',
        '/versions/0/content/body',
        '/versions/0/content/image',
        '/versions/0/channel/value',
        '/versions/0/content/buttons/0/redirection/value',
        '/versions/1/content/title',
        '/versions/1/content/body',
        '/versions/0/content/title',
        '/task/segments/selected',
        '/task/scheduler',
      ],
    )
    assert.match(problem.errors[5].detail, new RegExp(one.versions[1].id))
    assert.equal((await get(one.id)).active, false)
    await refused(
      409,
      '/settings/application',
      call('POST', `${PATH}/${(await make({ versions: [master()] })).id}/activation`),
    )
  })

  test('is refused when already active, and deactivation when inactive', async () => {
    const one = await activated()
    assert.equal((await get(one.id)).active, true)
    await refused(409, undefined, call('POST', `${PATH}/${one.id}/activation`))
    assert.equal((await call('DELETE', `${PATH}/${one.id}/activation`)).status, 204)
    assert.equal((await get(one.id)).active, false)
    await refused(409, undefined, call('DELETE', `${PATH}/${one.id}/activation`))
  })

  test('applies the same checks to a change of an active notification', async () => {
    const one = await activated()
    await refused(409, '/settings/application', put(one.id, { settings: { application: null } }))
    await refused(
      409,
      '/versions/0/content/title',
      put(one.id, { versions: [{ ...one.versions[0], content: { body: 'x' } }] }),
    )
    assert.equal((await get(one.id)).settings.application, one.settings.application)
    const renamed = await put(one.id, { name: 'Renamed' })
    assert.equal(renamed.status, 200, renamed.text)
    assert.equal(renamed.body.active, true)
  })

  test("sets the scheduler's next run, and deactivation clears it", async () => {
    const selected = [await segment()]
    clock.set('2026-03-28T12:00:00Z')
    const cron = await activated({
      task: {
        segments: { selected },
        scheduler: { type: 'cron', minute: '30', hour: '2', timeZone: { id: 'Europe/Paris' } },
      },
    })
    const next = async (id: number) => (await get(id)).task.scheduler.nextRun
    assert.equal(await next(cron.id), '2026-03-29T01:00:00.000Z')
    assert.equal(
      (await put(cron.id, { task: { scheduler: { minute: '15', hour: '13' } } })).body.task.scheduler.nextRun,
      '2026-03-28T12:15:00.000Z',
    )
    await call('DELETE', `${PATH}/${cron.id}/activation`)
    assert.equal(await next(cron.id), null)
    const once = await activated({
      task: { segments: { selected }, scheduler: { type: 'scheduled', startDate: '2026-03-30T08:00:00Z' } },
    })
    assert.equal(await next(once.id), '2026-03-30T08:00:00.000Z')
    const never = await ready({
      task: { segments: { selected }, scheduler: { type: 'cron', dayOfMonth: '30', month: '2' } },
    })
    await refused(409, '/task/scheduler', call('POST', `${PATH}/${never.id}/activation`))
    const nobody = await ready({ task: { scheduler: { type: 'asap' } } })
    await refused(409, '/task/segments/selected', call('POST', `${PATH}/${nobody.id}/activation`))
  })

  test('treats a route as unknown once the application no longer has it', async () => {
    const application = await storedApplication(harness, { routes: [{ name: 'home', value: 'app://home' }] })
    const one = await make({
      settings: { application },
      versions: [master({ redirection: { type: 'route', value: 'home' } })],
    })
    assert.equal((await call('POST', `${PATH}/${one.id}/activation`)).status, 204)
    await sql`update applications set routes = '[]' where id = ${application}`.execute(context.db)
    await refused(409, '/versions/0/redirection/value', put(one.id, { name: 'x' }))
  })
})
