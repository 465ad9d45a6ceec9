import type { Page } from 'playwright-core'
import type { Scene } from '../scene.ts'

const figures = (n: number) => ({
  audience: 40_000,
  sent: 39_962 - n,
  refused: 38,
  held: 0,
  cancelled: 0,
  pending: 0,
  opens: { human: 14_300 - 7 * n, machine: 900, contacts: 12_000 },
  clicks: { human: 2100 - 3 * n, machine: 80, contacts: 1900 },
  unsubscribes: 60,
  complaints: 2,
  replies: 0,
  bounces: 300,
})

const states = [10, 50, 55, 60, 30, 60]
const names = [
  'Ouverture de l’été',
  'Spring opening',
  'Welcome',
  'Émilie d’Éprémesnil-Llanfair lädt ein',
  'Cherry week',
]

const actions = Array.from({ length: 12 }, (_, n) => ({
  id: n.toString(36).toUpperCase().padStart(6, '0'),
  type: ['mailCampaign', 'smsCampaign', 'mailMessage'][n % 3],
  state: states[n % states.length],
  name: names[n % names.length],
  creationDate: new Date(Date.UTC(2026, 2, 20) - n * 86_400_000).toISOString(),
  ...(n % 3 < 2 && { scheduler: { startDate: new Date(Date.UTC(2026, 3, 20, 7) - n * 86_400_000).toISOString() } }),
  ...(states[n % states.length] === 60 && { report: figures(n) }),
}))

const answers = { '/actions': actions, '/channel/rcs/actions': [], '/notifications': [] }
const listed = (name: string) => (page: Page) => page.getByRole('link', { name }).first().waitFor()
const titled = (name: string) => (page: Page) => page.getByRole('heading', { name }).waitFor()

export const scenes: Scene[] = [
  {
    name: 'rooms-campaigns-empty',
    path: '/messages',
    answers: { '/actions': [], '/channel/rcs/actions': [], '/notifications': [] },
    ready: titled('No campaigns yet'),
  },
  { name: 'rooms-campaigns', path: '/messages', answers, ready: listed('Spring opening') },
  { name: 'rooms-campaigns-broken', path: '/messages', refused: '/actions', ready: titled('Campaigns') },
  { name: 'rooms-on-demand', path: '/messages/on-demand', answers, ready: listed('Welcome') },
  { name: 'rooms-missing', path: '/nowhere', ready: titled('This page does not exist') },
]
