import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { selectGoalEvents } from '../../../src/features/actions/goals/goal-events.ts'
import { goalEventTypes } from '../../../src/features/actions/goals/goal-schemas.ts'
import type { GoalEvent } from '../../../src/features/actions/goals/stored-goal.ts'
import { listenedEventTypes } from '../../../src/features/events/kinds/listened-types.ts'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import type { NewEvent } from '../../../src/features/events/record/new-event.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { type NoticeType, writeNotices } from '../../../src/features/notices/notices.ts'
import { compileMemberFilter } from '../../../src/features/workflows/definition/event-member-filter.ts'
import type { RunEventRecord } from '../../../src/features/workflows/nodes/node-contract.ts'
import { createUuidV7, parseActionId, parseContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'
import { eventually } from '../../support/wait.ts'

const harness = await startHarness()
const stage = workflowStage(harness)
const { call, clock, context, own } = harness
const { account } = own
const { db } = context

const VERSION = '019b73a2-ae80-7ca4-b385-0ccc331aaf8a'
const OTHER = '019b73a2-ae80-7ca4-b385-0ccc331aaf8b'
const made = await call('POST', '/targets', { body: { Email: 'ann@shop.example' } })
const CONTACT = parseContactId(made.body.id)!

type Json = Record<string, unknown>
interface Case {
  /** A record of the log, or the data of a notice. */
  record?: Partial<NewEvent>
  data?: Json
  name?: string
  /** Members that it passes, and that it does not. */
  passes: Json[]
  fails?: Json[]
}

const stamp = () => {
  const id = createUuidV7(Date.now())
  return { time: Date.now(), id, thread: id, set: id }
}
/** What all that is about a send has. */
const about = (channel: NewEvent['channel'], kind: NewEvent['kind'], id: unknown, more: Json, detail: Json = {}) => {
  const member = kind === 'executions' || kind === 'cancellations' ? 'execution' : 'activation'
  const own = stamp()
  return {
    channel,
    kind,
    stamp: own.id,
    thread: own.thread,
    detail: { [member]: { id, kind: 'message', stamp: own, ...more }, ...detail },
  } as Partial<NewEvent>
}
const action = (kind: NewEvent['kind'], detail: Json = {}, channel: NewEvent['channel'] = 'email') =>
  about(channel, kind, '000AB1', {}, detail)
const rcs = (kind: NewEvent['kind'], detail: Json = {}) => about('rcs', kind, 41, {}, detail)
const push = (kind: NewEvent['kind'], detail: Json = {}) =>
  about('notification', kind, 12, { version: VERSION }, detail)
const display = (kind: NewEvent['kind'], detail: Json = {}) =>
  about('display', kind, 'spring', { campaign: 'spring', placement: 'home-top', content: 'banner-a' }, detail)
const hit = (record: Partial<NewEvent>): Partial<NewEvent> => ({
  ...record,
  classification: null,
  watch: { hitAt: Date.now() - 60_000, link: null, visitor: null, early: null },
})

const ids: Pick<Case, 'passes' | 'fails'> = {
  passes: [{}, { ids: [] }, { ids: ['000AB1'] }, { ids: ['000AB2', '000AB1'] }],
  fails: [{ ids: ['000AB2'] }],
}
const rcsIds: Pick<Case, 'passes' | 'fails'> = { passes: [{}, { ids: [41] }], fails: [{ ids: [42] }] }
const pushIds: Pick<Case, 'passes' | 'fails'> = {
  passes: [{}, { ids: [12] }, { versions: [VERSION] }, { ids: [12], versions: [OTHER, VERSION] }],
  fails: [{ ids: [13] }, { versions: [OTHER] }, { ids: [12], versions: [OTHER] }],
}
const places: Pick<Case, 'passes' | 'fails'> = {
  passes: [{}, { campaigns: ['spring'] }, { placements: ['home-top'], contents: ['banner-a'] }],
  fails: [{ campaigns: ['autumn'] }, { placements: ['side'] }, { campaigns: ['spring'], contents: ['banner-b'] }],
}

const cases: Record<string, Case> = {
  'action.execution': { record: action('executions'), ...ids },
  'action.activation': { record: action('activations'), ...ids },
  'action.cancellation': {
    record: action('cancellations', { cancellation: { type: 'redlist', value: {} } }),
    passes: [...ids.passes, { causes: ['redlist'] }, { ids: ['000AB1'], causes: ['bounce', 'redlist'] }],
    fails: [...ids.fails!, { causes: ['bounce'] }, { ids: ['000AB2'], causes: ['redlist'] }],
  },
  'action.complaint': { record: action('complaints', { complaint: { feedback: { type: 'abuse' } } }), ...ids },
  'action.delivery': { record: action('deliveries', { delivery: {} }, 'sms'), ...ids },
  'action.stop': { record: action('responses/stop', { reply: { type: 'stop' } }, 'sms'), ...ids },
  'action.bounce': {
    record: action('bounces', { bounce: { analysis: { verdict: 'hard' } } }),
    passes: [...ids.passes, { verdicts: ['hard'] }, { verdicts: ['soft', 'hard'] }],
    fails: [...ids.fails!, { verdicts: ['soft'] }],
  },
  'action.reply': {
    record: action('responses/other', { reply: { type: 'other' } }, 'sms'),
    passes: [...ids.passes, { kinds: ['other'] }],
    fails: [...ids.fails!, { kinds: ['stop'] }],
  },
  'action.hit': {
    record: hit(action('hits/redirection', { link: { type: 'redirection', id: 4, name: 'hero button' } })),
    passes: [...ids.passes, { kinds: ['redirection'] }, { links: ['hero button'] }, { links: ['4'] }],
    fails: [...ids.fails!, { kinds: ['open'] }, { links: ['hero'] }, { kinds: ['redirection'], links: ['5'] }],
  },
  'rcs.execution': { record: rcs('executions'), ...rcsIds },
  'rcs.activation': { record: rcs('activations'), ...rcsIds },
  'rcs.cancellation': { record: rcs('cancellations', { cancellation: { type: 'redlist', value: {} } }), ...rcsIds },
  'rcs.bounce': { record: rcs('bounces', { bounce: { analysis: { verdict: 'soft' } } }), ...rcsIds },
  'rcs.delivery': { record: rcs('deliveries', { delivery: {} }), ...rcsIds },
  'rcs.reply': { record: rcs('responses/other', { reply: { type: 'other' } }), ...rcsIds },
  'rcs.interaction': {
    record: {
      ...rcs('interactions/suggestion', { interaction: { type: 'suggestion', suggestion: { postback: 'yes-1' } } }),
      classification: null,
    },
    passes: [...rcsIds.passes, { kinds: ['suggestion'] }, { postbacks: ['yes-1'] }],
    fails: [...rcsIds.fails!, { kinds: ['read'] }, { postbacks: ['no-1'] }],
  },
  'notification.execution': { record: push('executions'), ...pushIds },
  'notification.activation': { record: push('activations'), ...pushIds },
  'notification.cancellation': { record: push('cancellations', { cancellation: { type: 'redlist' } }), ...pushIds },
  'notification.bounce': { record: push('bounces', { bounce: { analysis: { verdict: 'hard' } } }), ...pushIds },
  'notification.impression': { record: push('impressions', { impression: {} }), ...pushIds },
  'notification.optout': { record: push('optouts', { optout: { type: 'global' } }), ...pushIds },
  'notification.hit': {
    record: hit(push('hits/dismiss', { link: { type: 'dismiss' } })),
    passes: [...pushIds.passes, { kinds: ['dismiss'] }],
    fails: [...pushIds.fails!, { kinds: ['redirection'] }],
  },
  'display.activation': { record: display('activations'), ...places },
  'display.hit': { record: hit(display('hits/redirection', { link: { type: 'redirection' } })), ...places },
  'target.created': { data: {}, passes: [{}] },
  'target.deleted': { data: {}, passes: [{}] },
  'target.updated': {
    data: { fields: [101, 102] },
    passes: [{}, { fields: [102] }, { fields: [7, 101] }],
    fails: [{ fields: [7] }],
  },
  'target.bounced': { data: { field: 101, code: 53 }, passes: [{}, { fields: [101] }], fails: [{ fields: [102] }] },
  'target.redlisted': {
    data: { channels: ['mail'], origin: 1 },
    passes: [{}, { channels: ['mail'] }, { channels: ['sms', 'mail'] }],
    fails: [{ channels: ['sms'] }],
  },
  'segment.entered': { data: { segment: 5 }, passes: [{ segments: [4, 5] }], fails: [{ segments: [4] }] },
  'segment.left': { data: { segment: 5 }, passes: [{ segments: [5] }], fails: [{ segments: [6] }] },
  'subscription.created': {
    data: { application: VERSION },
    passes: [{}, { applications: [VERSION] }],
    fails: [{ applications: [OTHER] }],
  },
  'subscription.deleted': {
    data: { application: VERSION },
    passes: [{}, { applications: [OTHER, VERSION] }],
    fails: [{ applications: [OTHER] }],
  },
  'import.completed': { data: { import: 3 }, passes: [{}, { imports: [3] }], fails: [{ imports: [4] }] },
  custom: { name: 'cart.left', data: { cart: 7 }, passes: [{ names: ['cart.left'] }], fails: [{ names: ['cart'] }] },
}

/** Nothing has happened so far. */
async function forget(): Promise<void> {
  await sql`delete from events`.execute(db)
  await sql`delete from notices`.execute(db)
  await sql`update workflows set state = 0 where account = ${account}`.execute(db)
}

/** The number of what an event is about. */
function subjectOf({ detail = {} }: Partial<NewEvent>): number | null {
  const { id } = (detail['activation'] ?? detail['execution'] ?? {}) as { id?: unknown }
  return typeof id === 'number' ? id : typeof id === 'string' ? (parseActionId(id) ?? null) : null
}

/** Who had the events that a goal of an experiment asks for. */
async function reachedBy(event: Json & { type: string }): Promise<unknown[]> {
  const { rows } = await sql<{ contact: number }>`
    select contact from (${selectGoalEvents(sql`events`, { account, event: event as GoalEvent, since: new Date(Date.now() - 3_600_000) })}) g`.execute(
    db,
  )
  return rows.map(({ contact }) => contact)
}

async function publish(type: string, { record, data, name }: Case): Promise<void> {
  if (record) {
    const base = { account, subject: subjectOf(record), contact: CONTACT, isTest: false, key: null }
    await recordEvents(db, [{ ...base, ...record } as NewEvent])
    if (record.watch) {
      await eventually(async () => {
        await finalizeHits(db)
        return (await sql`select from unsettled_hits`.execute(db)).rows.length === 0
      })
    }
  } else if (name) {
    await sql`
      insert into notices (account, type, name, contact, data)
      values (${account}, ${type}, ${name}, ${CONTACT}, ${JSON.stringify(data)}::jsonb)`.execute(db)
  } else {
    await db
      .transaction()
      .execute((tx) => writeNotices(tx, account, [{ type: type as NoticeType, contact: CONTACT, data: data! }]))
  }
}

/** Listeners and waits for each of the filters. */
function workflowOf(type: string, filters: readonly Json[]) {
  const since = { unit: 'HOUR', value: 1 }
  const filter = (members: Json) => ({ type, ...members })
  return {
    settings: { reentry: { mode: 'always' }, concurrency: 100 },
    listeners: filters.map((members, n) => ({ id: `l${n}`, event: filter(members), handler: 'end' })),
    nodes: [
      { id: 'end', type: 'terminal', settings: {} },
      ...filters.map((members, n) => ({
        id: `w${n}`,
        type: 'wait',
        next: 'end',
        settings: { event: filter(members), correlation: 'none', since },
      })),
    ],
  }
}

describe('event filters', () => {
  test('the table of test cases covers every event type', () => {
    assert.deepEqual(Object.keys(cases).sort(), [...listenedEventTypes.keys()].sort())
  })

  for (const [type, one] of Object.entries(cases)) {
    test(`${type}: listeners, earlier waits, later waits and goals filter the same way`, async () => {
      await forget()
      const filters = [
        ...one.passes,
        ...(one.fails ?? []),
        { ...one.passes[0], filter: { type: 'literal', value: false } },
      ]
      const workflow = await stage.activate(workflowOf(type, filters))
      const startWaits = async () => {
        const runs: string[] = []
        for (const n of filters.keys()) {
          const answer = await stage.start(workflow, { node: `w${n}` })
          runs.push((answer as { id: string }).id)
        }
        await stage.settle()
        return runs
      }
      const statuses = (runs: readonly string[]) =>
        Promise.all(runs.map(async (run) => (await stage.run(run))['status']))
      const before = await startWaits()
      assert.deepEqual(new Set(await statuses(before)), new Set(['waiting']))
      await publish(type, one)
      await stage.settle()
      const expected = filters.map((_, n) => (n < one.passes.length ? 'completed' : 'waiting'))
      assert.deepEqual(await statuses(before), expected, 'waits before')
      assert.deepEqual(await statuses(await startWaits()), expected, 'waits after')
      const { rows } = await sql<{ id: string; contact: number | null }>`
        select start_id as id, contact from workflow_runs where workflow = ${workflow} and start_type = 'listener' order by start_id`.execute(
        db,
      )
      assert.deepEqual(
        rows.map(({ id }) => id),
        one.passes.map((_, n) => `l${n}`),
        'listeners',
      )
      const isWithout = type === 'target.deleted' || type === 'import.completed'
      assert.deepEqual(new Set(rows.map(({ contact }) => contact)), new Set([isWithout ? null : CONTACT]))
      if (goalEventTypes.has(type)) {
        for (const members of one.passes) assert.deepEqual(await reachedBy({ type, ...members }), [CONTACT], type)
        for (const members of one.fails ?? []) assert.deepEqual(await reachedBy({ type, ...members }), [], type)
      }
      clock.advance(1)
    })
  }

  test('notices have the members that their filters read, as the product writes them', async () => {
    await forget()
    await stage.activate(workflowOf('target.updated', [{}]))
    await stage.activate(workflowOf('target.bounced', [{}]))
    await stage.activate(workflowOf('target.redlisted', [{}]))
    const segment = (await call('POST', '/segments', { body: { type: 'static', name: 'Shoppers' } })).body.id
    await stage.activate(workflowOf('segment.entered', [{ segments: [segment] }]))
    const contact = (await call('POST', '/targets', { body: { Email: 'ben@shop.example' } })).body.id
    const field = (await call('GET', '/fields')).body[0].id
    await call('PUT', `/targets/${contact}`, { body: { Email: 'ben2@shop.example' } })
    await call('PUT', `/targets/${contact}/bounces/${field}`, { body: { code: 53 } })
    await call('PUT', `/segments/${segment}/targets`, { body: [contact] })
    await call('POST', `/targets/${contact}/redlist/mail`)
    const { rows } = await sql<RunEventRecord & { type: string }>`select type, name, data from notices`.execute(db)
    const [inside, outside] = [{ fields: [field], channels: ['mail'], segments: [segment] }, { fields: [field + 1] }]
    for (const [type, member] of [
      ['target.updated', 'fields'],
      ['target.bounced', 'fields'],
      ['target.redlisted', 'channels'],
      ['segment.entered', 'segments'],
    ] as const) {
      const notice = rows.find((row) => row.type === type)
      assert.ok(notice, type)
      assert.ok(
        compileMemberFilter({ [member]: inside[member] })(notice),
        `${type} has ${JSON.stringify(notice['data'])}`,
      )
      assert.ok(!compileMemberFilter({ fields: outside.fields, [member]: ['none'] })(notice), type)
      if (goalEventTypes.has(type))
        assert.ok((await reachedBy({ type, [member]: inside[member] })).includes(parseContactId(contact)), type)
    }
  })

  test('proofs and robot activity trigger no listener, wait or goal', async () => {
    const types = ['action.activation', 'action.hit', 'rcs.interaction']
    for (const type of types) {
      await forget()
      const workflow = await stage.activate(workflowOf(type, [{}]))
      const early = (await stage.start(workflow, { node: 'w0' })) as { id: string }
      await stage.settle()
      const proof = cases[type]!.record!
      const detail = { activation: { ...(proof.detail!['activation'] as object), kind: 'test' } }
      await publish(type, { record: { ...proof, isTest: true, detail: { ...proof.detail, ...detail } }, passes: [] })
      if (type !== 'action.activation')
        await publish(type, { record: { ...proof, classification: 'genericrobot' }, passes: [] })
      await stage.settle()
      const late = (await stage.start(workflow, { node: 'w0' })) as { id: string }
      await stage.settle()
      const found = [await stage.run(early.id), await stage.run(late.id)].map(({ status }) => status)
      assert.deepEqual(found, ['waiting', 'waiting'], type)
      const { rows } = await sql`
        select from workflow_runs where workflow = ${workflow} and start_type = 'listener'`.execute(db)
      assert.equal(rows.length, 0, type)
      assert.deepEqual(await reachedBy({ type }), [], type)
    }
  })
})
