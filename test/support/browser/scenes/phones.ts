import type { Page } from 'playwright-core'
import { storedApplication } from '../../stages/push-applications.ts'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const ADDRESS = 'ada.phones@orchard.example'
const SHOP = 'https://orchard.example/pears'
const PICTURE = 'https://img.orchard.example/pears.jpg'

// biome-ignore lint/suspicious/noExplicitAny: a scene reads any member of any answer.
type Body = any

interface Around {
  /** Field of phones. */
  field: number
  contact: string
  segment: number
  profile: number
  application: string
}

let around: Promise<Around> | undefined

const made = async ({ call }: Stage, path: string, body: object): Promise<Body> => {
  const answer = await call('POST', path, { body })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
  return answer.body
}

/** What the messages of these scenes are written for: a contact with a phone, an agent, an application. */
async function makeAround(stage: Stage): Promise<Around> {
  const { id: field } = await made(stage, '/fields', { type: 'phone', name: 'Handset' })
  const contact = await stage.contact(ADDRESS, { Handset: '+33612345678' })
  const segment = await stage.segment([contact], { name: 'Pickers', isTest: true })
  const agent = { name: 'Orchard by phone', agent: 'orchard_fr_k3', provider: { type: 'capture' } }
  const { id: profile } = await made(stage, '/channel/rcs/profiles', {
    ...agent,
    fallback: { type: 'sms', sender: 'ORCHARD' },
  })
  const application = await storedApplication(stage, {
    routes: [{ name: 'Shop', value: 'orchard://shop', default: true }],
    channels: [{ name: 'News', value: 'news', default: true }],
  })
  const { db } = stage.context
  await db.updateTable('applications').set({ name: 'Orchard' }).where('id', '=', application).execute()
  return { field, contact, segment, profile, application }
}

const aroundOf = (stage: Stage): Promise<Around> => {
  around ??= makeAround(stage)
  return around
}

/** Text with letters outside of GSM-7, a value of the contact and a short link. */
const SMS_TEXT = `Bonjour {{ contact.Email }} – les poires sont là… “Passez” avant dimanche : {{ "${SHOP}" | tracked: "pears" }}`

async function sms(stage: Stage, more: object): Promise<string> {
  const { field, segment } = await aroundOf(stage)
  const settings = { field, sender: 'ORCHARD', smsType: 2 }
  const scheduler = { type: 'asap', segments: { selected: [segment], excluded: [] } }
  const body = { type: 'smsCampaign', name: 'Pears are in', settings, scheduler, ...more }
  return `/messages/sms/${(await made(stage, '/actions', body)).id}`
}

const CARD = {
  title: '{{ contact.Email }}, pears are in',
  description: 'Conference and Williams, until Sunday evening.',
  media: { height: 'MEDIUM', file: { url: PICTURE, alt: 'A crate of pears' } },
  suggestions: [
    { type: 'openUrl', text: 'See the pears', url: SHOP, postback: 'pears', tracked: true },
    { type: 'dial', text: 'Call the shop', phoneNumber: '+33140000000' },
  ],
}
const LATER = [
  { type: 'reply', text: 'Not now', postback: 'later' },
  { type: 'viewLocation', text: 'Where is it?', latitude: 48.85, longitude: 2.35, label: 'The orchard' },
  { type: 'shareLocation', text: 'Nearest shop' },
]
const FALLBACK = { type: 'sms', text: 'Pears are in until Sunday. STOP 36000', after: { unit: 'HOUR', value: 6 } }
const CONTENTS = {
  text: { type: 'text', text: 'Hello {{ contact.Email }}, pears are in.\nShall we keep a crate?', suggestions: LATER },
  card: { type: 'card', orientation: 'VERTICAL', card: CARD, suggestions: LATER.slice(0, 2) },
  carousel: {
    type: 'carousel',
    width: 'MEDIUM',
    suggestions: LATER.slice(0, 1),
    cards: [
      CARD,
      { ...CARD, title: 'Apples', description: 'From the cellar.' },
      { title: 'Quinces', description: 'Soon.', suggestions: [{ type: 'reply', text: 'Tell me' }] },
    ],
  },
}

async function rcs(stage: Stage, more: object): Promise<string> {
  const { field, profile, segment } = await aroundOf(stage)
  const scheduler = { type: 'asap', segments: { selected: [segment], excluded: [] } }
  const body = { type: 'rcsCampaign', name: 'Pear week', settings: { profile, field }, scheduler, ...more }
  return `/messages/rcs/${(await made(stage, '/channel/rcs/actions', body)).id}`
}

const VERSIONS = [
  {
    name: 'French',
    condition: 'contact.Email == "nobody"',
    redirection: { type: 'route', value: 'Shop' },
    content: { title: 'Les poires sont là', body: 'Jusqu’à dimanche.', image: PICTURE, buttons: [] },
  },
  {
    name: 'English',
    master: true,
    redirection: { type: 'literal', value: SHOP },
    content: {
      title: 'Pears are in, {{ contact.Email }}',
      image: PICTURE,
      body: 'Conference and Williams, until Sunday evening at the farm shop.',
      buttons: [{ title: 'See them', redirection: { type: 'route', value: 'Shop' } }, { title: 'Later' }],
    },
  },
]

async function notification(stage: Stage, more: object): Promise<string> {
  const { application, segment } = await aroundOf(stage)
  const expiration = { type: 'period', value: { unit: 'HOUR', value: 12 } }
  const settings = { application, expiration }
  const scheduler = { type: 'cron', minute: '0', hour: '18', dayOfWeek: 'FRI', timeZone: { id: 'Europe/Paris' } }
  const task = { segments: { selected: [segment], excluded: [] }, scheduler }
  const body = { type: 'push-app', name: 'Pears tonight', settings, task, ...more }
  return `/messages/notification/${(await made(stage, '/notifications', body)).id}`
}

/** One that is active. */
async function active(stage: Stage): Promise<string> {
  const path = await notification(stage, { versions: VERSIONS })
  const answer = await stage.call('POST', `/notifications/${path.split('/').at(-1)}/activation`)
  if (answer.status !== 204) throw new Error(answer.text)
  return path
}

/** Leaves the preview to show a contact, as somebody who chooses it. */
async function shownFor(page: Page): Promise<void> {
  const field = page.getByRole('combobox', { name: 'As this contact gets it' })
  await field.click()
  await field.fill('ada.phones')
  await page.getByRole('option', { name: ADDRESS }).click()
  await page.getByText(ADDRESS).and(page.locator('figure *')).first().waitFor()
}

const figures = (n: number) => ({
  audience: 48_000 - n,
  sent: 47_410 - n,
  refused: 120,
  held: 0,
  cancelled: 470,
  pending: 0,
  opens: { human: 21_300 - n, machine: 0, contacts: 20_112 },
  clicks: { human: 6204 - n, machine: 31, contacts: 5848 },
  unsubscribes: 104,
  complaints: 0,
  replies: 12,
  bounces: 291,
})
const dayOf = (n: number): string => new Date(1_770_000_000_000 - n * 86_400_000).toISOString()
const rows = Array.from({ length: 60 }, (_, n) => n)
const listed = (kind: 'sms' | 'rcs') =>
  rows.map((n) => ({
    id: kind === 'sms' ? n.toString(36).toUpperCase().padStart(6, '0') : n + 1,
    state: n % 4 ? 60 : 50,
    type: n % 4 ? `${kind}Campaign` : `${kind}Message`,
    name: `Harvest ${n + 1}`,
    creationDate: dayOf(n),
    scheduler: n % 4 ? { startDate: dayOf(n) } : undefined,
    report: figures(n),
  }))
const listedNotifications = rows.map((n) => ({
  type: 'push-app',
  id: n + 1,
  name: `Harvest ${n + 1}`,
  active: n % 3 === 0,
  report: figures(n),
  stamp: { creation: dayOf(n), modification: dayOf(n) },
  task: n % 2 ? { scheduler: { type: 'cron', lastRun: dayOf(n), nextRun: dayOf(n - 7) } } : null,
}))

const row = (page: Page) => page.getByRole('link', { name: 'Harvest 1', exact: true }).waitFor()
const broken = (page: Page) => page.getByRole('alert').getByText('This is broken for the picture').first().waitFor()
const atStep = (make: (stage: Stage) => Promise<string>, step: string) => async (stage: Stage) =>
  `${await make(stage)}?step=${step}`

const smsWritten = (stage: Stage) => sms(stage, { content: { textContent: SMS_TEXT } })
const rcsWritten = (kind: keyof typeof CONTENTS) => (stage: Stage) =>
  rcs(stage, { content: CONTENTS[kind], fallback: FALLBACK })

export const scenes: Scene[] = [
  { name: 'phones-sms-list', path: '/messages/sms', answers: { '/actions': listed('sms') }, ready: row },
  { name: 'phones-rcs-list', path: '/messages/rcs', answers: { '/channel/rcs/actions': listed('rcs') }, ready: row },
  {
    name: 'phones-notification-list',
    path: '/messages/notification',
    answers: { '/notifications': listedNotifications },
    ready: row,
  },
  {
    name: 'phones-sms-new',
    path: '',
    prepare: (stage) => sms(stage, {}),
    ready: (page) => page.getByText('No content yet').waitFor(),
  },
  { name: 'phones-sms-written', path: '', prepare: smsWritten, ready: shownFor },
  {
    name: 'phones-sms-send',
    path: '',
    prepare: atStep(smsWritten, 'send'),
    ready: (page) => page.getByText(/1 message will be captured/).waitFor(),
  },
  { name: 'phones-sms-broken', path: '', prepare: smsWritten, refused: '/actions/*/render', ready: broken },
  {
    name: 'phones-rcs-new',
    path: '',
    prepare: (stage) => rcs(stage, {}),
    ready: (page) => page.getByText('No content yet').waitFor(),
  },
  ...(['text', 'card', 'carousel'] as const).map((kind) => ({
    name: `phones-rcs-${kind}`,
    path: '',
    prepare: rcsWritten(kind),
    ready: shownFor,
  })),
  {
    name: 'phones-rcs-send',
    path: '',
    prepare: atStep(rcsWritten('card'), 'send'),
    ready: (page) => page.getByText(/1 message will be captured/).waitFor(),
  },
  {
    name: 'phones-rcs-broken',
    path: '',
    prepare: rcsWritten('card'),
    refused: '/channel/rcs/actions/*/render',
    ready: broken,
  },
  {
    name: 'phones-notification-new',
    path: '',
    prepare: (stage) => notification(stage, {}),
    ready: (page) => page.getByText('No content yet').waitFor(),
  },
  {
    name: 'phones-notification-written',
    path: '',
    prepare: (stage) => notification(stage, { versions: VERSIONS }),
    ready: async (page) => {
      await page.getByText('All versions', { exact: true }).click()
      await shownFor(page)
    },
  },
  {
    name: 'phones-notification-when',
    path: '',
    prepare: atStep(active, 'when'),
    ready: (page) => page.getByText('On a recurring schedule').waitFor(),
  },
  {
    name: 'phones-notification-send',
    path: '',
    prepare: atStep(active, 'send'),
    ready: (page) =>
      page
        .getByText(/active/)
        .first()
        .waitFor(),
  },
  {
    name: 'phones-notification-broken',
    path: '',
    refused: '/notifications/*/render',
    ready: broken,
    prepare: (stage: Stage) => notification(stage, { versions: VERSIONS }),
  },
]
