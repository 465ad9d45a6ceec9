import { type Colleague, colleague } from '../../stages/colleagues.ts'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const COMMENT = 'For Monday at nine. The second picture is new: look at it on a phone, please.'
const LONG = 'Everybody who bought pears in the spring, or plums in the autumn, and has not been back since. '.repeat(8)

let people: Promise<[Colleague, Colleague]> | undefined

/** Two who may send, in an account that asks for approvals. */
async function make(stage: Stage): Promise<[Colleague, Colleague]> {
  const both = [
    await colleague(stage, 'sender', { name: 'Bo Gale' }),
    await colleague(stage, 'sender', { name: 'Mei Lin' }),
  ]
  await stage.call('PUT', '/settings/people', { body: { approval: true } })
  return both as [Colleague, Colleague]
}

const senders = (stage: Stage): Promise<[Colleague, Colleague]> => {
  people ??= make(stage)
  return people
}

/** A campaign that was tested, for which approval is asked; gives the ids of both. */
async function asked(stage: Stage, name: string): Promise<{ action: string; approval: string }> {
  const [bo] = await senders(stage)
  const selected = [await stage.segment([await stage.contact(`${name.replaceAll(' ', '.')}@orchard.example`)])]
  const scheduler = { type: 'asap', segments: { selected } }
  const action = await stage.action({ name, type: 'mailCampaign', scheduler })
  await stage.call('POST', `/actions/${action}/validation`, { body: { fortest: true, mediaForTest: bo.email } })
  await stage.settle()
  const { body } = await bo.call('POST', '/approvals', { body: { type: 'action', id: action, comment: COMMENT } })
  return { action, approval: body.id }
}

async function decided(stage: Stage, name: string, body: object): Promise<string> {
  const { action, approval } = await asked(stage, name)
  const [, mei] = await senders(stage)
  await mei.call('POST', `/approvals/${approval}/decision`, { body })
  return action
}

/** One in each state. */
async function some(stage: Stage): Promise<undefined> {
  await asked(stage, 'Spring opening')
  await decided(stage, 'Weekly letter', { decision: 'approve', comment: 'Good.' })
  await decided(stage, 'Win back', {
    decision: 'refuse',
    comment: 'The subject promises what the letter does not hold.',
  })
  const { action, approval } = await asked(stage, 'Harvest fair')
  await stage.call('PUT', `/actions/${action}`, { body: { content: { subject: 'Another one' } } })
  const [, mei] = await senders(stage)
  await mei.call('POST', `/approvals/${approval}/decision`, { body: { decision: 'approve' } })
}

/** What an account does in a day, a secret and a long text with it. */
async function told(stage: Stage): Promise<string> {
  const [bo] = await senders(stage)
  const { call } = stage
  const { body: made } = await call('POST', '/segments', { body: { type: 'static', name: 'Tea lovers' } })
  const criteria = { all: [{ type: 'creationDate', operator: 'within', value: { last: { value: 30, unit: 'day' } } }] }
  const body = { type: 'dynamic', name: 'Lately seen', description: 'since spring', criteria }
  const { body: dynamic } = await call('POST', '/segments', { body })
  await bo.call('PUT', `/segments/${dynamic.id}`, { body: { description: LONG, criteria: { all: [] } } })
  await bo.call('POST', '/segments', { body: { type: 'static', name: 'Of Bo' } })
  await bo.call('GET', '/people')
  await bo.call('PUT', '/settings/people', { body: { approval: false } })
  await call('DELETE', `/segments/${made.id}`)
  return '/settings/audit'
}

/** Rows of a service that did a million things, with names as long as they get. */
const MANY = Array.from({ length: 40 }, (_, index) => ({
  id: 1_000_000 - index,
  at: new Date(Date.UTC(2026, 4, 1) - index * 61_000).toISOString(),
  account: 'ACME001',
  who: {
    type: 'key',
    id: '12',
    name: 'Warehouse of the northern orchards, nightly reconciliation of points and baskets',
  },
  from: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
  request: 'd0c1f5d2-9f3b-4d9e-9a51-7c1a9f1f2b11',
  operation: 'PUT /channel/rcs/actions/{id}/contents/{content}/suggestions',
  object: {
    type: 'rcs',
    id: '000AB1',
    name: 'Readers_of_the_weekly_letter_who_have_not_opened_since_the_harvest_fair',
  },
  changes: { '/settings/fallback/content/text': ['a'.repeat(300), 'b'.repeat(900)] },
  omitted: 12,
  outcome: index % 3 === 0 ? 'refused' : 'done',
  problem: index % 3 === 0 ? 'approval-required' : null,
}))

export const scenes: Scene[] = [
  {
    name: 'approvals-empty',
    path: '/approvals',
    ready: (page) => page.getByText('Nothing is waiting for approval').waitFor(),
  },
  {
    name: 'approvals',
    path: '/approvals',
    prepare: some,
    ready: (page) => page.getByRole('link', { name: 'Review' }).first().waitFor(),
  },
  {
    name: 'approvals-decision',
    path: '/approvals',
    ready: async (page) => {
      await page.getByRole('link', { name: 'Review' }).first().click()
      await page.getByRole('button', { name: 'Approve, goes now' }).waitFor()
      await page.getByRole('region', { name: 'Facts' }).getByText('1 contact').waitFor()
    },
  },
  {
    name: 'approvals-ask',
    path: '/approvals?ask=any',
    ready: (page) => page.getByRole('dialog').getByLabel('Comment').waitFor(),
  },
  {
    name: 'approvals-stale',
    path: '/approvals?state=stale',
    ready: (page) => page.getByText('What changed since').waitFor(),
  },
  {
    name: 'approvals-broken',
    path: '/approvals',
    refused: '/approvals',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').waitFor(),
  },
  {
    name: 'audit-empty',
    path: '/settings/audit?object=webtask',
    ready: (page) => page.getByText('No entries match the filters').waitFor(),
  },
  {
    name: 'audit',
    path: '/settings/audit',
    prepare: told,
    ready: async (page) => {
      await page.getByText('2 changes', { exact: true }).first().click()
      await page.getByText('since spring').first().waitFor()
    },
  },
  {
    name: 'audit-many',
    path: '/settings/audit',
    answers: { '/audit': MANY },
    ready: (page) => page.getByText('13 changes').first().click(),
  },
  {
    name: 'audit-broken',
    path: '/settings/audit',
    refused: '/audit',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').waitFor(),
  },
]
