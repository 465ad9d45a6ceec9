import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { updateEventCounts } from '../../../src/features/events/counts/summary-counts.ts'
import { startJob } from '../../../src/features/jobs/jobs.ts'
import { createUuidV7, parseActionId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'

const harness = await startHarness()
const { call, clock, context, makeAccount, other } = harness
const { db, pool } = context

let accounts = 0
async function newAccount() {
  const made = await makeAccount(`L${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown) => call(method, url, { body, key: made.key })
  return { ...made, ask }
}

const mail = (name: string) => ({
  type: 'mailMessage',
  name,
  content: { subject: 'Hello', html: '<p>Hello</p>' },
})

suite('jobs', () => {
  test('are listed newest first, by state and in pages, without those of other accounts', async () => {
    const { account, ask } = await newAccount()
    const started = []
    for (let n = 0; n < 3; n++)
      started.unshift(await startJob(db, account, { type: 'targets.update', payload: {} }, clock.now() + n))
    assert.deepEqual((await ask('GET', '/jobs')).body, started)
    const [last, middle] = started
    await pool.query("update jobs set state = 'failed', ended_at = now() where id = $1", [middle?.id])
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
  test('are filtered by state, type, category, campaign and part of the name', async () => {
    const { ask } = await newAccount()
    const create = async (body: object) => (await ask('POST', '/actions', body)).body
    const category = (await ask('POST', '/categories', { name: 'News' })).body.id
    const spring = await create({ ...mail('Spring 50%_off'), informations: { category } })
    const autumn = await create(mail('Autumn'))
    await ask('POST', '/fields', { type: 'phone', name: 'Mobile' })
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
    assert.deepEqual(await ids(`campaign=${createUuidV7(clock.now())}`), [])
    assert.deepEqual(await ids('name=SPRING'), [spring.id, draft.id])
    assert.deepEqual(await ids('name=50%25_'), [spring.id])
    assert.deepEqual(await ids('name=%25'), [spring.id])
    assert.deepEqual(await ids('name=spring&state=20'), [spring.id])
    for (const query of ['state=15', 'type=rcsMessage', 'category=x', 'campaign=7', 'sort=size', 'report=maybe']) {
      const { status, body } = await ask('GET', `/actions?${query}`)
      assert.deepEqual([status, body.errors?.[0].pointer], [400, query.split('=')[0]], query)
    }
  })

  test('are sorted, and paged by the sort key', async () => {
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

  /** Writes an event of an action, as old as is said. */
  async function event(account: number, subject: number, row: Record<string, unknown>, ageMs: number) {
    const { kind = 'hits/open', contact = 1, classification = null, isTest = false } = row
    const at = new Date(Date.now() - ageMs)
    await pool.query(
      `insert into events (id, at, account, channel, kind, subject, contact, classification, is_test, activation_at, detail)
      values ($1, $2, $3, 'email', $4, $5, $6, $7, $8, $9, '{}')`,
      [
        createUuidV7(at.getTime()),
        at,
        account,
        kind,
        subject,
        contact,
        classification,
        isTest,
        kind === 'activations' ? null : at,
      ],
    )
  }

  test('include a short report on request, the same from counts and from events', async () => {
    const { account, ask } = await newAccount()
    const [sent, unsent] = [
      (await ask('POST', '/actions', mail('Sent'))).body,
      await ask('POST', '/actions', mail('No')),
    ]
    assert.equal(unsent.status, 200)
    const subject = parseActionId(sent.id) ?? 0
    const hour = 3_600_000
    const rows: [Record<string, unknown>, number][] = [
      [{ kind: 'activations', contact: 1 }, 30 * hour],
      [{ kind: 'activations', contact: 2 }, 30 * hour],
      [{ kind: 'activations', contact: 3, isTest: true }, 30 * hour],
      [{ contact: 1 }, 29 * hour],
      [{ contact: 1 }, 28 * hour],
      [{ contact: 2 }, 5 * hour],
      [{ contact: 2 }, 0],
      [{ contact: 2, classification: 'mpp' }, 5 * hour],
      [{ kind: 'hits/redirection', contact: 1 }, 4 * hour],
      [{ kind: 'hits/redirection', contact: 3, isTest: true }, 4 * hour],
      [{ kind: 'hits/unsubscribe', contact: 2 }, 3 * hour],
      [{ kind: 'complaints', contact: 2 }, 2 * hour],
      [{ kind: 'bounces', contact: 2 }, 2 * hour],
    ]
    for (const [row, ageMs] of rows) await event(account, subject, row, ageMs)
    const report = {
      audience: null,
      sent: 2,
      refused: null,
      held: null,
      cancelled: null,
      pending: null,
      opens: { human: 4, machine: 1, contacts: 2 },
      clicks: { human: 1, machine: 0, contacts: 1 },
      unsubscribes: 1,
      complaints: 1,
      replies: 0,
      bounces: 1,
    }
    const nothing = { human: 0, machine: 0, contacts: 0 }
    const empty = { ...report, sent: 0, opens: nothing, clicks: nothing, unsubscribes: 0, complaints: 0, bounces: 0 }
    const reports = async () =>
      (await ask('GET', '/actions?report=true')).body.map((one: { report: unknown }) => one.report)
    assert.deepEqual(await reports(), [report, empty])
    await updateEventCounts(db)
    const counted = await pool.query('select 1 from event_counts where account = $1', [account])
    assert.ok((counted.rowCount ?? 0) > 0)
    assert.deepEqual(await reports(), [report, empty])
    // One that came late, to a quarter that is counted.
    await event(account, subject, { contact: 9 }, 5 * hour)
    const late = { ...report, opens: { human: 5, machine: 1, contacts: 3 } }
    assert.deepEqual(await reports(), [late, empty])
    assert.ok((await ask('GET', '/actions')).body.every((one: object) => !('report' in one)))
    const page = (await ask('GET', '/actions?report=true&limit=1&sort=-id')).body
    assert.deepEqual(
      page.map((one: { report: unknown }) => one.report),
      [empty],
    )
  })
})

suite('lists of RCS actions and notifications', () => {
  test('are filtered, sorted and reported in the same way', async () => {
    const { ask } = await newAccount()
    await ask('POST', '/fields', { type: 'phone', name: 'Mobile' })
    const profile = {
      name: 'Agent',
      default: true,
      active: true,
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
  test('shows imports, jobs, workflows, notifications and webhooks', async () => {
    const { account, ask } = await newAccount()
    const [now, ago] = [new Date(clock.now()), new Date(clock.now() - 3_600_000)]
    const [at, before] = [now.toISOString(), ago.toISOString()]
    const insert = async (text: string, values: unknown[]) => (await pool.query(text, values)).rows[0]?.id
    const [running, broken] = await Promise.all(
      ['running', 'broken'].map((name) =>
        insert("insert into imports (account, name, source, created_at) values ($1, $2, '{}', $3) returning id", [
          account,
          name,
          now,
        ]),
      ),
    )
    await insert(
      `insert into import_executions (account, import, started_at, state, content, bytes, total, ended_at, error) values
        ($1, $2, $4, 0, '{}', 5, 10, null, null), ($1, $3, $4, 2, '{}', 5, 10, $5, '{"type": "x", "detail": "no columns"}')`,
      [account, running, broken, ago, now],
    )
    const job = await startJob(db, account, { type: 'targets.update', payload: {} }, clock.now())
    await pool.query(
      `update jobs set state = 'failed', ended_at = $2, error = '{"type": "y", "detail": "no fields"}' where id = $1`,
      [job.id, ago],
    )
    const workflow = await insert(
      `insert into workflows (account, name, state, state_since, created_at, updated_at)
      values ($1, 'Welcome', 1, $2, $2, $2) returning id`,
      [account, ago],
    )
    const hour = new Date(Math.floor(ago.getTime() / 3_600_000) * 3_600_000)
    await pool.query(
      `insert into workflow_counts (account, workflow, version, hour, subject, id, name, n)
      values ($1, $2, 1, $3, 'run', '', 'failed', 4), ($1, $2, 2, $3, 'run', '', 'failed', 3)`,
      [account, workflow, hour],
    )
    // Of runs that are no longer stored, only their hour is known.
    const purged = await insert(
      `insert into workflows (account, name, state, state_since, created_at, updated_at)
      values ($1, 'Purged', 0, $2, $2, $2) returning id`,
      [account, ago],
    )
    await pool.query(
      `insert into workflow_counts (account, workflow, version, hour, subject, id, name, n)
      values ($1, $2, 1, $3, 'run', '', 'failed', 1)`,
      [account, purged, hour],
    )
    for (const [status, ended] of [
      ['failed', new Date(ago.getTime() - 60_000)],
      ['failed', ago],
      ['completed', now],
    ])
      await pool.query(
        `insert into workflow_runs (account, id, workflow, version, status, node, phase, start_type, stamp, stamp_time, thread, set,
          mark_at, expires_at, created_at, updated_at, ended_at)
        values ($1, $3, $2, 1, $4, 'x', 'begun', 'execution', $3, $5, $3, $3, $5, $5, $5, $5, $5)`,
        [account, workflow, createUuidV7(now.getTime()), status, ended],
      )
    const webhook = (await ask('POST', '/webhooks', { name: 'Shop', url: 'https://93.184.215.14/hook' })).body.id
    await pool.query("update webhooks set state = 'suspended', last_failure_at = $2 where id = $1", [webhook, now])
    const push = (await ask('POST', '/notifications', { type: 'push-app', name: 'Push' })).body.id
    await pool.query('update notifications set active = true, next_run_at = $2 where id = $1', [push, now])
    const { status, body } = await ask('GET', '/overview')
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.running, [
      {
        type: 'import',
        id: running,
        name: 'running',
        state: 'running',
        since: before,
        progress: { done: 5, total: 10 },
      },
      { type: 'workflow', id: workflow, name: 'Welcome', state: 'active', since: before, progress: null },
    ])
    assert.deepEqual(body.planned, [{ type: 'notification', id: push, name: 'Push', startDate: at }])
    const suspended = 'It is suspended: its receiver was away for too long, or is gone.'
    assert.deepEqual(body.failed, [
      { type: 'import', id: broken, name: 'broken', date: at, detail: 'no columns' },
      { type: 'webhook', id: webhook, name: 'Shop', date: at, detail: suspended },
      { type: 'job', id: job.id, name: 'targets.update', date: before, detail: 'no fields' },
      { type: 'workflow', id: workflow, name: 'Welcome', date: before, detail: '7 of its runs failed.' },
      { type: 'workflow', id: purged, name: 'Purged', date: hour.toISOString(), detail: '1 of its runs failed.' },
    ])
    // Nothing else fills a week: what is older is not told of.
    clock.advance(8 * 24 * 3_600_000)
    const later = (await ask('GET', '/overview')).body.failed.map(({ type }: { type: string }) => type)
    assert.deepEqual(later, ['webhook'])
    clock.set(now.getTime())
  })

  test('is empty for a new account', async () => {
    const { ask } = await newAccount()
    assert.deepEqual((await ask('GET', '/overview')).body, {
      running: [],
      planned: [],
      approvals: [],
      failed: [],
      campaigns: [],
      untrustedProxy: null,
      failingTasks: [],
      date: new Date(clock.now()).toISOString(),
    })
  })

  test('shows what is running, waiting and failed, and the last campaigns, of its own account only', async () => {
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
    const number = (id: string) => parseActionId(id)
    await pool.query('update actions set state = 55, started_at = $2 where id = $1', [number(sending), now])
    await pool.query(
      `update actions set state = 50, scheduler = jsonb_set(scheduler::jsonb, '{startsAt}', to_jsonb($2::text)) where id = $1`,
      [number(waiting), at],
    )
    await pool.query('update actions set state = 10, last_validation = $2 where id = $1', [
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
