import type { Stage } from '../../stages/stage.ts'
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

/** One that logs, and throws when nothing is given. */
async function logging({ call }: Stage): Promise<string> {
  const value = 'export default ({ data }) => {\n  log("asked for", data)\n  return data.a.b\n}\n'
  const made = await call('POST', '/scripting/webtasks', { body: { name: 'Echo', value } })
  return `/webtasks/${made.body.id}`
}

async function ran(stage: Stage): Promise<string> {
  const page = await logging(stage)
  const path = `/scripting${page}/execution`
  await stage.call('POST', path, { body: { data: { a: { b: '<b>bold</b>' } } } })
  await stage.call('POST', path, { body: { data: {} } })
  return `${page}?tab=runs`
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

const path = (value: string) => ({ type: 'path', value })
const literal = (value: unknown) => ({ type: 'literal', value })

/** A pipeline with a step of every kind. */
const everything = {
  name: 'Buyers by city',
  description: 'What the weekly report reads',
  value: {
    type: 'pipeline',
    source: {
      type: 'events',
      types: ['action.hit', 'action.activation'],
      start: { type: 'rolling', unit: 'DAY', value: 30 },
    },
    cursors: [
      {
        type: 'filter',
        condition: {
          all: [
            { type: 'compare', left: path('row.type'), operator: 'in', right: literal(['action.hit']), exact: true },
            {
              any: [
                {
                  type: 'compare',
                  left: path('row.timestamp'),
                  operator: 'within',
                  right: literal({ last: { value: 7, unit: 'day' } }),
                },
                { type: 'script', value: 'row.data.kind === "open"' },
              ],
            },
          ],
        },
      },
      {
        type: 'join',
        source: { type: 'targets' },
        into: 'contact',
        kind: 'inner',
        on: { left: path('row.contact'), right: path('other.id') },
      },
      {
        type: 'map',
        fields: {
          email: path('row.contact.fields.Email'),
          greeting: { type: 'template', value: 'Hello {{ row.contact.fields.Email }}' },
          weight: { type: 'script', value: 'row.data.kind === "open" ? 1 : 5' },
        },
      },
      {
        type: 'group',
        by: { email: path('row.email') },
        aggregates: { count: { function: 'count' }, weight: { function: 'sum', value: path('row.weight') } },
      },
      { type: 'sort', by: [{ value: path('row.weight'), direction: 'desc' }] },
      { type: 'script', value: 'export default (rows, context) => rows\n' },
      { type: 'limit', count: path('arguments.top') },
    ],
    parameters: [
      { name: 'top', type: 'number', default: 3, description: 'How many rows there are at most' },
      { name: 'since', type: 'date' },
    ],
  },
}

/** Rows of a pipeline itself: what stands in cells is text, whatever it is. */
const inline = {
  name: 'Written rows',
  value: {
    type: 'pipeline',
    source: {
      type: 'inline',
      rows: [
        { name: 'Ann', city: 'Lyon', points: 1200 },
        { name: '<img src=x onerror=alert(1)>', city: 'Paris', points: 40 },
        { name: 'Mei', city: 'Lyon', points: 300 },
      ],
    },
    cursors: [
      {
        type: 'group',
        by: { city: path('row.city') },
        aggregates: { people: { function: 'count' }, points: { function: 'sum', value: path('row.points') } },
      },
      { type: 'sort', by: [{ value: path('row.points'), direction: 'desc' }] },
    ],
  },
}

const wrong = {
  name: 'Broken pipeline',
  value: {
    type: 'pipeline',
    source: { type: 'segment', segment: 999_999 },
    cursors: [
      {
        type: 'filter',
        condition: {
          all: [{ type: 'compare', left: path('row.fields.Nobody'), operator: 'equals', right: literal('a') }],
        },
      },
      { type: 'map', fields: { greeting: { type: 'template', value: 'Hello {{ row.id | shout }}' } } },
      { type: 'limit', count: path('arguments.gone') },
    ],
    parameters: [],
  },
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
    ready: (page) => page.getByRole('heading', { name: 'No functions yet' }).waitFor(),
  },
  {
    name: 'scripts-webtask',
    path: '/webtasks',
    prepare: one,
    ready: (page) => page.locator('.cm-content').first().waitFor(),
  },
  {
    name: 'scripts-webtask-flaws',
    path: '/webtasks/new',
    ready: async (page) => {
      const editor = page.getByRole('textbox', { name: 'Script', exact: true })
      await editor.fill(
        'export default async () => {\n  const answer = await http.fetch("https://shop.example/")\n  return answer.\n}\n',
      )
      await page.locator('.cm-lintRange-error').waitFor()
    },
  },
  {
    name: 'scripts-webtask-running',
    path: '/webtasks',
    prepare: (stage) => logging(stage),
    ready: async (page) => {
      // The answer is kept back: what is shown is the run under way.
      await page.route('**/execution', () => undefined)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('status').getByText('running').waitFor()
      await page.getByRole('status').getByText('running').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'scripts-webtask-failed',
    path: '/webtasks',
    prepare: (stage) => logging(stage),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByText('asked for {}').waitFor()
      await page.locator('.cm-lintRange-error').waitFor({ state: 'attached' })
      await page.getByText('asked for {}').scrollIntoViewIfNeeded()
    },
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
    ready: (page) => page.getByRole('button', { name: 'Create a token' }).waitFor(),
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
    ready: (page) => page.getByRole('heading', { name: 'No pipelines yet' }).waitFor(),
  },
  {
    name: 'scripts-compilables',
    path: '/compilables',
    prepare: async (stage) => {
      for (const one of [everything, inline, flawed]) await made(stage, one)
      return undefined
    },
    ready: (page) => page.getByRole('link', { name: 'Written rows' }).first().waitFor(),
  },
  {
    name: 'scripts-compilables-broken',
    path: '/compilables',
    refused: '/scripting/compilables',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').first().waitFor(),
  },
  {
    name: 'scripts-pipeline-new',
    path: '/compilables/new',
    ready: (page) => page.getByRole('listitem', { name: 'Step 1' }).waitFor(),
  },
  {
    name: 'scripts-pipeline',
    path: '/compilables',
    prepare: (stage) => made(stage, pipeline),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('Steps in the database: 2').waitFor()
    },
  },
  {
    name: 'scripts-pipeline-whole',
    path: '/compilables',
    prepare: (stage) => made(stage, everything),
    ready: (page) => page.locator('.cm-content').nth(2).waitFor(),
  },
  {
    name: 'scripts-pipeline-rows',
    path: '/compilables',
    prepare: (stage) => made(stage, inline),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Show rows: Step 1' }).click()
      await page.getByRole('cell', { name: 'Lyon' }).waitFor()
      await page.getByRole('button', { name: 'Show rows: Step 1' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'scripts-pipeline-flaws',
    path: '/compilables',
    prepare: (stage) => made(stage, wrong),
    ready: (page) => page.getByRole('list', { name: 'What is wrong' }).nth(2).waitFor(),
  },
  {
    name: 'scripts-template',
    path: '/compilables',
    prepare: (stage) => made(stage, flawed),
    ready: (page) => page.locator('.cm-lintRange-error').first().waitFor(),
  },
]
