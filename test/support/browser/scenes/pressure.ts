import { sql } from 'kysely'
import { pressureBucketKey } from '../../../../src/features/pressure/counters/buckets.ts'
import { parseContactId } from '../../../../src/lib/ids.ts'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const week = { type: 'limit', count: 3, period: { type: 'rolling', unit: 'DAY', value: 7 } }
const night = {
  type: 'limit',
  count: 0,
  period: { type: 'rolling', unit: 'HOUR', value: 1 },
  channels: ['sms', 'rcs'],
  window: { from: '20:00', to: '08:00' },
}

async function made({ call }: Stage): Promise<string> {
  const topic = (await call('POST', '/marketing/pressure/topics', { body: { label: 'Fresh fruit' } })).body.id
  const expressions = [week, { ...week, count: 1, topics: [topic] }, night]
  const body = { label: 'Calm weeks, quiet nights', predicate: { type: 'and', expressions }, active: false }
  return (await call('POST', '/marketing/pressure/rules', { body })).body.id
}

/** Thirty contacts who got as much as a rule allows, and one that stops everybody at any hour on one channel. */
async function atTheLimit(stage: Stage): Promise<undefined> {
  const { call, context, own } = stage
  for (const [label, limit] of [
    ['Three a week', week],
    ['No texts now', { ...week, count: 0, channels: ['sms'], window: { from: '00:00', to: '00:00' } }],
  ] as const) {
    const body = { label, predicate: { type: 'and', expressions: [limit] }, active: true }
    await call('POST', '/marketing/pressure/rules', { body })
  }
  for (let index = 0; index < 30; index++) {
    const contact = parseContactId(await stage.contact(`pressed${index}@orchard.example`))!
    const at = context.clock.now() - index * 3_600_000
    const key = pressureBucketKey({ channel: 'email', purpose: 'marketing', topic: 0 }, at)
    await sql`insert into pressure_counters (account, contact, buckets)
      values (${own.account}, ${contact}, array[${key}::bigint * 16384 + ${3 + (index % 2)}])`.execute(context.db)
  }
  return undefined
}

export const scenes: Scene[] = [
  {
    name: 'pressure-empty',
    path: '/pressure',
    ready: (page) => page.getByText('No rules yet').waitFor(),
  },
  {
    name: 'pressure-new',
    path: '/pressure/new',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Try the rule' }).click()
      const nothing = page.getByText('Nothing was sent in the last 30 days')
      await nothing
        .or(page.getByText(/^Messages it would have stopped/))
        .first()
        .waitFor()
    },
  },
  {
    name: 'pressure-rule',
    path: '/pressure',
    prepare: async (stage) => `/pressure/${await made(stage)}`,
    ready: (page) => page.getByText('about Fresh fruit').waitFor(),
  },
  {
    name: 'pressure',
    path: '/pressure',
    ready: (page) => page.getByText('about Fresh fruit').waitFor(),
  },
  {
    name: 'pressure-topics',
    path: '/pressure/topics',
    ready: (page) => page.getByRole('link', { name: 'Fresh fruit' }).waitFor(),
  },
  {
    name: 'pressure-limited-empty',
    path: '/pressure/limited',
    ready: (page) => page.getByRole('heading', { name: 'No contacts at the limit' }).waitFor(),
  },
  {
    name: 'pressure-limited',
    path: '/pressure/limited',
    prepare: atTheLimit,
    ready: (page) => page.getByText('pressed29@orchard.example').waitFor(),
  },
  {
    name: 'pressure-limited-closed',
    path: '/pressure/limited?channel=sms',
    ready: (page) => page.getByText('No texts now stops messages to everyone').waitFor(),
  },
  {
    name: 'pressure-limited-broken',
    path: '/pressure/limited',
    refused: '/marketing/pressure/limited',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').waitFor(),
  },
]
