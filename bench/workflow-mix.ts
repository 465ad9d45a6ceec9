import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { activeWorkflow, addressOf, type WorkflowStage } from './workflow-stage.ts'

const LOOK_MS = 100
const PATIENCE_MS = 120_000
const AT_ONCE = 1000
const CLAIMED = 500

const path = (value: string) => ({ type: 'path', value })
const branches = (ways: [string, number, string][]) => ways.map(([id, weight, next]) => ({ id, weight, next }))

/**
 * All begin at one instant. A fifth is sent a mail and waits until it has left, another fifth has its contact written; the others
 * decide, sleep a second and go on.
 */
const nodesOf = (action: string, field: number) => [
  { id: 'begin', type: 'sleep', default: true, settings: { until: path('data.at') }, next: 'known' },
  { id: 'known', type: 'if', settings: { condition: path('data.vip'), else: 'size' }, next: 'size' },
  {
    id: 'size',
    type: 'switch',
    settings: { value: path('data.cart.lines'), cases: [{ value: 3, next: 'ways' }] },
    next: 'ways',
  },
  {
    id: 'ways',
    type: 'split',
    settings: {
      by: 'run',
      branches: branches([
        ['mailed', 20, 'mail'],
        ['written', 20, 'write'],
        ['rested', 60, 'rest'],
      ]),
    },
  },
  { id: 'mail', type: 'sendMail', settings: { action, data: { cart: path('data.cart.id') } }, next: 'left' },
  {
    id: 'left',
    type: 'wait',
    settings: {
      event: { type: 'action.activation' },
      correlation: 'send',
      timeout: { unit: 'MINUTE', value: 10 },
      timeoutNext: 'late',
    },
    next: 'again',
  },
  { id: 'write', type: 'updateTarget', settings: { fields: { [field]: path('data.name') } }, next: 'again' },
  { id: 'rest', type: 'sleep', settings: { period: { unit: 'SECOND', value: 1 } }, next: 'again' },
  { id: 'again', type: 'if', settings: { condition: path('data.vip'), else: 'shares' }, next: 'shares' },
  {
    id: 'shares',
    type: 'split',
    settings: {
      branches: branches([
        ['one', 50, 'end'],
        ['other', 50, 'end'],
      ]),
    },
  },
  { id: 'late', type: 'terminal', settings: { outcome: 'late' } },
  { id: 'end', type: 'terminal', settings: { outcome: 'done' } },
]

/** Makes the workflow of the mix; gives its number. */
export async function prepareMix(stage: WorkflowStage): Promise<number> {
  const { client } = stage.service
  await client.call('PUT', '/settings/sending', { testRequired: false })
  const { id: field } = await client.call<{ id: number }>('POST', '/fields', { name: 'Called', type: 'textField' })
  const content = {
    headers: { from: { prefix: 'shop', label: 'Shop' } },
    subject: 'Cart',
    html: '<p>{{ data.cart }}</p>',
  }
  const { id: action } = await client.call<{ id: string }>('POST', '/actions', {
    type: 'mailMessage',
    name: 'Cart',
    settings: { purpose: { type: 'service' } },
    content,
  })
  await client.call('POST', `/actions/${action}/validation`, { fortest: false })
  const settings = { reentry: { mode: 'always' }, concurrency: 100, trace: 'all' }
  return activeWorkflow(stage, { name: 'Mix', settings, nodes: nodesOf(action, field) })
}

/** What of the runs that begin at an instant has ended. */
async function ended({ pool, service: { account } }: WorkflowStage, workflow: number, set: string) {
  const { rows } = await pool.query<{ open: number; nodes: number; outcomes: string[] }>(
    `select count(*) filter (where ended_at is null)::integer as open, sum(steps)::integer as nodes,
       array_agg(distinct outcome) filter (where ended_at is not null) as outcomes
     from workflow_runs where account = $1 and workflow = $2 and set = $3`,
    [account, workflow, set],
  )
  return rows[0]!
}

/** Starts so many runs by the interface, which all go on at one instant; gives how many nodes were performed a second until all ended. */
export async function mixedNodes(stage: WorkflowStage, workflow: number, runs: number): Promise<number> {
  const { contacts, pool, service } = stage
  const set = randomUUID()
  const at = Date.now() + 3000 + runs
  for (let done = 0; done < runs; done += AT_ONCE) {
    const items = Array.from({ length: Math.min(AT_ONCE, runs - done) }, (_, n) => ({
      receiver: { type: 'unicity', value: [addressOf((done + n) % contacts.length)] },
      data: { at: new Date(at).toISOString(), vip: n % 2 === 0, name: `name ${at} ${n}`, cart: { id: 4711, lines: 3 } },
      stamp: { set },
    }))
    await service.client.call('POST', `/scripting/workflows/${workflow}/executions`, items)
  }
  if (Date.now() > at) throw new Error('the runs were not started in time')
  await delay(at - Date.now())
  for (;;) {
    await delay(LOOK_MS)
    const { rows } = await pool.query<{ left: boolean }>(
      'select exists (select from workflow_runs where account = $1 and workflow = $2 and ended_at is null) as left',
      [service.account, workflow],
    )
    if (!rows[0]!.left) break
    if (Date.now() > at + PATIENCE_MS)
      throw new Error(`${(await ended(stage, workflow, set)).open} runs have not ended`)
  }
  const seconds = (Date.now() - at) / 1000
  const { nodes, outcomes } = await ended(stage, workflow, set)
  if (outcomes.join() !== 'done') throw new Error(`runs ended otherwise: ${outcomes.join()}`)
  return nodes / seconds
}

/** Bare claims a second: rows of a queue without anything else, taken 500 at a time by `update … returning`. */
export async function bareClaims({ pool }: WorkflowStage, count: number): Promise<number> {
  await pool.query('create table bare_claims (id uuid primary key, due timestamptz not null, claimed_by uuid)')
  await pool.query('create index on bare_claims (due)')
  try {
    await pool.query(
      "insert into bare_claims (id, due) select uuidv7(), now() - interval '1 hour' from generate_series(1, $1::integer)",
      [count],
    )
    await pool.query('vacuum (analyze) bare_claims')
    const worker = randomUUID()
    const from = performance.now()
    for (let claimed = 0; claimed < count; ) {
      const { rows } = await pool.query(
        `update bare_claims b set claimed_by = $1, due = now() + interval '30 seconds'
         from (select id from bare_claims where due <= now() order by due limit ${CLAIMED} for update skip locked) p
         where b.id = p.id returning b.id`,
        [worker],
      )
      claimed += rows.length
    }
    return (count * 1000) / (performance.now() - from)
  } finally {
    await pool.query('drop table bare_claims')
  }
}
