import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const CRITERIA = {
  all: [
    { type: 'creationDate', operator: 'within', value: { last: { value: 30, unit: 'day' } } },
    {
      any: [
        { type: 'event', event: 'hits/open', period: { last: { value: 30, unit: 'day' } } },
        { type: 'redList', channel: 'mail' },
        { type: 'bounce', is: ['hard'] },
      ],
    },
    { none: [{ type: 'redList', channel: 'sms' }] },
  ],
}

async function made({ call }: Stage, body: object): Promise<number> {
  return (await call('POST', '/segments', { body })).body.id
}

const dynamic = async (stage: Stage): Promise<string> =>
  `/segments/${await made(stage, { type: 'dynamic', name: 'Lately active', criteria: CRITERIA })}`

async function growing(stage: Stage): Promise<string> {
  const id = await made(stage, { type: 'dynamic', name: 'Everybody since spring', criteria: { all: [] } })
  const { pool } = stage.context
  await pool.query(
    `insert into growth_days (account, segment, day, counted_at, contacts, entered, gone)
     select $1, $2, current_date - 30 + n, now(), 1000 + 40 * n, 60, 20 from generate_series(0, 29) n`,
    [stage.own.account, id],
  )
  return `/segments/${id}?tab=growth`
}

async function list(stage: Stage): Promise<string> {
  await stage.segment([await stage.contact('listed@orchard.example')], { name: 'Press' })
  await made(stage, { type: 'dynamic', name: 'Past', criteria: { all: [] }, expiration: '2020-01-01' })
  return '/segments'
}

async function members(stage: Stage): Promise<string> {
  const id = await stage.segment([await stage.contact('member@orchard.example')], { name: 'Jury', isTest: true })
  return `/segments/${id}?tab=contacts`
}

export const scenes: Scene[] = [
  {
    name: 'segments-empty',
    path: '/segments',
    answers: { '/segments': [] },
    ready: (page) => page.getByText('No segments yet').waitFor(),
  },
  {
    name: 'segment-new',
    path: '/segments/new',
    ready: (page) => page.getByText('contacts match now').or(page.getByText('contact matches now')).waitFor(),
  },
  {
    name: 'segment',
    path: '/segments',
    prepare: dynamic,
    ready: (page) => page.getByText(/match(es)? now/).waitFor(),
  },
  {
    name: 'segment-growth',
    path: '/segments',
    prepare: growing,
    ready: (page) => page.locator('canvas').first().waitFor(),
  },
  {
    name: 'segment-members',
    path: '/segments',
    prepare: members,
    ready: (page) => page.getByText('member@orchard.example').waitFor(),
  },
  { name: 'segments', path: '/segments', prepare: list, ready: (page) => page.getByText('Lately active').waitFor() },
]
