import type { Stage } from '../../stage.ts'
import type { Scene } from '../scene.ts'

const script = `export default async function ({ contact, data }) {
  const answer = await http.fetch('https://points.shop.example/' + data.customer)
  const { points } = answer.json()
  const tier = points >= environment.gold ? 'gold' : 'blue' // what marketing calls it
  log('points', points)
  return [{ points, tier }]
}
`

const webtask = {
  name: 'Points of the shop',
  description: 'Asks the shop for points, and keeps the tier that they give',
  scripting: {
    environment: {
      capabilities: ['http.fetch', 'targets.write'],
      http: { allow: ['points.shop.example'] },
      variables: { gold: 1000 },
      secrets: { shop: 'apples' },
    },
  },
  value: script,
}

const pipeline = {
  name: 'Latest contacts',
  value: {
    type: 'pipeline',
    source: { type: 'targets' },
    cursors: [
      { type: 'map', fields: { id: { type: 'path', value: 'row.id' }, name: { type: 'path', value: 'row.unicity' } } },
      { type: 'limit', count: { type: 'path', value: 'arguments.top' } },
    ],
    parameters: [{ name: 'top', type: 'number', default: 3 }],
  },
}

async function one({ call }: Stage): Promise<string> {
  const made = await call('POST', '/scripting/webtasks', { body: webtask })
  return `/webtasks/${made.body.id}`
}

async function ran({ call }: Stage): Promise<string> {
  const value = 'export default ({ data }) => {\n  log("asked for", data)\n  return data.a.b\n}\n'
  const made = await call('POST', '/scripting/webtasks', { body: { name: 'Echo', value } })
  const path = `/scripting/webtasks/${made.body.id}/execution`
  await call('POST', path, { body: { data: { a: { b: '<b>bold</b>' } } } })
  await call('POST', path, { body: { data: {} } })
  return `/webtasks/${made.body.id}?tab=runs`
}

async function many({ call }: Stage): Promise<string> {
  for (let place = 0; place < 40; place++)
    await call('POST', '/scripting/webtasks', { body: { name: `Task ${place}`, value: 'export default () => 1' } })
  return '/webtasks'
}

async function made({ call }: Stage, value: unknown): Promise<string> {
  const { body } = await call('POST', '/scripting/compilables', { body: value })
  return `/compilables/${body.id}`
}

const flawed = {
  name: 'Greeting',
  value: {
    type: 'template',
    value: 'Hello {{ arguments.name | shout }}',
    parameters: [{ name: 'name', type: 'string' }],
  },
}

export const scenes: Scene[] = [
  {
    name: 'scripts-webtasks-empty',
    path: '/webtasks',
    ready: (page) => page.getByRole('heading', { name: 'Your webtasks will stand here' }).waitFor(),
  },
  {
    name: 'scripts-webtask',
    path: '/webtasks',
    prepare: one,
    ready: (page) => page.locator('.cm-content').first().waitFor(),
  },
  {
    name: 'scripts-runs',
    path: '/webtasks',
    prepare: ran,
    ready: (page) => page.getByText('Cannot read').or(page.getByText('cannot read')).first().waitFor(),
  },
  {
    name: 'scripts-tokens',
    path: '/webtasks',
    prepare: async (stage) => `${await one(stage)}?tab=tokens`,
    ready: (page) => page.getByRole('button', { name: 'Make a token' }).waitFor(),
  },
  {
    name: 'scripts-webtasks',
    path: '/webtasks',
    prepare: many,
    ready: (page) => page.getByRole('link', { name: 'Task 3', exact: true }).waitFor(),
  },
  {
    name: 'scripts-webtasks-broken',
    path: '/webtasks',
    refused: '/scripting/webtasks',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').first().waitFor(),
  },
  {
    name: 'scripts-compilables-empty',
    path: '/compilables',
    ready: (page) => page.getByRole('heading', { name: 'Your compilables will stand here' }).waitFor(),
  },
  {
    name: 'scripts-pipeline',
    path: '/compilables',
    prepare: (stage) => made(stage, pipeline),
    ready: async (page) => {
      await page.locator('.cm-content').first().waitFor()
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('Steps in the database: 2').waitFor()
    },
  },
  {
    name: 'scripts-template',
    path: '/compilables',
    prepare: (stage) => made(stage, flawed),
    ready: (page) => page.locator('.cm-lintRange-error').first().waitFor(),
  },
]
