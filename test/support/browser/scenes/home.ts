import { DAY_MS } from '../../../../src/lib/time/spans.ts'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

/** A campaign to forty contacts, sent. */
async function sent(stage: Stage): Promise<undefined> {
  const contacts = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      stage.contact(`reader${index}@${index % 3 ? 'orchard' : 'meadow'}.example`),
    ),
  )
  await stage.planned(await stage.segment(contacts), 100)
  await stage.sendDue()
  await stage.advance()
  return undefined
}

/** Thirty days of growth, as a job counts them. */
const growth = Array.from({ length: 30 }, (_, index) => {
  const entered = 40 + ((index * 37) % 90)
  const left = (index * 13) % 25
  const date = new Date(Date.UTC(2026, 9, 1) + index * DAY_MS).toISOString().slice(0, 10)
  return { date, count: 12_000 + index * 62, entered, left }
})

const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
const report = {
  audience: 40_000,
  sent: 39_962,
  refused: 38,
  held: 0,
  cancelled: 0,
  pending: 0,
  opens: { human: 16_000, machine: 900, contacts: 14_100 },
  clicks: { human: 2600, machine: 80, contacts: 2100 },
  unsubscribes: 60,
  complaints: 2,
  replies: 0,
  bounces: 300,
}

/** An account in use, in which everything waits for somebody. */
const busy = {
  running: [
    {
      type: 'mailCampaign',
      id: '0000A1',
      name: 'Spring opening',
      state: 'sending',
      since: at(-1),
      progress: { done: 18_400, total: 40_000 },
    },
    {
      type: 'smsCampaign',
      id: '0000A2',
      name: 'Émilie d’Éprémesnil-Llanfair lädt ein',
      state: 'paused',
      since: at(-2),
      progress: { done: 12, total: 900 },
    },
    { type: 'workflow', id: 4, name: 'Welcome', state: 'active', since: at(-90), progress: null },
  ],
  planned: [{ type: 'mailCampaign', id: '0000A3', name: 'Cherry week', startDate: at(30) }],
  approvals: [
    {
      id: 'a1',
      type: 'action',
      object: '0000A4',
      name: 'Autumn letter',
      askedBy: 'Bo Gale',
      date: at(-3),
      comment: 'For Monday at nine.',
    },
  ],
  failed: [
    {
      type: 'import',
      id: 7,
      name: 'Contacts of the shop',
      date: at(-5),
      detail: 'The file has no column for the email address.',
    },
  ],
  campaigns: [1, 2, 3, 4, 5].map((n) => ({
    type: n === 3 ? 'smsCampaign' : 'mailCampaign',
    id: `00000${n}`,
    name: ['Spring opening', 'Ouverture de l’été', 'Parcel ready', 'Weekly letter', 'Win back'][n - 1],
    state: 60,
    startDate: at(-24 * n),
    report,
  })),
  untrustedProxy: null,
  failingTasks: [],
  date: at(0),
}
const destination = (name: string, complaints: number) => ({
  destination: name,
  domains: [],
  sent: 1000,
  refused: 4,
  refusals: [],
  bounces: { hard: 4, soft: 2 },
  complaints,
  bounceRate: 0.004,
  complaintRate: complaints / 1000,
})
const troubled = {
  start: at(-168),
  end: at(0),
  destinations: [destination('gmail', 100), destination('microsoft', 0)],
  warmUps: [],
}
const unverified = [{ name: 'news.example.com', default: true, verified: false, checkedDate: at(-1), records: [] }]

export const scenes: Scene[] = [
  {
    name: 'home-empty',
    path: '/',
    ready: (page) => page.getByRole('heading', { name: 'First steps' }).waitFor(),
  },
  {
    name: 'home',
    path: '/',
    prepare: sent,
    answers: { '/targets/growth': growth },
    ready: async (page) => {
      await page.getByRole('heading', { name: 'Last campaigns' }).waitFor()
      await page.locator('canvas').waitFor()
    },
  },
  {
    name: 'home-needs',
    path: '/',
    answers: { '/overview': busy, '/deliverability': troubled, '/domains': unverified, '/targets/growth': growth },
    ready: async (page) => {
      await page.getByRole('heading', { name: 'Needs you' }).waitFor()
      await page.getByText('Gmail: 10% complaints', { exact: false }).waitFor()
    },
  },
  {
    name: 'reports',
    path: '/reports',
    answers: { '/targets/growth': growth },
    ready: (page) => page.locator('canvas').waitFor(),
  },
  {
    name: 'home-broken',
    path: '/',
    refused: '/overview',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').waitFor(),
  },
  {
    name: 'search',
    path: '/',
    ready: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('con')
      await page.getByRole('option', { name: 'Contacts' }).waitFor()
    },
  },
  {
    name: 'keys',
    path: '/contacts',
    ready: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog').getByText('Search everything').waitFor()
    },
  },
]
