import type { Page } from 'playwright-core'
import { planCampaign } from '../../../src/outbox/audience.ts'
import type { Stage } from '../../stage.ts'
import type { Scene } from '../scene.ts'

const html = (word: string) => `<html><body style="font-family: sans-serif"><h1>${word}</h1>
<p>Hello {{ contact.Email }}, the cellar is open. <a href="https://shop.example/${word}">Come in</a></p></body></html>`

const experiment = {
  versions: [
    { id: 'a', share: 20 },
    { id: 'b', share: 20, subject: 'Last days of the cider', content: { html: html('Cider') }, from: { label: 'Ann' } },
  ],
  ...{ holdout: 10, metric: 'clicks', decideAfter: { unit: 'HOUR', value: 4 }, minimum: 10, decide: 'ask' },
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
    ...{ type: 'mailCampaign', name: 'The cider letter', content: { subject: 'Cider', html: html('Apples') } },
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

let begun: Promise<string> | undefined

/** A campaign whose shares were sent, and whose rest waits. */
async function makeBegun(stage: Stage): Promise<string> {
  const selected = [await segmentOf(stage, 'begun', 30)]
  const id = await stage.action({
    ...{ type: 'mailCampaign', name: 'The pear letter', content: { subject: 'Pears', html: html('Pears') } },
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
  ...{ state: 'asking', metric: 'clicks', minimum: 100, decide: 'ask' },
  ...{ settledAt: '2026-11-20T08:10:00.000Z', decidesAt: '2026-11-20T12:10:00.000Z' },
  versions: [
    {
      ...{ id: 'a', share: 15, sent: 1842, successes: 118, rate: 118 / 1842, mean: 119 / 1844, probability: 0.012 },
      interval: { low: 0.0539, high: 0.0762 },
    },
    {
      ...{ id: 'b', share: 15, sent: 1859, successes: 161, rate: 161 / 1859, mean: 162 / 1861, probability: 0.974 },
      interval: { low: 0.0748, high: 0.1003 },
    },
    {
      ...{ id: 'c', share: 10, sent: 1211, successes: 80, rate: 80 / 1211, mean: 81 / 1213, probability: 0.014 },
      interval: { low: 0.0534, high: 0.0815 },
    },
  ],
  ...{ holdout: { share: 5, contacts: 618 }, waiting: 6894, best: 'b', isClear: true, decision: null },
}

const at = new Date('2026-11-20T13:00:00.000Z').toISOString()
const none = { human: 0, machine: 0, contacts: 0 }

const reportWith = (own: object) => ({
  '/actions/*/report': {
    ...{ audience: 11_806, sent: 4912, refused: 0, held: 0, cancelled: [], postponed: 0, deferred: 0, waiting: 6894 },
    ...{ holdout: 618, experiment: { ...found, ...own }, delivered: 4912, opens: none, clicks: none },
    ...{ unsubscribes: 0, complaints: 0, replies: 0, bounces: [], links: [], devices: [], series: [], usual: null, at },
  },
})

const unclear = found.versions.map((version, place) => ({ ...version, probability: [0.31, 0.55, 0.14][place] }))

const says = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor()

export const scenes: Scene[] = [
  {
    name: 'message-versions',
    path: '',
    prepare: versionsOf,
    ready: async (page) => {
      await page.getByText(/about 4 people/).waitFor()
      await page.getByRole('heading', { name: 'How it is decided' }).waitFor()
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
    ready: says(/people wait for your decision/),
  },
  {
    name: 'report-experiment-decided',
    path: '',
    prepare: reportOf,
    answers: reportWith({
      ...{ state: 'decided', waiting: 0 },
      decision: { version: 'b', at: '2026-11-20T12:31:00.000Z', by: 'person', isClear: true },
    }),
    ready: says(/went to the rest as a person decided/),
  },
  {
    name: 'report-experiment-unclear',
    path: '',
    prepare: reportOf,
    answers: reportWith({ state: 'measuring', versions: unclear, isClear: false }),
    ready: says(/No clear winner/),
  },
]
