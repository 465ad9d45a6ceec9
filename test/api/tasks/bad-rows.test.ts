import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { beginDueCampaigns } from '../../../src/features/actions/execution/campaign-run.ts'
import { startDueImports } from '../../../src/features/imports/run/starts.ts'
import { ingestRcsReports } from '../../../src/features/inbound/rcs/rcs-ingest.ts'
import { ingestSmsReports } from '../../../src/features/inbound/sms/sms-ingest.ts'
import { publishCustomEvents } from '../../../src/features/notices/custom.ts'
import { startDueNotifications } from '../../../src/features/notifications/sends/runs.ts'
import { countAudienceGrowth } from '../../../src/features/segments/growth/counting.ts'
import {
  purgeWorkflowInterests,
  WORKFLOW_LISTENER_KIND,
} from '../../../src/features/workflows/definition/event-interests.ts'
import { computeExperiments } from '../../../src/features/workflows/experiments/experiment-results.ts'
import { listTaskFailures, trackTaskFailures } from '../../../src/jobs/failures.ts'
import { parseActionId, parseContactId } from '../../../src/lib/ids.ts'
import { runDueFollowups } from '../../../src/sending/record/followups.ts'
import { createDailyParts, createMinutelyParts } from '../../../src/service/housekeeping.ts'
import { createPeriodicTasks, createTaskHandlers } from '../../../src/service/periodic-tasks.ts'
import { isolateFollowups } from '../../../src/service/ports.ts'
import { storedApplication } from '../../support/stages/push-applications.ts'
import { startStage } from '../../support/stages/stage.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

/*
 * One bad row stops no other, in each task that goes through rows. Bad is a row that a trigger refuses to be written, or whose contents make the code
 * throw. A new task has to be added here, with a test or with the reason why it needs none.
 */

const stage = await startStage()
const { call, clock, context, own } = stage
const { db, pool } = context
const workflows = workflowStage(stage)
const registry = new Registry()
await trackTaskFailures(db, { clock, log: { error: () => undefined }, registry })

interface Case {
  /** Makes a good and a bad row and lets the clock go on until both are due; `subject`: the name of the bad one in the list of failures. */
  prepare(): Promise<{ subject: string; isDone(): Promise<boolean>; mend?(): Promise<unknown> }>
  work(): Promise<unknown>
}

/** Lets every write of some rows fail; gives how that is ended. */
async function poison(table: string, when: string, event = 'update or delete'): Promise<() => Promise<unknown>> {
  await pool.query(`
    create or replace function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'a bad row'; end $$;
    create trigger bad_row before ${event} on ${table} for each row when (${when}) execute function refuse_row()`)
  return () => pool.query(`drop trigger bad_row on ${table}`)
}

async function made(path: string, body: object): Promise<{ id: number }> {
  const answer = await call('POST', path, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const later = () => new Date(clock.now() + 3_600_000).toISOString()

const cases: Record<string, Case> = {
  'start imports': {
    async prepare() {
      const frequency = { occurs: { type: 'daily' }, periodicity: { type: 'once', value: { hour: 6 } } }
      const scheduler = { type: 'periodic', frequency }
      const [bad, good] = [
        await made('/imports', { name: 'Bad', scheduler }),
        await made('/imports', { name: 'Good', scheduler }),
      ]
      const mend = await poison('imports', `old.id = ${bad.id}`)
      clock.advance(25 * 3_600_000)
      const isDone = async () => {
        const row = db.selectFrom('imports').select('next_at').where('id', '=', good.id)
        return (await row.executeTakeFirstOrThrow()).next_at!.getTime() > clock.now()
      }
      return { subject: `import ${bad.id}`, isDone, mend }
    },
    work: () => startDueImports(context),
  },
  'begin campaigns': {
    async prepare() {
      await stage.contact('ann@orchard.example')
      const segment = await stage.segment([await stage.contact('bob@orchard.example')])
      const scheduler = { type: 'scheduled', startDate: later(), segments: { selected: [segment] } }
      const campaign = async () => stage.validated(await stage.action({ type: 'mailCampaign', scheduler }))
      const [bad, good] = [await campaign(), await campaign()]
      const id = parseActionId(bad)
      const mend = await poison('actions', `old.id = ${id}`)
      clock.advance(2 * 3_600_000)
      return { subject: `action ${id}`, isDone: async () => (await stage.state(good)) === 55, mend }
    },
    work: () => beginDueCampaigns(db, new Date(clock.now())),
  },
  'start notifications': {
    async prepare() {
      const application = await storedApplication(stage)
      const segment = await stage.segment([await stage.contact('eve@orchard.example')])
      const task = {
        segments: { selected: [segment], excluded: [] },
        scheduler: { type: 'scheduled', startDate: later() },
      }
      const notification = async (name: string) => {
        const versions = [{ master: true, content: { title: 'Twenty off', body: 'Tonight only' } }]
        const { id } = await made('/notifications', {
          type: 'push-app',
          name,
          versions,
          task,
          settings: { application },
        })
        assert.equal((await call('POST', `/notifications/${id}/activation`)).status, 204)
        return id
      }
      const [bad, good] = [await notification('Bad'), await notification('Good')]
      const mend = await poison('notifications', `old.id = ${bad}`)
      clock.advance(3_600_001)
      const isDone = async () => {
        const row = db.selectFrom('notifications').select('last_run_at').where('id', '=', good)
        return (await row.executeTakeFirstOrThrow()).last_run_at !== null
      }
      return { subject: `notification ${bad}`, isDone, mend }
    },
    work: () => startDueNotifications(context),
  },
  'follow up messages': {
    async prepare() {
      const stamps = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']
      for (const stamp of stamps)
        await sql`insert into followups (account, stamp, kind, due) values (${own.account}, ${stamp}, 'tested', ${new Date(clock.now())})`.execute(
          db,
        )
      const mend = await poison('followups', `old.stamp = '${stamps[0]}' and new.state = 'done'`, 'update')
      const isDone = async () => {
        const { rows } = await sql`select from followups where stamp = ${stamps[1]} and state = 'done'`.execute(db)
        return rows.length === 1
      }
      return { subject: `tested of ${stamps[0]}`, isDone, mend }
    },
    async work() {
      const handler = async (_: unknown, due: readonly { stamp: string }[]) => {
        await sql`update followups set state = 'done', due = null where stamp = any(${due.map(({ stamp }) => stamp)}::uuid[])`.execute(
          db,
        )
      }
      await runDueFollowups(db, isolateFollowups({ tested: handler }), clock.now())
    },
  },
  'ingest SMS reports': {
    async prepare() {
      const report = { id: 'unknown', state: 'DELIVRD', at: clock.now() }
      const insert = async () => {
        const { rows } = await sql<{ id: number }>`
          insert into sms_inbox (gateway, kind, report, received_at, next_at)
          values ('smsc', 'receipt', ${JSON.stringify(report)}::jsonb, ${new Date(clock.now())}, ${new Date(clock.now())}) returning id`.execute(
          db,
        )
        return rows[0]!.id
      }
      const [bad, good] = [await insert(), await insert()]
      const mend = await poison(
        'sms_inbox',
        `old.id = ${bad} and new.next_at > old.next_at and new.next_at < old.next_at + interval '2 seconds'`,
        'update',
      )
      const isDone = async () => {
        const { rows } =
          await sql`select from sms_inbox where id = ${good} and next_at > ${new Date(clock.now())}`.execute(db)
        return rows.length === 1
      }
      return { subject: `report ${bad}`, isDone, mend }
    },
    work: () => ingestSmsReports({ ...context, unmatched: { inc: () => undefined } }),
  },
  'ingest RCS reports': {
    async prepare() {
      const report = { kind: 'delivered', message: 'unknown', agent: 'a', phone: '33600000001', at: clock.now() }
      const insert = async (digest: string) => {
        const { rows } = await sql<{ id: number }>`
          insert into rcs_inbox (digest, account, report, received_at, next_at)
          values (${Buffer.from(digest)}, ${own.account}, ${JSON.stringify(report)}::jsonb, ${new Date(clock.now())}, ${new Date(clock.now())})
          returning id`.execute(db)
        return rows[0]!.id
      }
      const [bad, good] = [await insert('bad'), await insert('good')]
      const mend = await poison('rcs_inbox', `old.id = ${bad}`, 'delete')
      const isDone = async () => {
        const { rows } =
          await sql`select from rcs_inbox where id = ${good} and next_at <= ${new Date(clock.now())}`.execute(db)
        return rows.length === 0
      }
      return { subject: `report ${bad}`, isDone, mend }
    },
    work: () => ingestRcsReports(context),
  },
  'fire tasks of workflows': {
    async prepare() {
      const nodes = [{ id: 'end', type: 'terminal', default: true, settings: {} }]
      const tasks = [{ id: 'hourly', handler: 'end', schedulers: [{ type: 'cron', id: 'hourly', minute: '0' }] }]
      const workflow = async (name: string) => {
        const { id } = await made('/scripting/workflows', { name, settings: { timeZone: { id: 'UTC' } }, nodes, tasks })
        await call('POST', `/scripting/workflows/${id}/activation`)
        return id
      }
      const [bad, good] = [await workflow('Bad'), await workflow('Good')]
      // Before it is read and cached; it cannot be mended without a new version.
      await sql`
        update workflow_versions set definition = jsonb_set(definition, '{tasks,0,schedulers}', 'null')
        where workflow = ${bad}`.execute(db)
      clock.advance(3_600_000)
      const isDone = async () => {
        const { rows: fired } = await sql`select from workflow_firings where workflow = ${good}`.execute(db)
        return fired.length > 0
      }
      return { subject: `workflow ${bad} task hourly`, isDone }
    },
    work: () => workflows.tasks.work(),
  },
  'count growth': {
    async prepare() {
      const bad = await stage.segment([await stage.contact('one@orchard.example')])
      const good = await stage.segment([await stage.contact('two@orchard.example')])
      const mend = await poison('growth_days', `new.segment = ${bad}`, 'insert')
      const isDone = async () => {
        const { rows } = await sql`select from growth_days where segment = ${good}`.execute(db)
        return rows.length > 0
      }
      return { subject: `segment ${bad}`, isDone, mend }
    },
    // The job is tried again, and counts what is left.
    work: () => countAudienceGrowth(db, { account: own.account }, clock.now()).catch(() => undefined),
  },
  'dispatch events to workflows': {
    async prepare() {
      const nodes = [{ id: 'rest', type: 'sleep', default: true, settings: { period: { unit: 'DAY', value: 9 } } }]
      const listeners = [{ id: 'l', event: { type: 'custom', names: ['seen'] }, handler: 'rest' }]
      const workflow = await workflows.activate({ nodes, listeners })
      const [bad, good] = [await stage.contact('dot@orchard.example'), await stage.contact('fay@orchard.example')].map(
        (id) => parseContactId(id)!,
      )
      const notice = { account: own.account, name: 'seen', data: {}, depth: 0, stamp: null }
      for (const contact of [bad!, good!]) await publishCustomEvents(db, [{ ...notice, contact }])
      const { rows } = await sql<{ event: string }>`
        select event from listener_queue where listener is null and contact = ${bad} and kind = ${WORKFLOW_LISTENER_KIND}
        order by id desc limit 1`.execute(db)
      const mend = await poison('workflow_runs', `new.contact = ${bad}`, 'insert')
      const isDone = async () => {
        const runs = db.selectFrom('workflow_runs').select('id').where('workflow', '=', workflow)
        return (await runs.where('contact', '=', good!).execute()).length === 1
      }
      return { subject: `event ${rows[0]!.event}`, isDone, mend }
    },
    work: () => workflows.dispatch(),
  },
  'compute experiments': {
    async prepare() {
      const settings = { branches: [{ id: 'a', next: null }], method: 'fixed', minimum: 1, confidence: 95 }
      const experiment = (node: string) => sql`
        with made as (
          insert into workflow_experiments (account, workflow, node, fingerprint, settings)
          values (${own.account}, 1, ${node}, 'f', ${JSON.stringify(settings)}::jsonb))
        insert into workflow_experiment_visits (account, workflow, node, fingerprint, run, visit, branch, metric, at, until)
        values (${own.account}, 1, ${node}, 'f', ${randomUUID()}, 1, 'a', 'custom', ${new Date(clock.now())}, ${new Date(clock.now())})`
      for (const node of ['bad', 'good']) await experiment(node).execute(db)
      const mend = await poison('workflow_experiments', `old.node = 'bad'`)
      const isDone = async () => {
        const { rows } = await sql`
          select from workflow_experiments where node = 'good' and state -> 'counts' -> 'a' ->> 'visits' = '1'`.execute(
          db,
        )
        return rows.length === 1
      }
      return { subject: `experiment ${JSON.stringify([own.account, 1, 'bad', 'f'])}`, isDone, mend }
    },
    work: () => computeExperiments(db, clock.now()),
  },
  forgetInterests: {
    async prepare() {
      const nodes = [{ id: 'end', type: 'terminal', default: true, settings: {} }]
      const listeners = [{ id: 'l', event: { type: 'target.created' }, handler: 'end' }]
      const owners = async () => {
        const { rows } = await sql<{
          owner: string
        }>`select owner from listener_interests where account = ${own.account}`.execute(db)
        return rows.map(({ owner }) => owner)
      }
      const workflow = () => workflows.activate({ nodes, listeners })
      const [bad, good] = [await workflow(), await workflow()]
      await sql`update workflows set state = 0 where id = any(${[bad, good]}::integer[])`.execute(db)
      assert.ok((await owners()).includes(String(good)))
      const mend = await poison('listener_interests', `old.owner = '${bad}'`)
      return { subject: `workflow ${bad}`, isDone: async () => !(await owners()).includes(String(good)), mend }
    },
    work: () => purgeWorkflowInterests(db),
  },
}

/** Why other tasks have no case here. */
const others: Record<string, readonly string[]> = {
  'each of its parts fails alone, and those that go through rows are cases here': [
    'advance actions',
    'housekeeping.minutely',
    'housekeeping.daily',
  ],
  'is a job for each row or account, and the queue goes on with others': [
    'jobs.run',
    'imports.run',
    'imports.pull',
    'imports.report',
    'actions.test',
    'campaigns.plan',
    'actions.export',
    'contacts.erase',
    'people.reset',
    'people.place',
    'people.key',
    'people.approval',
    'approvals.undone',
    'segments.count',
  ],
  'its job is a case here': ['segments.growth'],
  'has a test next to others of its rows, in test/workflows or test/api/events': [
    'compare watched segments',
    'perform workflows',
    'perform workflows in addition',
    'deliver webhooks',
  ],
  'only queues jobs': ['resume imports', 'resume plans', 'resume tests', 'resume jobs', 'requestGrowth'],
  'goes through its rows by eachAlone, as the cases here': ['listen for workflows', 'settleAwaited', 'expireImports'],
  'is statements over all rows, which fail and are tried again as a whole, and holds up no other task': [
    'end runs of notifications',
    'settle hits',
    'count events',
    'count ended messages',
    'sweep files',
    'wake paused workflow runs',
    'stop workflow runs',
    'count workflows',
    'holdLost',
    'requestIndexes',
    'segments.index',
    'forgetGone',
    'requestWipes',
    'archives.wipe',
    'countSuccesses',
    'countGoals',
    'countSent',
    'trimRuns',
    'trimRequests',
    'trimTries',
    'deleteFailedJobs',
    'ensurePartitions',
    'forgetOldEvents',
    'dropStored',
    'forgetOldCounts',
    'forgetOldHours',
    'recountSent',
    'forgetSentMessages',
    'forgetInstants',
    'forgetGoals',
    'forgetRates',
    'forgetPeople',
    'forgetGrowth',
    'forgetArchives',
    'forgetIdempotencyKeys',
    'forgetOldJobs',
    'forgetFirings',
    'forgetOldNotices',
    'forgetRuns',
    'forgetVersions',
    'forgetAudit',
    'forgetWebtaskRuns',
    'forgetStamps',
    'forgetVisits',
    'forgetUnmatched',
    'forgetDeadLetters',
    'forgetStreamNotices',
    'forgetSmsSends',
    'forgetAwaited',
    'forgetCapabilities',
    'forgetWebhookTokens',
    'forgetFailures',
  ],
}

/** Cases that are parts of a task or a job, and no task of their own. */
const parts = ['begin campaigns', 'count growth']

suite('one bad row', () => {
  for (const [task, { prepare, work }] of Object.entries(cases))
    test(`of "${task}" stops no other row, is listed, and is done once it is mended`, async () => {
      const { subject, isDone, mend } = await prepare()
      try {
        await work()
        assert.ok(await isDone(), 'the good row was not done')
        const failing = (await listTaskFailures(db, clock.now())).map((one) => [one.task, one.subject])
        assert.deepEqual(failing, [[task, subject]])
        assert.match(
          await registry.metrics(),
          new RegExp(`^stentor_task_failures_total\\{task="${task}"\\} [1-9]`, 'm'),
        )
      } finally {
        await mend?.()
      }
      clock.advance(120_000)
      await work()
      if (mend) assert.deepEqual(await listTaskFailures(db, clock.now()), [])
      await db.deleteFrom('task_failures').execute()
    })

  test('can be of no task that is not listed here', async () => {
    const periodic = createPeriodicTasks(context, new Registry())
    after(() => periodic.stop(Promise.resolve()))
    const names = [
      ...periodic.tasks.map(({ name }) => name),
      ...[createMinutelyParts(context), createDailyParts(context), createTaskHandlers(context)].flatMap((given) =>
        Object.keys(given),
      ),
    ]
    const known = [...Object.keys(cases).filter((name) => !parts.includes(name)), ...Object.values(others).flat()]
    assert.deepEqual(known.toSorted(), names.toSorted())
  })
})
