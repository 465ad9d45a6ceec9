import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { finalizePushRuns } from '../../../src/features/notifications/sends/run-ends.ts'
import { startDueNotifications } from '../../../src/features/notifications/sends/runs.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import {
  type ApplicationOptions,
  storedApplication,
  storedSubscription,
} from '../../support/stages/push-applications.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, gateway, other, own, segment, sendDue, sender } = stage
const { db } = context
// Every provider's gateway is the one that records.
sender.gateways = { ...sender.gateways, named: async () => gateway }

const MINUTE = 60_000
const content = { title: 'Twenty off', body: 'Tonight only' }
let made = 0

interface Person {
  id: string
  number: number
}

async function person(): Promise<Person> {
  const id = await stage.contact(`run${++made}@orchard.example`, {})
  return { id, number: parseContactId(id)! }
}

/** Contacts with a device each, and a segment of them. */
async function audience(application: string, count: number) {
  const people = await Promise.all(Array.from({ length: count }, person))
  const devices = new Map<string, Person>()
  for (const one of people) devices.set(await storedSubscription(stage, application, { contact: one.number }), one)
  return { people, devices, segment: await segment(people.map(({ id }) => id)) }
}

interface Made {
  id: number
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer.
  versions: any[]
}

/** An active notification with a task. */
async function scheduled(
  application: string,
  segments: { selected: number[]; excluded?: number[] },
  scheduler: object,
  more: object = {},
): Promise<Made> {
  const task = { segments: { excluded: [], ...segments }, scheduler }
  const settings = { application, ...(more as { settings?: object }).settings }
  const body = {
    type: 'push-app',
    name: `Run ${++made}`,
    versions: [{ master: true, content }],
    task,
    ...more,
    settings,
  }
  const { body: shown, status, text } = await call('POST', '/notifications', { body })
  assert.equal(status, 200, text)
  const path = `/notifications/${shown.id}`
  const activated = await call('POST', `${path}/activation`)
  assert.equal(activated.status, 204, activated.text)
  return { ...shown, path }
}

const start = () => startDueNotifications(context)
const scheduler = async ({ path }: Made) => (await call('GET', path)).body.task.scheduler
const dates = async (one: Made) => {
  const { lastRun, nextRun } = await scheduler(one)
  return [lastRun, nextRun].map((date) => (date === null ? null : Date.parse(date)))
}

/** Starts what is due, plans it and sends it. */
async function pass(): Promise<void> {
  await start()
  await stage.work()
  await sendDue()
  await stage.advance()
  await finalizePushRuns(context)
}

interface Sending {
  id: number
  run: string
  state: string
}

async function runsOf({ id }: Pick<Made, 'id'>): Promise<Sending[]> {
  const { rows } = await sql<Sending>`
    select id, run, state from sendings where source_kind = 'notification' and source = ${id} and kind = 'campaign'
    order by id`.execute(db)
  return rows
}

const pushesOf = ({ id }: Pick<Made, 'id'>) => gateway.sentPushes.filter(({ meta }) => meta.notification === id)
const subscriptionsOf = (one: Made) =>
  pushesOf(one)
    .map(({ meta }) => meta.subscription)
    .sort()

async function eventsOf({ id }: Pick<Made, 'id'>): Promise<{ said: string; n: number }[]> {
  const { rows } = await sql<{ said: string; n: number }>`
    select kind || coalesce(' ' || (detail #>> '{cancellation,type}'), '') as said, count(*)::integer as n
    from events where account = ${own.account} and channel = 'notification' and subject = ${id}
    group by 1 order by 1`.execute(db)
  return rows
}

suite('notification runs', { concurrency: false }, () => {
  test('asap runs once after each activation, with one message per contact and no execution event', async () => {
    const application = await storedApplication(stage)
    const { devices, segment: buyers } = await audience(application, 3)
    const now = clock.now()
    const one = await scheduled(application, { selected: [buyers] }, { type: 'asap' })
    assert.deepEqual(await dates(one), [null, now])
    await pass()
    await pass()
    assert.deepEqual(await dates(one), [now, null])
    assert.deepEqual(subscriptionsOf(one), [...devices.keys()].sort())
    const [run, ...others] = await runsOf(one)
    assert.deepEqual([run?.state, others.length], ['finished', 0])
    assert.deepEqual([...new Set(pushesOf(one).map(({ meta }) => meta.stamp.set))], [run?.run])
    assert.equal(new Set(pushesOf(one).map(({ stampId }) => stampId)).size, 3)
    assert.deepEqual(await eventsOf(one), [{ said: 'activations', n: 3 }])
    // A change of its texts does not start it again, another activation does.
    const changed = { name: 'Changed' }
    assert.equal((await call('PUT', one.path, { body: changed })).status, 200)
    await pass()
    assert.equal((await runsOf(one)).length, 1)
    await call('DELETE', `${one.path}/activation`)
    await call('POST', `${one.path}/activation`)
    await pass()
    assert.equal((await runsOf(one)).length, 2)
    assert.equal(pushesOf(one).length, 6)
    const { rows } = await sql`select from sending_ends where source_kind = 'notification'`.execute(db)
    assert.equal(rows.length, 0)
  })

  test('scheduled runs once, late if nothing ran on time, follows a PUT, and never runs without a task', async () => {
    const application = await storedApplication(stage)
    const { segment: buyers } = await audience(application, 1)
    const at = (ms: number) => ({ type: 'scheduled', startDate: new Date(clock.now() + ms).toISOString() })
    const one = await scheduled(application, { selected: [buyers] }, at(10 * MINUTE))
    await pass()
    assert.equal((await runsOf(one)).length, 0)
    const moved = await call('PUT', one.path, { body: { task: { scheduler: at(60 * MINUTE) } } })
    assert.equal(moved.status, 200, moved.text)
    clock.advance(15 * MINUTE)
    await pass()
    assert.equal((await runsOf(one)).length, 0)
    clock.advance(3 * 60 * MINUTE)
    const late = clock.now()
    await pass()
    await pass()
    assert.deepEqual(await dates(one), [late, null])
    assert.equal(pushesOf(one).length, 1)
    // One without a task any more does not start.
    const none = await scheduled(application, { selected: [buyers] }, at(MINUTE))
    await call('PUT', none.path, { body: { task: null } })
    clock.advance(2 * MINUTE)
    await pass()
    assert.equal((await runsOf(none)).length, 0)
  })

  test('cron runs at each match, skips matches during a run and makes one run for missed ones', async () => {
    const application = await storedApplication(stage)
    const { devices, segment: buyers } = await audience(application, 2)
    const hourly = { type: 'cron', minute: '0', timeZone: { id: 'UTC' } }
    const one = await scheduled(application, { selected: [buyers] }, hourly)
    const hour = () => Math.ceil((clock.now() + 1) / (60 * MINUTE)) * 60 * MINUTE
    const first = hour()
    assert.deepEqual(await dates(one), [null, first])
    clock.set(first)
    await pass()
    assert.deepEqual(await dates(one), [first, first + 60 * MINUTE])
    assert.deepEqual(subscriptionsOf(one), [...devices.keys()].sort())

    // The gateway takes nothing: the run goes on over two matches.
    gateway.down = 'away'
    clock.set(first + 60 * MINUTE)
    await pass()
    assert.equal((await runsOf(one)).length, 2)
    clock.set(first + 120 * MINUTE)
    await pass()
    assert.deepEqual(await dates(one), [first + 60 * MINUTE, first + 180 * MINUTE])
    assert.equal((await runsOf(one)).length, 2)
    gateway.down = undefined
    clock.advance(10 * MINUTE)
    await pass()
    assert.deepEqual(
      (await runsOf(one)).map(({ state }) => state),
      ['finished', 'finished'],
    )
    assert.equal(pushesOf(one).length, 4)

    // Nothing runs for five hours.
    clock.set(first + 8.5 * 60 * MINUTE)
    await pass()
    await pass()
    assert.deepEqual(await dates(one), [first + 8.5 * 60 * MINUTE, first + 9 * 60 * MINUTE])
    assert.equal((await runsOf(one)).length, 3)
    assert.equal(pushesOf(one).length, 6)
    await call('DELETE', `${one.path}/activation`)
    clock.advance(3 * 60 * MINUTE)
    await pass()
    assert.equal((await runsOf(one)).length, 3)
  })

  test('concurrent processes start a run once, even while its notification changes', async () => {
    const application = await storedApplication(stage)
    const { segment: buyers } = await audience(application, 2)
    const all: Made[] = []
    for (let n = 0; n < 4; n++) all.push(await scheduled(application, { selected: [buyers] }, { type: 'asap' }))
    await Promise.all([
      ...Array.from({ length: 5 }, start),
      ...all.map(({ path }) => call('PUT', path, { body: { description: 'Changed meanwhile' } })),
    ])
    await start()
    for (const one of all) assert.equal((await runsOf(one)).length, 1)
    await Promise.all([stage.work(), stage.work()])
    await sendDue()
    for (const one of all) assert.equal(pushesOf(one).length, 2)
  })

  test('each contact gets the first version whose condition is true, else the master, and failures are counted', async () => {
    const field = await call('POST', '/fields', { body: { type: 'textField', name: 'Language' } })
    assert.equal(field.status, 200, field.text)
    const application = await storedApplication(stage)
    const people: Person[] = []
    for (const language of ['fr', 'de', null, 'xx', 'de']) {
      const id = await stage.contact(`run${++made}@orchard.example`, { Language: language })
      people.push({ id, number: parseContactId(id)! })
    }
    const wants = new Map<string, string>()
    const expected = ['fr', 'de', 'master', 'master', 'de']
    for (const [index, { number }] of people.entries())
      wants.set(await storedSubscription(stage, application, { contact: number }), expected[index]!)
    const version = (name: string, condition: string) => ({
      name,
      condition,
      content: { ...content, title: `${name}!` },
    })
    const versions = [
      version('fr', "contact.Language == 'fr'"),
      // It cannot be evaluated, and is false: of all who come as far as that.
      version('broken', "contact.Language == 'xx' and (1..999999999) contains 5"),
      version('de', "contact.Language == 'de'"),
      version('second de', "contact.Language == 'de'"),
      { name: 'master', master: true, content },
    ]
    const selected = [await segment(people.map(({ id }) => id))]
    const one = await scheduled(application, { selected }, { type: 'asap' }, { versions })
    await pass()
    const names = new Map(one.versions.map(({ id, name }) => [id, name]))
    const got = pushesOf(one).map(({ meta }): [string, string] => [meta.subscription, names.get(meta.version)])
    assert.deepEqual(new Map(got), wants)
    const title = pushesOf(one).find(({ meta }) => names.get(meta.version) === 'de')?.render.title
    assert.equal(title, 'de!')
    const { rows } = await sql<{ failed: number }>`
      select failed_conditions as failed from sendings where source_kind = 'notification' and source = ${one.id}`.execute(
      db,
    )
    assert.deepEqual(rows, [{ failed: 4 }])
  })

  test('a run keeps the versions that it started with when the notification changes', async () => {
    const application = await storedApplication(stage)
    const { segment: buyers } = await audience(application, 2)
    const one = await scheduled(application, { selected: [buyers] }, { type: 'asap' })
    await start()
    const versions = [{ ...one.versions[0], content: { ...content, title: 'Later' } }]
    assert.equal((await call('PUT', one.path, { body: { versions } })).status, 200)
    await pass()
    assert.deepEqual(
      pushesOf(one).map(({ render }) => render.title),
      ['Twenty off', 'Twenty off'],
    )
  })

  test('reaches contacts in a selected and no excluded segment with a live device, and skips muted ones', async () => {
    const application = await storedApplication(stage)
    const [ada, bob, cleo, dan, eve] = await Promise.all(Array.from({ length: 5 }, person))
    const put = (one: Person | undefined, more: object = {}) =>
      storedSubscription(stage, application, { contact: one!.number, ...more })
    const wanted = [await put(ada), await put(ada)]
    await put(bob)
    const muted = await put(cleo)
    await sql`update subscriptions set muted = true where id = ${muted}`.execute(db)
    // Of a provider that the application does not have, and of another application.
    await put(dan, { provider: 'apns' })
    await storedSubscription(stage, await storedApplication(stage), { contact: eve!.number })
    const selected = [await segment([ada!.id, bob!.id]), await segment([ada!.id, cleo!.id, dan!.id, eve!.id])]
    const one = await scheduled(application, { selected, excluded: [await segment([bob!.id])] }, { type: 'asap' })
    await pass()
    assert.deepEqual(subscriptionsOf(one), wanted.sort())
    assert.deepEqual(await eventsOf(one), [
      { said: 'activations', n: 2 },
      { said: 'cancellations opted out', n: 1 },
    ])
  })

  test('expired segments are not selected but still exclude, and an empty audience is not a failure', async () => {
    const application = await storedApplication(stage)
    const { people, segment: buyers } = await audience(application, 3)
    const expiration = new Date(clock.now() + 30 * MINUTE).toISOString()
    const old = await segment([people[0]!.id], { expiration })
    const refused = await segment([people[1]!.id], { expiration })
    const at = { type: 'scheduled', startDate: new Date(clock.now() + 60 * MINUTE).toISOString() }
    const one = await scheduled(application, { selected: [buyers], excluded: [refused] }, at)
    const none = await scheduled(application, { selected: [old] }, at)
    clock.advance(61 * MINUTE)
    await pass()
    assert.equal(pushesOf(one).length, 2)
    assert.equal(pushesOf(none).length, 0)
    assert.equal((await runsOf(none))[0]?.state, 'finished')
  })

  test('an inactive application reaches nobody, and waiting messages are cancelled as "no subscription"', async () => {
    const application = await storedApplication(stage)
    const { segment: buyers } = await audience(application, 2)
    const hourly = { type: 'cron', minute: '30', timeZone: { id: 'UTC' } }
    const one = await scheduled(application, { selected: [buyers] }, hourly)
    clock.set((await dates(one))[1]!)
    await start()
    await stage.work()
    await sql`update applications set active = false where id = ${application}`.execute(db)
    await pass()
    assert.deepEqual(await eventsOf(one), [{ said: 'cancellations no subscription', n: 2 }])
    clock.set((await dates(one))[1]!)
    await pass()
    assert.equal((await runsOf(one)).length, 2)
    assert.deepEqual(await eventsOf(one), [{ said: 'cancellations no subscription', n: 2 }])
    await call('DELETE', `${one.path}/activation`)
  })

  test('a run ends when its notification expires', async () => {
    const application = await storedApplication(stage)
    const { segment: buyers } = await audience(application, 2)
    const expiration = { type: 'period', value: { unit: 'HOUR', value: 2 } }
    const one = await scheduled(application, { selected: [buyers] }, { type: 'asap' }, { settings: { expiration } })
    await start()
    await stage.work()
    clock.advance(121 * MINUTE)
    await pass()
    assert.deepEqual(await eventsOf(one), [{ said: 'cancellations expired', n: 2 }])
    assert.equal((await runsOf(one))[0]?.state, 'finished')
  })

  test('a run that cannot start is retried for a minute, abandoned, and delays no other run', async () => {
    const application = await storedApplication(stage)
    const { segment: buyers } = await audience(application, 1)
    const hourly = { type: 'cron', minute: '45', timeZone: { id: 'UTC' } }
    const faulty = await scheduled(application, { selected: [buyers] }, hourly)
    const due = (await dates(faulty))[1]!
    await sql`update notifications set versions = jsonb_set(versions, '{0,content,title}', '"{% nothing %}"') where id = ${faulty.id}`.execute(
      db,
    )
    clock.set(due)
    const fine = await scheduled(application, { selected: [buyers] }, { type: 'asap' })
    await pass()
    assert.deepEqual(await dates(faulty), [null, due])
    assert.equal(pushesOf(fine).length, 1)
    clock.advance(2 * MINUTE)
    await pass()
    assert.deepEqual(await dates(faulty), [null, due + 60 * MINUTE])
    assert.equal((await runsOf(faulty)).length, 0)
    await call('DELETE', `${faulty.path}/activation`)
  })

  test('another account neither sees a run nor is reached by it', async () => {
    const application = await storedApplication(stage)
    const { segment: buyers, people } = await audience(application, 1)
    const theirs = await storedApplication(stage, { account: other.account })
    await storedSubscription(stage, theirs, { account: other.account })
    const one = await scheduled(application, { selected: [buyers] }, { type: 'asap' })
    assert.equal((await call('GET', one.path, { key: other.key })).status, 404)
    assert.equal((await call('DELETE', `${one.path}/activation`, { key: other.key })).status, 404)
    await pass()
    assert.deepEqual(
      pushesOf(one).map(({ meta }) => meta.application),
      people.map(() => application),
    )
    const task = { segments: { selected: [buyers] }, scheduler: { type: 'asap' } }
    const body = { type: 'push-app', name: 'Theirs', settings: { application: theirs }, task }
    assert.equal((await call('POST', '/notifications', { body, key: other.key })).status, 404)
  })

  test('cron follows its time zone: skipped times run when clocks go forward, repeated times run once', async () => {
    const options: ApplicationOptions = {}
    const application = await storedApplication(stage, options)
    const empty = await segment([], { expiration: '2030-01-01T00:00:00Z' })
    clock.set('2027-03-27T12:00:00Z')
    const nightly = { type: 'cron', minute: '30', hour: '2', timeZone: { id: 'Europe/Paris' } }
    const one = await scheduled(application, { selected: [empty] }, nightly)
    const runs: (number | null)[] = []
    for (let night = 0; night < 3; night++) {
      clock.set((await dates(one))[1]!)
      await pass()
      runs.push((await dates(one))[0]!)
    }
    const times = (list: readonly (number | null)[]) => list.map((at) => new Date(at!).toISOString().slice(0, 16))
    assert.deepEqual(times(runs), ['2027-03-28T01:00', '2027-03-29T00:30', '2027-03-30T00:30'])
    clock.set('2027-10-30T12:00:00Z')
    await pass()
    runs.length = 0
    for (let night = 0; night < 2; night++) {
      clock.set((await dates(one))[1]!)
      await pass()
      runs.push((await dates(one))[0]!)
    }
    assert.deepEqual(times(runs), ['2027-10-31T00:30', '2027-11-01T01:30'])
  })
})
