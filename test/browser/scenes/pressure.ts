import type { Stage } from '../../stage.ts'
import type { Scene } from '../scene.ts'

const week = { type: 'limit', count: 3, period: { type: 'rolling', unit: 'DAY', value: 7 } }
const night = {
  ...{ type: 'limit', count: 0, period: { type: 'rolling', unit: 'HOUR', value: 1 }, channels: ['sms', 'rcs'] },
  window: { from: '20:00', to: '08:00' },
}

async function made({ call }: Stage): Promise<string> {
  const topic = (await call('POST', '/marketing/pressure/topics', { body: { label: 'Fresh fruit' } })).body.id
  const expressions = [week, { ...week, count: 1, topics: [topic] }, night]
  const body = { label: 'Calm weeks, quiet nights', predicate: { type: 'and', expressions }, active: false }
  return (await call('POST', '/marketing/pressure/rules', { body })).body.id
}

export const scenes: Scene[] = [
  {
    name: 'pressure-empty',
    path: '/pressure',
    ready: (page) => page.getByText('Your rules will stand here').waitFor(),
  },
  {
    name: 'pressure-new',
    path: '/pressure/new',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Try it' }).click()
      const nothing = page.getByText('Nothing was sent in the last 30 days')
      await nothing
        .or(page.getByText(/^\d[\d,]* of \d/))
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
]
