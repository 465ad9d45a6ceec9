import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import type { NewEvent } from '../../../src/features/events/record/new-event.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { createUuidV7, parseActionId } from '../../../src/lib/ids.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { MAX_MESSAGE_WAIT_MS } from '../../../src/sending/claim/queue-messages.ts'
import { requestSends, type SendRequest } from '../../../src/sending/plan/request-sends.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { call, clock, context, own } = stage
const { db, pool } = context
const { account } = own

const action = await stage.validated(await stage.action())
const source = parseActionId(action)!
const { version } = await db.selectFrom('actions').select('version').where('id', '=', source).executeTakeFirstOrThrow()

/** Requests a message to a new contact, as one of a workflow would be when `depth` is given; gives its stamp. */
async function request(name: string, more: Partial<SendRequest> = {}): Promise<string> {
  const id = await stage.contact(`${name}@shop.example`)
  const { rows } = await pool.query('select id from contacts where unicity = $1', [`${name}@shop.example`])
  const [now, stamp] = [clock.now(), createUuidV7(clock.now())]
  const send: SendRequest = {
    account,
    channel: 'email',
    kind: 'message',
    lane: outboxLanes.transactional,
    version: version!,
    address: null,
    request: {},
    sending: { sourceKind: 'action', source, version: version!, lane: outboxLanes.transactional },
    sourceKind: 'action',
    source,
    copies: [],
    contact: rows[0].id,
    notBefore: new Date(now),
    expiresAt: new Date(now + MAX_MESSAGE_WAIT_MS),
    stamp: { id: stamp, thread: stamp, set: stamp, time: now },
    execution: { footprint: { type: 'id', value: id }, field: 1, origin: { type: 'api' } },
    ...more,
  } as SendRequest
  await db.transaction().execute(async (tx) => {
    const { events } = await requestSends(tx, [send], new Date(now))
    await recordEvents(tx, events)
  })
  return stamp
}

/** Kinds and depths of the events of a send, in the order of publication. */
async function depths(stamp: string): Promise<[kind: string, depth: number][]> {
  const { rows } = await pool.query('select kind, depth from events where stamp = $1 order by id', [stamp])
  return rows.map(({ kind, depth }) => [kind, depth])
}

function reaction(kind: NewEvent['kind'], stamp: string, detail: object): NewEvent {
  return {
    account,
    channel: 'email',
    kind,
    subject: source,
    contact: null,
    stamp,
    thread: null,
    isTest: false,
    key: null,
    detail: { ...detail },
  }
}

const bounce = { bounce: { time: 0, status: { type: 'async' }, analysis: { verdict: 'hard' } } }
const complaint = { complaint: { feedback: { type: 'abuse' } } }

test('a message and its events have the depth of their request, and human actions have none', async () => {
  const stamp = await request('ann', { depth: 3 })
  assert.deepEqual((await pool.query('select depth from messages where stamp = $1', [stamp])).rows, [{ depth: 3 }])
  await stage.sendDue()
  await recordEvents(db, [reaction('bounces', stamp, bounce), reaction('complaints', stamp, complaint)])
  assert.deepEqual(await depths(stamp), [
    ['executions', 3],
    ['activations', 3],
    ['bounces', 3],
    ['complaints', 0],
  ])
})

test('a cancellation has the depth of its request, and no depth when the request has no depth', async () => {
  const stamp = await request('bob', { depth: 2, expiresAt: new Date(clock.now() - 1) })
  const plain = await request('cid')
  await stage.sendDue()
  assert.deepEqual(await depths(stamp), [
    ['executions', 2],
    ['cancellations', 2],
  ])
  assert.deepEqual(await depths(plain), [
    ['executions', 0],
    ['activations', 0],
  ])
})

test('a bounce stored before its activation gets the depth when they are joined', async () => {
  const stamp = await request('dan', { depth: 4 })
  await recordEvents(db, [reaction('bounces', stamp, bounce)])
  await stage.sendDue()
  await eventually(async () => {
    await finalizeHits(db)
    return (await depths(stamp)).some(([kind, depth]) => kind === 'bounces' && depth === 4)
  })
})

test('no event record shows the depth', async () => {
  const { body } = await call('GET', `/actions/${action}/events`)
  assert.ok(body.length > 0)
  assert.ok(!JSON.stringify(body).includes('depth'))
})
