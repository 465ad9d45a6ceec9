import type { Page } from 'playwright-core'
import { HOUR_MS } from '../../../../src/lib/time/spans.ts'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const START = Date.UTC(2026, 10, 20, 8)

/** Opens that come quickly and die away, with a second, smaller wave in the evening. */
const series = Array.from({ length: 60 }, (_, place) => {
  const wave = Math.exp(-place / 8) + 0.3 * Math.exp(-((place - 34) ** 2) / 20)
  return {
    at: new Date(START + place * HOUR_MS).toISOString(),
    sends: place < 4 ? 11_200 - place * 800 : 0,
    opens: Math.round(2900 * wave * (1 + 0.15 * Math.sin(place))),
    clicks: Math.round(490 * wave * (1 + 0.2 * Math.cos(place))),
  }
})

const shop = 'https://shop.example/autumn'

const report = {
  audience: 48_211,
  sent: 39_962,
  refused: 1204,
  held: 3,
  postponed: 0,
  deferred: 0,
  waiting: 0,
  holdout: 0,
  cancelled: [
    { type: 'redlist', count: 3120 },
    { type: 'bounce', count: 1408 },
    { type: 'marketing pressure', count: 2401 },
    { type: 'duplicate address', count: 88 },
    { type: 'empty address', count: 25 },
  ],
  delivered: 39_702,
  opens: { human: 21_873, machine: 6120, contacts: 15_640 },
  clicks: { human: 3911, machine: 803, contacts: 2987 },
  unsubscribes: 61,
  complaints: 4,
  replies: 0,
  bounces: [
    { destination: 'mail.example', verdict: 'hard', cause: 'bad destination mailbox address', count: 902 },
    { destination: 'post.example', verdict: 'soft', cause: 'mailbox full', count: 211 },
    { destination: 'mail.example', verdict: 'soft', cause: 'delivery not authorized, message refused', count: 91 },
  ],
  links: [
    { id: 1, address: shop, clicks: 2511, contacts: 2102 },
    { id: 2, address: 'https://shop.example/cherries?from=letter', clicks: 1022, contacts: 931 },
    { id: 3, address: 'https://shop.example/visit', clicks: 378, contacts: 301 },
  ],
  devices: [
    { type: 'phone', os: 'iOS 19.1', client: 'Apple Mail', opens: 9020, clicks: 1300 },
    { type: 'phone', os: 'Android 16', client: 'Gmail', opens: 4310, clicks: 821 },
    { type: 'desktop', os: 'Windows 11', client: 'Outlook', opens: 5301, clicks: 902 },
    { type: 'desktop', os: 'macOS 16', client: 'Firefox', opens: 2104, clicks: 721 },
    { type: 'tablet', os: 'iPadOS 19', client: 'Apple Mail', opens: 902, clicks: 121 },
    { type: 'unknown', os: null, client: null, opens: 236, clicks: 46 },
  ],
  series,
  usual: { openRate: 0.362, clickRate: 0.081, unsubscribeRate: 0.002, complaintRate: 0.0001 },
  at: new Date().toISOString(),
}

const html = `<html><body style="font-family:sans-serif;margin:32px">
  <h1>The autumn letter</h1><p>Apples, pears and quinces are in. <a href="${shop}">See the harvest</a></p>
  <p><a href="https://shop.example/cherries?from=letter">Cherries in a jar</a> and <a href="https://shop.example/visit">a visit</a>.</p>
</body></html>`

/** A campaign that was sent to five people. */
async function sent(stage: Stage): Promise<string> {
  const readers = await Promise.all([1, 2, 3, 4, 5].map((n) => stage.contact(`autumn${n}@orchard.example`)))
  const { id } = await stage.planned(await stage.segment(readers), 100, 'The autumn letter')
  await stage.sendDue()
  await stage.advance()
  return id
}

let campaign: Promise<string> | undefined
const pathOf = async (stage: Stage): Promise<string> => {
  campaign ??= sent(stage)
  return `/messages/email/${await campaign}/report`
}

const drawn = async (page: Page): Promise<void> => {
  await page.locator('canvas').first().waitFor()
  await page.getByText('Compared with the last ten').or(page.getByText('Where people clicked')).first().waitFor()
}

const people = Array.from({ length: 60 }, (_, n) => ({
  id: `000${(n + 100).toString(36).toUpperCase().padStart(5, '0')}`,
  address: `reader${n}@mail.example`,
  stamp: `019512a0-7c11-7d2e-9a42-${String(n).padStart(12, '0')}`,
  at: new Date(START + n * 61_000).toISOString(),
  detail: '550 5.1.1 no such user here',
}))

export const scenes: Scene[] = [
  {
    name: 'report-little',
    path: '',
    prepare: pathOf,
    ready: (page) => page.getByRole('heading', { name: 'Delivery' }).waitFor(),
  },
  {
    name: 'report',
    inReadme: true,
    path: '',
    prepare: pathOf,
    answers: { '/actions/*/report': report, '/messages/*': messageOf(html) },
    ready: drawn,
  },
  {
    name: 'report-running',
    path: '',
    prepare: pathOf,
    answers: {
      '/actions/*/report': { ...report, sent: 18_962, waiting: 21_000, delivered: 18_900, links: [], bounces: [] },
    },
    ready: (page) => page.getByText('Sending in progress.').waitFor(),
  },
  {
    name: 'report-contacts',
    path: '',
    prepare: async (stage) => `${await pathOf(stage)}/contacts?of=refused`,
    answers: { '/actions/*/report/contacts': people },
    ready: (page) => page.getByText('reader59@mail.example').waitFor(),
  },
  {
    name: 'report-broken',
    path: '',
    prepare: pathOf,
    refused: '/actions/*/report',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').first().waitFor(),
  },
]

function messageOf(body: string): object {
  return {
    stamp: { id: '019512a0-7c11-7d2e-9a42-000000000001', thread: '', set: '', time: START },
    channel: 'email',
    kind: 'campaign',
    state: 'accepted',
    source: { type: 'action', id: '000001', name: 'The autumn letter' },
    contact: null,
    address: 'autumn1@orchard.example',
    sender: null,
    message: null,
    error: null,
    lastReply: null,
    parts: { subject: 'The autumn letter', html: body, text: 'Apples, pears and quinces are in.' },
  }
}
