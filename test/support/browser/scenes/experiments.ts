import type { Page } from 'playwright-core'
import { planCampaign } from '../../../../src/sending/plan/plan-campaign.ts'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const html = (word: string) => `<html><body style="font-family: sans-serif"><h1>${word}</h1>
<p>Hello {{ contact.Email }}, the cellar is open. <a href="https://shop.example/${word}">Come in</a></p></body></html>`

const experiment = {
  versions: [
    { id: 'a', share: 20 },
    { id: 'b', share: 20, subject: 'Last days of the cider', content: { html: html('Cider') }, from: { label: 'Ann' } },
  ],
  holdout: 10,
  metric: 'clicks',
  decideAfter: { unit: 'HOUR', value: 4 },
  minimum: 10,
  decide: 'ask',
}

async function segmentOf(stage: Stage, name: string, count: number): Promise<number> {
  const numbers = Array.from({ length: count }, (_, n) => n)
  const contacts = await Promise.all(numbers.map((n) => stage.contact(`${name}${n}@cellar.example`)))
  return stage.segment(contacts, { name: `Cellar ${name}` })
}

let draft: Promise<string> | undefined

async function makeDraft(stage: Stage): Promise<string> {
  const selected = [await segmentOf(stage, 'draft', 8)]
  return stage.action({
    type: 'mailCampaign',
    name: 'The cider letter',
    content: { subject: 'Cider', html: html('Apples') },
    settings: { experiment },
    scheduler: { type: 'asap', segments: { selected } },
  })
}

const versionsOf = async (stage: Stage): Promise<string> => {
  draft ??= makeDraft(stage)
  return `/messages/email/${await draft}?step=versions&version=b`
}

async function timed(stage: Stage): Promise<string> {
  const scheduler = { type: 'bestTime', startDate: '2031-03-20T08:00:00.000Z', windowHours: 12 }
  const id = await stage.action({ type: 'mailCampaign', name: 'When they read', scheduler })
  return `/messages/email/${id}?step=when`
}

const GOAL = { event: { type: 'custom', names: ['order', 'order.again'] }, within: { unit: 'DAY', value: 7 } }

const made = async ({ call }: Stage, path: string, body: object): Promise<number | string> => {
  const answer = await call('POST', path, { body })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
  return answer.body.id
}

/** Another version b, of another content, with the goal; gives the settings. */
const triedWith = (content: object) => {
  const [a, { id, share }] = experiment.versions as [object, { id: string; share: number }]
  return { ...experiment, versions: [a, { id, share, content }], goal: GOAL }
}

async function email(stage: Stage): Promise<string> {
  const selected = [await segmentOf(stage, 'goal', 8)]
  return stage.action({
    type: 'mailCampaign',
    name: 'The quince letter',
    content: { subject: 'Quinces', html: html('Quinces') },
    settings: { experiment: { ...experiment, goal: GOAL } },
    scheduler: { type: 'asap', segments: { selected } },
  })
}

let phones: Promise<number> | undefined

/** The field of phones. */
const phoneOf = (stage: Stage): Promise<number> => {
  phones ??= made(stage, '/fields', { type: 'phone', name: 'Pocket phone' }).then(Number)
  return phones
}

async function sms(stage: Stage): Promise<number | string> {
  const link = '{{ "https://shop.example/quinces" | tracked: "quinces" }}'
  const field = await phoneOf(stage)
  const selected = [await segmentOf(stage, 'texted', 8)]
  return made(stage, '/actions', {
    type: 'smsCampaign',
    name: 'Quinces by text',
    content: { textContent: `Quinces are in: ${link}` },
    settings: {
      sender: 'ORCHARD',
      field,
      purpose: { type: 'service' },
      experiment: triedWith({ textContent: `Ripe quinces – until Sunday: ${link}` }),
    },
    scheduler: { type: 'asap', segments: { selected } },
  })
}

const card = (title: string) => ({
  type: 'card',
  orientation: 'VERTICAL',
  card: {
    title,
    description: 'From the cellar, until Sunday evening.',
    suggestions: [{ type: 'openUrl', text: 'See them', url: 'https://shop.example/quinces', tracked: true }],
  },
})

async function rcs(stage: Stage): Promise<number | string> {
  const agent = { name: 'Orchard in letters', agent: 'orchard_fr_k4', provider: { type: 'capture' } }
  const profile = await made(stage, '/channel/rcs/profiles', agent)
  const field = await phoneOf(stage)
  const selected = [await segmentOf(stage, 'carded', 8)]
  return made(stage, '/channel/rcs/actions', {
    type: 'rcsCampaign',
    name: 'Quinces on a card',
    content: card('Quinces are in'),
    settings: { profile, field, purpose: { type: 'service' }, experiment: triedWith(card('Ripe quinces')) },
    scheduler: { type: 'asap', segments: { selected } },
  })
}

const makers = { email, sms, rcs }
const drafts = new Map<string, Promise<number | string>>()

/** A page of a campaign with a goal; made once a channel. */
const ofTried = (channel: keyof typeof makers, search: string) => async (stage: Stage) => {
  const draft = drafts.get(channel) ?? makers[channel](stage)
  drafts.set(channel, draft)
  return `/messages/${channel}/${await draft}?${search}`
}

let begun: Promise<string> | undefined

/** A campaign whose shares were sent, and whose rest waits. */
async function makeBegun(stage: Stage): Promise<string> {
  const selected = [await segmentOf(stage, 'begun', 30)]
  const id = await stage.action({
    type: 'mailCampaign',
    name: 'The pear letter',
    content: { subject: 'Pears', html: html('Pears') },
    settings: { experiment },
    scheduler: { type: 'asap', segments: { selected } },
  })
  await stage.validated(id)
  await stage.advance()
  const { db } = stage.context
  const plans = await db.selectFrom('sendings').select('id').where('state', '=', 'planning').execute()
  for (const { id: sending } of plans) await planCampaign(stage.context, { sending })
  await stage.sendDue()
  await stage.advance()
  return id
}

const reportOf = async (stage: Stage): Promise<string> => {
  begun ??= makeBegun(stage)
  return `/messages/email/${await begun}/report`
}

const found = {
  state: 'asking',
  metric: 'clicks',
  minimum: 100,
  decide: 'ask',
  settledAt: '2026-11-20T08:10:00.000Z',
  decidesAt: '2026-11-20T12:10:00.000Z',
  versions: [
    {
      id: 'a',
      share: 15,
      sent: 1842,
      successes: 118,
      rate: 118 / 1842,
      mean: 119 / 1844,
      probability: 0.012,
      interval: { low: 0.0539, high: 0.0762 },
    },
    {
      id: 'b',
      share: 15,
      sent: 1859,
      successes: 161,
      rate: 161 / 1859,
      mean: 162 / 1861,
      probability: 0.974,
      interval: { low: 0.0748, high: 0.1003 },
    },
    {
      id: 'c',
      share: 10,
      sent: 1211,
      successes: 80,
      rate: 80 / 1211,
      mean: 81 / 1213,
      probability: 0.014,
      interval: { low: 0.0534, high: 0.0815 },
    },
  ],
  holdout: { share: 5, contacts: 618 },
  waiting: 6894,
  best: 'b',
  isClear: true,
  decision: null,
}

const at = new Date('2026-11-20T13:00:00.000Z').toISOString()
const none = { human: 0, machine: 0, contacts: 0 }

const reportWith = (own: object) => ({
  '/actions/*/report': {
    audience: 11_806,
    sent: 4912,
    refused: 0,
    held: 0,
    cancelled: [],
    postponed: 0,
    deferred: 0,
    waiting: 6894,
    holdout: 618,
    experiment: { ...found, ...own },
    delivered: 4912,
    opens: none,
    clicks: none,
    unsubscribes: 0,
    complaints: 0,
    replies: 0,
    bounces: [],
    links: [],
    devices: [],
    series: [],
    usual: null,
    at,
  },
})

const unclear = found.versions.map((version, place) => ({ ...version, probability: [0.31, 0.55, 0.14][place] }))

const lineOf = (contacts: number, reached: number, low: number, high: number) => ({
  contacts,
  reached,
  rate: reached / contacts,
  interval: { low, high },
})
const lifted = (difference: number, relative: number, probability: number) => ({
  lift: { difference, relative, probability },
})

/** What a goal came to; `more` changes it. */
const goalWith = (more: object) => ({
  ...GOAL,
  countedAt: null,
  versions: [
    { id: 'a', ...lineOf(1842, 61, 0.0259, 0.0423), ...lifted(0.0072, 0.2784, 0.841) },
    { id: 'b', ...lineOf(1859, 84, 0.0367, 0.0556), ...lifted(0.0193, 0.7454, 0.987) },
    { id: 'c', ...lineOf(1211, 29, 0.0168, 0.0342), ...lifted(-0.0019, -0.0749, 0.388) },
  ],
  holdout: lineOf(618, 16, 0.016, 0.0416),
  ...more,
})
const noneYet = { ...lineOf(1842, 0, 0, 0.002), rate: 0, lift: null }

const says = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor()

export const scenes: Scene[] = [
  {
    name: 'message-versions',
    path: '',
    prepare: versionsOf,
    ready: async (page) => {
      await page.getByText(/about 4 contacts/).waitFor()
      await page.getByRole('heading', { name: 'How the winner is chosen' }).waitFor()
      await page.getByText(/of 102/).waitFor()
    },
  },
  {
    name: 'message-versions-none',
    path: '',
    prepare: async (stage) =>
      `/messages/email/${await stage.action({ type: 'mailCampaign', name: 'Plain' })}?step=versions`,
    ready: (page) => page.getByRole('button', { name: 'Try two versions' }).waitFor(),
  },
  {
    name: 'message-best-time',
    path: '',
    prepare: timed,
    ready: (page) => page.getByLabel('Window in hours').waitFor(),
  },
  {
    name: 'report-experiment-waiting',
    path: '',
    prepare: reportOf,
    answers: reportWith({}),
    ready: says(/contacts are waiting for your decision/),
  },
  {
    name: 'report-experiment-decided',
    path: '',
    prepare: reportOf,
    answers: reportWith({
      state: 'decided',
      waiting: 0,
      decision: { version: 'b', at: '2026-11-20T12:31:00.000Z', by: 'person', isClear: true },
    }),
    ready: says(/was chosen manually for the rest of the audience/),
  },
  {
    name: 'report-experiment-unclear',
    path: '',
    prepare: reportOf,
    answers: reportWith({ state: 'measuring', versions: unclear, isClear: false }),
    ready: says(/No clear winner/),
  },
  {
    name: 'versions-goal',
    path: '',
    prepare: ofTried('email', 'step=versions'),
    ready: async (page) => {
      await page.getByRole('heading', { name: 'Goal', exact: true }).waitFor()
      await page.getByText(/of 102/).waitFor()
      await page.getByRole('heading', { name: 'Goal', exact: true }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'versions-sms',
    path: '',
    prepare: ofTried('sms', 'step=versions&version=b'),
    ready: says(/about 2 contacts/),
  },
  {
    name: 'versions-rcs',
    path: '',
    prepare: ofTried('rcs', 'step=versions&version=b'),
    ready: says(/about 2 contacts/),
  },
  ...(['email', 'sms', 'rcs'] as const).map((channel) => ({
    name: `version-test-${channel}`,
    path: '',
    prepare: ofTried(channel, 'step=send'),
    ready: async (page: Page) => {
      await page.getByRole('combobox', { name: 'Version' }).click()
      await page.getByRole('option', { name: 'Version B' }).click()
    },
  })),
  {
    name: 'report-goal-open',
    path: '',
    prepare: reportOf,
    answers: reportWith({ goal: goalWith({}) }),
    ready: says(/Counted as it happens/),
  },
  {
    name: 'report-goal-counted',
    path: '',
    prepare: reportOf,
    answers: reportWith({
      state: 'decided',
      waiting: 0,
      decision: { version: 'b', at: '2026-11-20T12:31:00.000Z', by: 'person', isClear: true },
      goal: goalWith({ countedAt: '2026-11-28T10:00:00.000Z' }),
    }),
    ready: says(/Final result/),
  },
  {
    name: 'report-goal-nobody',
    path: '',
    prepare: reportOf,
    answers: reportWith({
      holdout: { share: 0, contacts: 0 },
      goal: goalWith({
        versions: ['a', 'b', 'c'].map((id) => ({ id, ...noneYet })),
        holdout: { ...lineOf(1, 0, 0, 1), contacts: 0, rate: null },
      }),
    }),
    ready: says(/Counted as it happens/),
  },
]
