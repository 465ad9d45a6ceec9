import type { Page } from 'playwright-core'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'
import { longWorkflow, settled } from '../steps/workflows.ts'

async function made({ call }: Stage, nodes: object[], name = 'Cart reminder', more: object = {}): Promise<string> {
  const answer = await call('POST', '/scripting/workflows', { body: { name, nodes, ...more } })
  if (answer.status !== 200) throw new Error(answer.text)
  return `/workflows/${answer.body.id}`
}

const flawed = [
  {
    type: 'sleep',
    id: 'pause',
    name: 'One hour',
    default: true,
    settings: { period: { unit: 'HOUR', value: 1 } },
    next: 'mail',
  },
  { type: 'sendMail', id: 'mail', name: 'Reminder', settings: { action: '000AB1' }, next: 'end' },
  { type: 'terminal', id: 'end', name: 'End', settings: { outcome: 'reminded' } },
]
const DAY = { unit: 'DAY', value: 1 }

/** The nodes of a welcome with an experiment in it; what they send is made first. */
async function welcome(stage: Stage): Promise<object[]> {
  const actions = await Promise.all(
    ['Welcome letter', 'With a present', 'With the harvest', 'A last word'].map((name) => stage.action({ name })),
  )
  for (const action of actions) await stage.validated(action)
  const [hello, gift, news, last] = actions
  const opened = { type: 'action.hit', kinds: ['open'] }
  const clicked = { type: 'action.hit', kinds: ['redirection'] }
  const ways = Object.fromEntries([
    ['then', 'which'],
    ['else', 'end'],
  ])
  return [
    { type: 'sendMail', id: 'hello', name: 'Welcome', default: true, settings: { action: hello }, next: 'opened' },
    {
      type: 'wait',
      id: 'opened',
      name: 'Opened?',
      next: 'fond',
      settings: { event: opened, correlation: 'send', timeout: { ...DAY, value: 2 }, timeoutNext: 'text' },
    },
    { type: 'sendMail', id: 'text', name: 'A last word', settings: { action: last }, next: 'end' },
    {
      type: 'if',
      id: 'fond',
      name: 'Fond of apples?',
      settings: { condition: { type: 'script', value: 'contact.id !== ""' }, ...ways },
    },
    {
      type: 'experiment',
      id: 'which',
      name: 'Which letter',
      settings: {
        metric: clicked,
        period: { ...DAY, value: 3 },
        holdout: 10,
        holdoutNext: 'end',
        minimum: 100,
        branches: [
          { id: 'present', next: 'gift' },
          { id: 'harvest', next: 'news' },
        ],
      },
    },
    { type: 'sendMail', id: 'gift', name: 'A present', settings: { action: gift }, next: 'night' },
    { type: 'sendMail', id: 'news', name: 'The harvest', settings: { action: news }, next: 'night' },
    { type: 'sleep', id: 'night', name: 'Three days', settings: { period: { ...DAY, value: 3 } }, next: 'end' },
    { type: 'terminal', id: 'end', name: 'Welcomed', settings: { outcome: 'welcomed' } },
    {
      type: 'goal',
      id: 'paid',
      name: 'First order',
      next: null,
      settings: { event: { type: 'custom', names: ['order.paid'] } },
    },
  ]
}

const counted = (id: string, entered: number, current: number, outputs: Record<string, number>) => ({
  id,
  type: 'sleep',
  entered,
  current,
  left: entered - current,
  failed: 0,
  retried: 0,
  capped: 0,
  outputs,
})
const statistics = {
  workflow: 1,
  version: 1,
  refused: {},
  listeners: [],
  tasks: [],
  runs: {
    started: 12_431,
    open: 2084,
    running: 2,
    waiting: 2082,
    paused: 0,
    completed: 10_098,
    failed: 12,
    killed: 96,
    expired: 141,
    capped: 0,
  },
  nodes: [
    counted('hello', 12_431, 0, { opened: 12_419 }),
    counted('opened', 12_419, 1102, { fond: 6840, text: 4477 }),
    counted('text', 4477, 0, { end: 4477 }),
    counted('fond', 6840, 0, { which: 5912, end: 928 }),
    counted('which', 5912, 0, { gift: 2661, news: 2660, end: 591 }),
    counted('gift', 2661, 0, { night: 2661 }),
    counted('news', 2660, 0, { night: 2660 }),
    counted('night', 5321, 982, { end: 4339 }),
    counted('end', 10_098, 0, {}),
  ],
}
const found = (rate: number) => ({
  visits: 2661,
  counted: 2210,
  conversions: Math.round(2210 * rate),
  rate,
  share: null,
  interval: { low: rate - 0.02, high: rate + 0.02 },
})
const experiment = {
  method: 'fixed',
  branches: [
    { id: 'present', ...found(0.182), probability: 0.971 },
    { id: 'harvest', ...found(0.157), probability: 0.029 },
  ],
  holdout: { visits: 591, counted: 488, conversions: 41, rate: 0.084, interval: { low: 0.06, high: 0.11 } },
  winner: { branch: 'present', since: '2026-11-20T08:00:00.000Z', probability: 0.961 },
  computed: '2026-11-22T08:00:00.000Z',
}

let live: Promise<string> | undefined
const liveOf = (stage: Stage): Promise<string> => {
  live ??= (async () => {
    const listeners = [{ id: 'new', name: 'New contacts', event: { type: 'target.created' }, handler: 'hello' }]
    const path = await made(stage, await welcome(stage), 'Welcome series', { listeners })
    await stage.call('POST', `/scripting${path}/activation`)
    return path
  })()
  return live
}

/** A workflow with figures stands alone in its test: they are those of every workflow. */
const figures = {
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      [`/scripting/workflows/${n}/statistics`, statistics],
      [`/scripting/workflows/${n}/nodes/which/experiment`, experiment],
    ]).flat(),
  ),
}

const graph = async (page: Page, name: string): Promise<void> => {
  await page.getByText(name, { exact: true }).first().waitFor()
  await settled(page)
}

export const scenes: Scene[] = [
  {
    name: 'workflows-empty',
    path: '/workflows',
    answers: { '/scripting/workflows': [] },
    ready: (page) => page.getByText('No workflows yet').waitFor(),
  },
  {
    name: 'workflows-new',
    path: '/workflows',
    answers: { '/scripting/workflows': [] },
    prepare: async ({ call }) => {
      await call('POST', '/fields', { body: { name: "Date d'anniversaire", type: 'date' } })
      return undefined
    },
    async ready(page) {
      await page.getByRole('button', { name: 'New workflow' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio', { name: /^Birthday/ }).check({ force: true })
      await dialog.getByRole('combobox', { name: 'Date field' }).waitFor()
    },
  },
  {
    name: 'workflows-broken',
    path: '/workflows',
    refused: '/scripting/workflows',
    ready: (page) => page.getByRole('alert').first().waitFor(),
  },
  {
    name: 'workflow',
    path: '/workflows',
    inReadme: true,
    answers: figures,
    prepare: async (stage) => `${await liveOf(stage)}?node=which`,
    ready: async (page) => {
      await page.getByText('present has won, 97.1 %').or(page.getByText('present has won, 97.1%')).first().waitFor()
      await graph(page, 'Which letter')
    },
  },
  {
    name: 'workflow-starts',
    path: '/workflows',
    prepare: liveOf,
    ready: async (page) => {
      await graph(page, 'Welcome')
      await page.getByText('Starts', { exact: true }).click()
      await page.getByText('New contacts').first().waitFor()
    },
  },
  {
    name: 'workflow-flaws',
    path: '/workflows',
    prepare: async (stage) => `${await made(stage, flawed)}?node=mail`,
    ready: (page) => graph(page, 'Reminder'),
  },
  {
    name: 'workflow-send',
    path: '/workflows',
    prepare: async (stage) => {
      const attachment = {
        name: 'terms.pdf',
        mime: 'application/pdf',
        data: { type: 'url', value: 'https://files.example/terms.pdf' },
      }
      const settings = {
        action: await stage.action({ name: 'Receipt' }),
        subject: { type: 'template', value: 'Your order {{ data.order }}' },
        headers: { type: 'literal', value: { from: { label: 'The Orchard' }, reply: 'help@orchard.example' } },
        attachments: { type: 'literal', value: [attachment] },
        copies: { type: 'literal', value: [{ type: 'address', value: 'books@orchard.example', as: 'bcc' }] },
        urgent: true,
      }
      return `${await made(stage, [{ type: 'sendMail', id: 'mail', name: 'Receipt', default: true, settings }], 'Receipts')}?node=mail`
    },
    ready: async (page) => {
      await graph(page, 'Receipt')
      await page.getByLabel('Address of the file').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'workflow-run',
    path: '/workflows',
    prepare: async (stage) => {
      const steps = longWorkflow(6).map((step) =>
        step['type'] === 'sleep' ? { ...step, settings: { until: '2026-01-01T00:00:00Z' } } : step,
      )
      const path = await made(stage, steps, 'Gone through')
      await stage.call('POST', `/scripting${path}/activation`)
      const id = await stage.contact('through@runs.example')
      await stage.call('POST', `/scripting${path}/execution`, { body: { receiver: { type: 'id', value: id } } })
      const { body } = await stage.call('GET', `/scripting${path}/runs`)
      return `${path}?tab=runs&run=${body[0].id}`
    },
    ready: async (page) => {
      await page.getByRole('heading', { name: 'Run details' }).waitFor()
      await settled(page)
    },
  },
  {
    name: 'workflow-new',
    path: '/workflows',
    prepare: (stage) => made(stage, [], 'Not begun'),
    ready: async (page) => {
      await page.getByText('Add a node to begin').waitFor()
      await page
        .getByRole('tab', { name: 'Graph' })
        .or(page.getByRole('link', { name: 'Graph' }))
        .first()
        .focus()
      await page.keyboard.press('a')
      await page.getByRole('textbox', { name: 'Search types' }).waitFor()
    },
  },
  {
    name: 'workflow-many',
    path: '/workflows',
    prepare: (stage) => made(stage, longWorkflow(60), 'Sixty'),
    ready: (page) => graph(page, 'Step 0'),
  },
  {
    name: 'workflow-simulated',
    path: '/workflows',
    prepare: async (stage) => {
      await stage.contact('ann@simulated.example')
      return `${await liveOf(stage)}?tab=simulation`
    },
    ready: async (page) => {
      await page.getByRole('combobox', { name: 'Contact', exact: true }).fill('ann@simulated')
      await page.getByRole('option', { name: 'ann@simulated.example' }).click()
      if ((await page.getByRole('button', { name: /^Remove/ }).count()) === 0)
        await page.getByRole('button', { name: 'Add an event' }).click()
      await page.getByRole('button', { name: 'Simulate', exact: true }).click()
      await page.getByText('Outcome: welcomed').waitFor()
      await settled(page)
    },
  },
  {
    name: 'workflow-versions',
    path: '/workflows',
    prepare: async (stage) => {
      const path = await made(stage, flawed, 'Changed')
      const [pause, mail, end] = flawed
      const shorter = { ...pause, settings: { period: { unit: 'HOUR', value: 2 } }, next: 'end' }
      const nodes = [
        shorter,
        end,
        { type: 'sleep', id: 'night', name: 'A night', settings: { period: DAY }, next: 'end' },
      ]
      await stage.call('PUT', `/scripting${path}`, { body: { nodes } })
      return mail && `${path}?tab=versions&version=1`
    },
    ready: (page) => graph(page, 'A night'),
  },
  {
    name: 'workflow-runs',
    path: '/workflows',
    prepare: async (stage) => {
      const path = await made(stage, longWorkflow(4), 'Going')
      await stage.call('POST', `/scripting${path}/activation`)
      for (const address of ['one', 'two']) {
        const id = await stage.contact(`${address}@runs.example`)
        await stage.call('POST', `/scripting${path}/execution`, { body: { receiver: { type: 'id', value: id } } })
      }
      return `${path}?tab=runs`
    },
    ready: (page) => page.getByRole('link', { name: 'one@runs.example' }).waitFor(),
  },
  {
    name: 'workflow-runs-none',
    path: '/workflows',
    prepare: async (stage) => `${await made(stage, flawed)}?tab=runs`,
    ready: (page) => page.getByText('No runs yet').waitFor(),
  },
  {
    name: 'workflows',
    path: '/workflows',
    prepare: async (stage) => {
      await made(stage, flawed, 'Win back')
      return undefined
    },
    ready: (page) => page.getByText('Win back').first().waitFor(),
  },
]
