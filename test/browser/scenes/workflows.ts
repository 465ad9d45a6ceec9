import type { Stage } from '../../stage.ts'
import type { Scene } from '../scene.ts'

/** Steps one behind the other, with a choice in each tenth. */
export const chain = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => {
    const next = n + 1 < count ? `step-${n + 1}` : null
    const common = { id: `step-${n}`, name: `Step ${n}`, ...(n === 0 && { default: true }) }
    if (next === null) return { ...common, type: 'terminal', settings: { outcome: 'done' } }
    if (n % 10 !== 5) return { ...common, type: 'sleep', settings: { period: { unit: 'HOUR', value: 1 } }, next }
    const settings = Object.fromEntries([
      ['condition', true],
      ['then', next],
      ['else', `step-${Math.min(n + 3, count - 1)}`],
    ])
    return { ...common, type: 'if', settings }
  })

async function made({ call }: Stage, nodes: object[], name = 'Cart reminder'): Promise<string> {
  return `/workflows/${(await call('POST', '/scripting/workflows', { body: { name, nodes } })).body.id}`
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

export const scenes: Scene[] = [
  {
    name: 'workflows-empty',
    path: '/workflows',
    answers: { '/scripting/workflows': [] },
    ready: (page) => page.getByText('Your workflows will stand here').waitFor(),
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
    prepare: (stage) => made(stage, flawed),
    ready: (page) => page.getByText('Reminder', { exact: true }).waitFor(),
  },
  {
    name: 'workflow-many',
    path: '/workflows',
    prepare: (stage) => made(stage, chain(60), 'Welcome'),
    ready: (page) => page.getByText('Step 30', { exact: true }).waitFor(),
  },
  {
    name: 'workflow-runs',
    path: '/workflows',
    prepare: async (stage) => `${await made(stage, flawed)}?tab=runs`,
    ready: (page) => page.getByText('Runs will stand here').waitFor(),
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
