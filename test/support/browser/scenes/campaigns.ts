import type { Page } from 'playwright-core'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

async function made({ call }: Stage, path: string, body: object): Promise<string> {
  const answer = await call('POST', path, { body })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
  return answer.body.id
}

/** A campaign of several channels, one of them sent, and others beside it. */
async function several(stage: Stage): Promise<string> {
  const readers = await Promise.all([1, 2, 3].map((n) => stage.contact(`launch${n}@orchard.example`)))
  const { id: sent } = await stage.planned(await stage.segment(readers), 100)
  await stage.sendDue()
  await stage.advance()
  await stage.call('PUT', `/actions/${sent}`, { body: { name: 'Spring letter' } })
  const draft = await stage.action({ name: 'Reminder to those who did not open' })
  const ping = await made(stage, '/notifications', { type: 'push-app', name: 'Doors are open' })
  await made(stage, '/display/campaign', { id: 'spring-banners', name: 'Spring banners' })
  const items = [
    { type: 'email', id: sent },
    { type: 'email', id: draft },
    { type: 'notification', id: ping },
    { type: 'display', id: 'spring-banners' },
  ]
  const dates = { startDate: '2026-03-01', endDate: '2027-05-31' }
  const description = 'Everything that announces the opening of the orchard.'
  await made(stage, '/campaigns', { name: 'Autumn harvest', endDate: '2025-11-30' })
  await made(stage, '/campaigns', { name: 'Winter cellar tour', startDate: '2031-01-10' })
  return made(stage, '/campaigns', { name: 'Spring opening', description, items, ...dates })
}

const banner = { campaign: 'summer', url: 'https://shop.example/summer' }
const days = Array.from({ length: 30 }, (_, index) => ({
  date: new Date(Date.now() - (29 - index) * 86_400_000).toISOString().slice(0, 10),
  impressions: 800 + ((index * 311) % 620),
  clicks: 12 + ((index * 17) % 41),
}))
const report = {
  impressions: { human: 33_214, machine: 1204, contacts: 812 },
  clicks: { human: 941, machine: 77, contacts: 120 },
  start: new Date(Date.now() - 30 * 86_400_000).toISOString(),
  end: new Date().toISOString(),
  days,
  contents: [
    { id: 'banner-a', impressions: 20_100, clicks: 702 },
    { id: 'banner-b', impressions: 13_114, clicks: 239 },
  ],
  placements: [{ id: 'home-top', impressions: 33_214, clicks: 941 }],
}

async function displayed(stage: Stage): Promise<string> {
  await made(stage, '/display/campaign', { id: 'summer', name: 'Summer fair', startDate: '2026-06-01' })
  const size = { width: 970, height: 250 }
  await made(stage, '/display/placement', { id: 'home-top', name: 'Home, top banner', site: 'shop.example', ...size })
  await made(stage, '/display/placement', { id: 'side', name: 'Side', site: 'blog.example', width: 300, height: 600 })
  await made(stage, '/display/content', { ...banner, id: 'banner-a', name: 'Cherries in a basket' })
  await made(stage, '/display/content', { ...banner, id: 'banner-b', name: 'The fair', placements: ['home-top'] })
  return '/display/campaigns/summer'
}

const named = (name: string) => (page: Page) => page.getByRole('link', { name }).first().waitFor()
const titled = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name }).waitFor()

export const scenes: Scene[] = [
  {
    name: 'campaigns-empty',
    path: '/campaigns',
    ready: (page) => page.getByRole('heading', { name: 'No campaign groups yet' }).waitFor(),
  },
  { name: 'campaigns-new', path: '/campaigns/new', ready: titled('New campaign group') },
  {
    name: 'campaigns-one',
    path: '/campaigns',
    prepare: async (stage) => `/campaigns/${await several(stage)}`,
    ready: (page) => page.getByRole('button', { name: 'Remove Spring banners from the group' }).waitFor(),
  },
  { name: 'campaigns', path: '/campaigns', ready: named('Spring opening') },
  {
    name: 'campaigns-many',
    path: '/campaigns',
    answers: {
      '/campaigns': Array.from({ length: 3000 }, (_, n) => ({
        id: `019512a0-7c11-7d2e-9a42-${String(n).padStart(12, '0')}`,
        name: `Launch ${n + 1}`,
        description: null,
        creationDate: new Date(1_770_000_000_000 + n * 1000).toISOString(),
        updateDate: '2026-03-01T00:00:00.000Z',
        startDate: null,
        endDate: null,
        items: [],
      })),
      '/campaigns/results': [],
    },
    ready: named('Launch 3000'),
  },
  {
    name: 'campaigns-broken',
    path: '/campaigns',
    refused: '/campaigns',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').first().waitFor(),
  },
  {
    name: 'display-campaign',
    path: '/display',
    prepare: displayed,
    answers: { '/display/campaign/summer/report': report },
    ready: async (page) => {
      await page.locator('canvas').waitFor()
      await page.getByText('HTML: link and picture').waitFor()
    },
  },
  { name: 'display', path: '/display', ready: named('Summer fair') },
  { name: 'display-placements', path: '/display/placements', ready: named('Home, top banner') },
  { name: 'display-placement', path: '/display/placements/home-top', ready: titled('Home, top banner') },
  {
    name: 'display-content',
    path: '/display/campaigns/summer/contents/banner-a',
    ready: titled('Cherries in a basket'),
  },
  { name: 'display-edit', path: '/display/campaigns/summer/edit', ready: titled('Summer fair') },
  {
    name: 'display-broken',
    path: '/display',
    refused: '/display/campaign',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').first().waitFor(),
  },
]
