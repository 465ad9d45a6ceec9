import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { recordEvents } from '../../src/features/events/effects.ts'
import { activation } from '../../src/features/events/record.ts'
import { keepCounts } from '../../src/features/events/summary-counts.ts'
import { startJob } from '../../src/features/jobs/jobs.ts'
import { readActionId, uuidV7 } from '../../src/lib/ids.ts'
import { startHarness } from '../harness.ts'

const harness = await startHarness()
const { call, clock, context, makeAccount, other } = harness
const { db } = context

let accounts = 0
async function newAccount() {
  const made = await makeAccount(`L${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown) => call(method, url, { body, key: made.key })
  return { ...made, ask }
}

const mail = (name: string) => ({
  ...{ type: 'mailMessage', name },
  content: { subject: 'Hello', html: '<p>Hello</p>' },
})

suite('jobs', () => {
  test('are listed newest first, by state and by pages; those of others are not', async () => {
    const { account, ask } = await newAccount()
    const started = []
    for (let n = 0; n < 3; n++)
      started.unshift(await startJob(db, account, { type: 'targets.update', payload: {} }, clock.now() + n))
    assert.deepEqual((await ask('GET', '/jobs')).body, started)
    const [last, middle] = started
    await context.pool.query("update jobs set state = 'failed', ended_at = now() where id = $1", [middle?.id])
    const ids = async (query: string) => (await ask('GET', `/jobs?${query}`)).body.map(({ id }: { id: string }) => id)
    assert.deepEqual(await ids('state=failed'), [middle?.id])
    assert.deepEqual(
      await ids('state=queued,failed'),
      started.map(({ id }) => id),
    )
    const page = await ask('GET', '/jobs?limit=1')
    assert.deepEqual(
      page.body.map(({ id }: { id: string }) => id),
      [last?.id],
    )
    const next = /<([^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1] ?? ''
    assert.deepEqual(
      (await ask('GET', next)).body.map(({ id }: { id: string }) => id),
      [middle?.id],
    )
    const wrong = await ask('GET', '/jobs?state=gone')
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, 'state'])
    assert.deepEqual((await call('GET', '/jobs', { key: other.key })).body, [])
    const writer = await harness.makeKey(account, ['write'])
    assert.equal((await call('GET', '/jobs', { key: writer })).status, 403)
  })
})

suite('lists of actions', () => {
  test('are filtered by state, type, category, campaign and a part of the name', async () => {
    const { ask } = await newAccount()
    const create = async (body: object) => (await ask('POST', '/actions', body)).body
    const category = (await ask('POST', '/categories', { name: 'News' })).body.id
    const spring = await create({ ...mail('Spring 50%_off'), informations: { category } })
    const autumn = await create(mail('Autumn'))
    const draft = await create({ type: 'smsMessage', name: 'Spring by SMS' })
    const campaign = (await ask('POST', '/campaigns', { name: 'All', items: [{ type: 'email', id: autumn.id }] })).body
      .id
    const ids = async (query: string) => {
      const { status, body } = await ask('GET', `/actions?${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      return body.map(({ id }: { id: string }) => id)
    }
    assert.deepEqual(await ids(''), [spring.id, autumn.id, draft.id])
    assert.deepEqual(await ids('state=10'), [draft.id])
    assert.deepEqual(await ids('state=10,20'), [spring.id, autumn.id, draft.id])
    assert.deepEqual(await ids('type=smsMessage,smsCampaign'), [draft.id])
    assert.deepEqual(await ids(`category=${category}`), [spring.id])
    assert.deepEqual(await ids('category=0'), [spring.id, autumn.id, draft.id])
    assert.deepEqual(await ids(`campaign=${campaign}`), [autumn.id])
    assert.deepEqual(await ids(`campaign=${uuidV7(clock.now())}`), [])
    assert.deepEqual(await ids('name=SPRING'), [spring.id, draft.id])
    assert.deepEqual(await ids('name=50%25_'), [spring.id])
    assert.deepEqual(await ids('name=%25'), [spring.id])
    assert.deepEqual(await ids('name=spring&state=20'), [spring.id])
    for (const query of ['state=15', 'type=rcsMessage', 'category=x', 'campaign=7', 'sort=size', 'report=maybe']) {
      const { status, body } = await ask('GET', `/actions?${query}`)
      assert.deepEqual([status, body.errors?.[0].pointer], [400, query.split('=')[0]], query)
    }
  })

  test('are sorted and paged by what they are sorted by', async () => {
    const { ask } = await newAccount()
    for (const name of ['beta', 'Alpha', 'gamma', 'alpha']) {
      clock.advance(1000)
      await ask('POST', '/actions', mail(name))
    }
    const names = (body: { name: string }[]) => body.map(({ name }) => name)
    const all = async (query: string) => names((await ask('GET', `/actions?${query}`)).body)
    assert.deepEqual(await all('sort=name'), ['Alpha', 'alpha', 'beta', 'gamma'])
    assert.deepEqual(await all('sort=-name'), ['gamma', 'beta', 'alpha', 'Alpha'])
    assert.deepEqual(await all('sort=-creationDate'), ['alpha', 'gamma', 'Alpha', 'beta'])
    assert.deepEqual(await all('sort=-id'), ['alpha', 'gamma', 'Alpha', 'beta'])
    for (const sort of ['name', '-name', 'creationDate', '-updateDate', 'state', '-state', 'id', '-id']) {
      const whole = await all(`sort=${sort}`)
      const paged: string[] = []
      for (let url: string | undefined = `/actions?sort=${sort}&limit=1`; url; ) {
        const { status, body, headers } = await ask('GET', url)
        assert.equal(status, 200, sort)
        paged.push(...names(body))
        url = /<([^>]+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1]
      }
      assert.deepEqual(paged, whole, sort)
    }
    const forged = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url')
    for (const [sort, key] of [
      ['creationDate', ['x', 1]],
      ['name', ['\0', 1]],
      ['id', [1, 1]],
      ['id', ['99999999999', 1]],
      ['id', 'x'],
    ] as const) {
      const { status, body } = await ask('GET', `/actions?limit=1&sort=${sort}&after=${forged(key)}`)
      assert.deepEqual([status, body.errors[0].pointer], [400, 'after'], JSON.stringify(key))
    }
  })

  const nothing = { human: 0, machine: 0, contacts: 0 }

  test('hold a short report each when it is asked for', async () => {
    const { account, ask } = await newAccount()
    const action = (await ask('POST', '/actions', mail('Sent'))).body
    await ask('POST', '/actions', mail('Unsent'))
    const source = readActionId(action.id) ?? 0
    const stampOf = () => {
      const id = uuidV7(clock.now())
      return { time: clock.now(), id, thread: id, set: id }
    }
    const send = (contact: number, kind: 'message' | 'test' = 'message') => ({
      ...{ account, channel: 'email' as const, sourceKind: 'action' as const, source, kind, contact },
      ...{ footprint: null, field: null, stamp: stampOf() },
    })
    const handOver = { address: 'ann@customer.example', gateway: { name: 'main', message: null } }
    const sends = [send(1), send(2), send(2), send(3, 'test')]
    const open = (of: ReturnType<typeof send>, classification: string | null) => ({
      ...activation(of, handOver),
      kind: 'hits/open' as const,
      key: `${of.stamp.id} ${classification} ${Math.random()}`,
      classification,
      activationAt: new Date(clock.now()),
      detail: {},
    })
    await recordEvents(
      db,
      sends.map((of) => activation(of, handOver)),
    )
    const hits = [open(sends[0]!, null), open(sends[1]!, null), open(sends[2]!, null), open(sends[1]!, 'mpp')]
    await recordEvents(db, hits as Parameters<typeof recordEvents>[1])
    const expected = {
      ...{ audience: null, sent: 3, refused: null, held: null, cancelled: null, pending: null },
      ...{ opens: { human: 3, machine: 1, contacts: 2 }, clicks: nothing },
      ...{ unsubscribes: 0, complaints: 0, replies: 0, bounces: 0 },
    }
    const reports = async () =>
      (await ask('GET', '/actions?report=true')).body.map(({ report }: { report: unknown }) => report)
    const unsent = { ...expected, sent: 0, opens: nothing }
    assert.deepEqual(await reports(), [expected, unsent])
    // The same once the events are counted.
    await context.pool.query(
      "update events set at = at - interval '2 minutes', activation_at = activation_at - interval '2 minutes' where account = $1",
      [account],
    )
    await context.pool.query('delete from unsettled_hits')
    await keepCounts(db)
    assert.deepEqual(await reports(), [expected, unsent])
    assert.ok((await ask('GET', '/actions')).body.every((one: object) => !('report' in one)))
    assert.deepEqual((await ask('GET', '/actions?report=true&limit=1')).body.length, 1)
  })
})

suite('lists of RCS actions and notifications', () => {
  test('are filtered, sorted and reported of in the same way', async () => {
    const { ask } = await newAccount()
    const profile = {
      ...{ name: 'Agent', default: true, active: true },
      settings: { provider: 'capture', agent: 'shop_agent' },
    }
    await ask('POST', '/channel/rcs/profiles', profile)
    for (const name of ['beta', 'Alpha']) {
      const made = await ask('POST', '/channel/rcs/actions', { type: 'rcsMessage', name })
      if (made.status !== 200) assert.fail(made.text)
      assert.equal((await ask('POST', '/notifications', { type: 'push-app', name })).status, 200)
    }
    for (const path of ['/channel/rcs/actions', '/notifications']) {
      const { body } = await ask('GET', `${path}?sort=name&report=true`)
      assert.deepEqual(
        body.map(({ name }: { name: string }) => name),
        ['Alpha', 'beta'],
        path,
      )
      assert.equal(body[0].report.sent, 0, path)
      assert.deepEqual((await ask('GET', `${path}?name=ALPH`)).body.length, 1, path)
      for (const query of ['state=15', 'sort=size', 'campaign=7'])
        assert.equal((await ask('GET', `${path}?${query}`)).status, 400, `${path} ${query}`)
      const paged = await ask('GET', `${path}?sort=-name&limit=1`)
      const next = /<([^>]+)>; rel="next"/.exec(String(paged.headers['link']))?.[1] ?? ''
      assert.deepEqual(
        (await ask('GET', next)).body.map(({ name }: { name: string }) => name),
        ['Alpha'],
        path,
      )
    }
    assert.deepEqual((await ask('GET', '/notifications?state=active')).body, [])
    assert.deepEqual((await ask('GET', '/notifications?state=inactive&active=true')).body, [])
    assert.equal((await ask('GET', '/notifications?state=inactive')).body.length, 2)
    assert.equal((await ask('GET', '/channel/rcs/actions?type=rcsCampaign')).body.length, 0)
  })
})

suite('the overview', () => {
  test('of a new account is empty', async () => {
    const { ask } = await newAccount()
    assert.deepEqual((await ask('GET', '/overview')).body, {
      ...{ running: [], planned: [], approvals: [], failed: [], campaigns: [] },
      date: new Date(clock.now()).toISOString(),
    })
  })

  test('shows what runs, waits and failed, and the last campaigns, of its account alone', async () => {
    const { account, ask } = await newAccount()
    const job = await startJob(db, account, { type: 'targets.update', payload: {} }, clock.now())
    const now = new Date(clock.now())
    const at = now.toISOString()
    const validation = {
      phase: 'test',
      result: 'repair',
      startedAt: at,
      endedAt: at,
      errors: [{ detail: 'no such field' }],
    }
    const campaign = { ...mail('Big'), type: 'mailCampaign' }
    const [sending, waiting, failed] = await Promise.all(
      ['sent', 'planned', 'failed'].map(async (name) => (await ask('POST', '/actions', { ...campaign, name })).body.id),
    )
    const number = (id: string) => readActionId(id)
    await context.pool.query('update actions set state = 55, started_at = $2 where id = $1', [number(sending), now])
    await context.pool.query(
      `update actions set state = 50, scheduler = jsonb_set(scheduler::jsonb, '{startsAt}', to_jsonb($2::text)) where id = $1`,
      [number(waiting), at],
    )
    await context.pool.query('update actions set state = 10, last_validation = $2 where id = $1', [
      number(failed),
      JSON.stringify(validation),
    ])
    const { status, body } = await ask('GET', '/overview')
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.running, [
      { type: 'mailCampaign', id: sending, name: 'sent', state: 'sending', since: at, progress: null },
      {
        type: 'job',
        id: job.id,
        name: 'targets.update',
        state: 'queued',
        since: at,
        progress: { done: 0, total: null },
      },
    ])
    assert.deepEqual(body.planned, [{ type: 'mailCampaign', id: waiting, name: 'planned', startDate: at }])
    assert.deepEqual(body.failed, [
      { type: 'mailCampaign', id: failed, name: 'failed', date: at, detail: 'no such field' },
    ])
    assert.deepEqual(
      body.campaigns.map(({ id, startDate }: { id: string; startDate: string }) => [id, startDate]),
      [[sending, at]],
    )
    const theirs = (await call('GET', '/overview', { key: other.key })).body
    assert.deepEqual([theirs.running, theirs.planned, theirs.failed, theirs.campaigns], [[], [], [], []])
    const writer = await harness.makeKey(account, ['write'])
    assert.equal((await call('GET', '/overview', { key: writer })).status, 403)
  })
})
