import type { Page } from 'playwright-core'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const HTML = `<html><body style="font-family: sans-serif">
<h1>Our doors open</h1>
<p>Hello {{ contact.Firstname }}, the first cherries are here.</p>
<p><a href="https://shop.example/open">Come in</a> or <a href="https://shop.example/map" tracking="Disabled">find the way</a>.</p>
</body></html>`

const content = { subject: 'Our doors open', html: HTML }

let made: Promise<string> | undefined

/** A campaign to a segment, complete but not tested; gives its path. */
function draft(stage: Stage): Promise<string> {
  made ??= makeDraft(stage)
  return made
}

async function makeDraft(stage: Stage): Promise<string> {
  const readers = await Promise.all([1, 2, 3].map((n) => stage.contact(`opening${n}@orchard.example`)))
  const listed = await stage.segment(readers, { name: 'Friends of the orchard' })
  const excluded = await stage.segment(readers.slice(0, 1), { name: 'Heard of it already' })
  const startDate = '2031-03-20T08:00:00.000Z'
  const scheduler = {
    type: 'scheduled',
    startDate,
    speed: 5000,
    segments: { selected: [listed], excluded: [excluded] },
  }
  const id = await stage.action({ type: 'mailCampaign', name: 'Opening of the orchard', content, scheduler })
  return `/messages/email/${id}`
}

/** The newsletter of the library, as a campaign; gives its path. */
async function designed(stage: Stage): Promise<string> {
  const [{ design }] = (await stage.call('GET', '/designs/library?language=en')).body
  const subject = 'What is new in the orchard, {{ contact.Firstname | default: "reader" }}'
  const id = await stage.action({ type: 'mailCampaign', name: 'News of the orchard', content: { subject, design } })
  return `/messages/email/${id}`
}

/** One that is under way. */
async function sending(stage: Stage): Promise<string> {
  const readers = await Promise.all([1, 2, 3, 4].map((n) => stage.contact(`way${n}@orchard.example`)))
  const { id } = await stage.planned(await stage.segment(readers), 100)
  await stage.put(id, { state: 55, paused: true })
  return `/messages/email/${id}`
}

const at =
  (make: (stage: Stage) => Promise<string>, step: string) =>
  async (stage: Stage): Promise<string> =>
    `${await make(stage)}?step=${step}`

const named = (name: string) => (page: Page) => page.getByRole('link', { name }).first().waitFor()
const broken = (page: Page) => page.getByRole('alert').getByText('This is broken for the picture').first().waitFor()

const many = Array.from({ length: 200 }, (_, n) => ({
  id: n.toString(36).toUpperCase().padStart(6, '0'),
  type: n % 3 ? 'mailCampaign' : 'mailMessage',
  state: 60,
  name: `Letter ${n + 1}`,
  creationDate: new Date(1_770_000_000_000 - n * 86_400_000).toISOString(),
  informations: { folder: 1, category: 1, state: 60 },
  settings: { templating: { version: '4.1' } },
  report: {
    audience: 1_000_000,
    sent: 998_411 - n,
    refused: 320,
    held: 0,
    cancelled: 1269,
    pending: 0,
    opens: { human: 412_770 - n, machine: 51_200, contacts: 300_112 },
    clicks: { human: 61_204 - n, machine: 3311, contacts: 48_820 },
    unsubscribes: 1204,
    complaints: 31,
    replies: 0,
    bounces: 2911,
  },
}))

/** Scrolls an element to the top of the page, below the bar of the search. */
const toTop = (element: { scrollIntoView(options: object): void; style: { scrollMarginTop: string } }): void => {
  element.style.scrollMarginTop = '72px'
  element.scrollIntoView({ block: 'start' })
}

export const scenes: Scene[] = [
  {
    name: 'messages-empty',
    path: '/messages/email',
    ready: (page) => page.getByRole('heading', { name: 'No emails yet' }).waitFor(),
  },
  { name: 'messages-many', path: '/messages/email', answers: { '/actions': many }, ready: named('Letter 1') },
  { name: 'messages-broken', path: '/messages/email', refused: '/actions', ready: broken },
  {
    name: 'messages-new',
    path: '/messages/email',
    ready: async (page) => {
      await page.getByRole('button', { name: 'New email' }).first().click()
      await page.getByRole('radio', { name: /^Newsletter/ }).waitFor({ state: 'attached' })
      await page.frameLocator('iframe >> nth=0').frameLocator('iframe').locator('a').first().waitFor()
    },
  },
  {
    name: 'messages-write',
    path: '/messages/email',
    prepare: draft,
    ready: async (page) => {
      await page.getByText('find the way').first().waitFor()
      await page.getByText(/of 102/).waitFor()
    },
  },
  {
    name: 'campaign',
    inReadme: true,
    frame: (page) => page.getByRole('heading', { name: 'Body' }).evaluate(toTop),
    path: '/messages/email',
    prepare: designed,
    ready: async (page) => {
      await page.getByRole('group', { name: 'Row 1', exact: true }).waitFor()
      await page.getByText(/of 102/).waitFor()
    },
  },
  { name: 'messages-few', path: '/messages/email', ready: named('Opening of the orchard') },
  {
    name: 'messages-audience',
    path: '/messages/email',
    prepare: at(draft, 'audience'),
    ready: (page) => page.getByText('Will receive it').waitFor(),
  },
  {
    name: 'messages-when',
    path: '/messages/email',
    prepare: at(draft, 'when'),
    ready: (page) => page.getByLabel('Sending speed').waitFor(),
  },
  {
    name: 'messages-send',
    path: '/messages/email',
    prepare: at(draft, 'send'),
    ready: (page) => page.getByText(/2 messages will be captured/).waitFor(),
  },
  {
    name: 'messages-paused',
    path: '/messages/email',
    prepare: at(sending, 'send'),
    ready: (page) => page.getByRole('button', { name: 'Resume' }).waitFor(),
  },
]
