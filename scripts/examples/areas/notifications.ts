import { randomBytes } from 'node:crypto'
import type { PushReportKind } from '../../../src/lib/crypto/push-tokens.ts'
import { type ReceivedPush, receivedBy } from '../../../test/support/stages/push-visits.ts'
import type { Story, StoryAnswer } from '../story.ts'
import type { ShopStock } from './emails.ts'

export interface ShopNotifications {
  application: string
  notification: number
}

const DEVICE_PATH = { agency: 'TEAH', customer: '001' }
/** IDs that the app of each customer made for itself. */
const DEVICES = {
  maya: 'c2a4f6e8-1b3d-4c5e-8f70-91a2b3c4d5e6',
  lucy: '5e6f7a8b-9c0d-4e1f-a2b3-c4d5e6f70819',
  priya: '0f1e2d3c-4b5a-4697-8879-6a5b4c3d2e1f',
  guest: '9d8c7b6a-5f4e-4d3c-b2a1-908f7e6d5c4b',
}

/** Answer of Firebase about a device without the app. */
const REFUSAL = {
  status: 404,
  body: JSON.stringify({
    error: {
      code: 404,
      message: 'Requested entity was not found.',
      status: 'NOT_FOUND',
      details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: 'UNREGISTERED' }],
    },
  }),
}

/** The token that a push service gives a device, as long as theirs are. */
const createPushToken = (): string => randomBytes(32).toString('hex')

async function createApplications({ call, service, disguise, hide }: Story): Promise<string> {
  const { providers, peers } = service.peers.push
  const { firebase, apns, http, webpush } = peers
  for (const url of [firebase.url, `${firebase.url}/token`, apns.url]) hide(url)
  disguise('example.orchard.app', 'example.harbourtea.app')
  disguise(http.url, 'https://push.harbourtea.example')
  disguise(webpush.url, 'https://updates.push.example')
  const home = { name: 'home', value: { type: 'literal', value: 'harbourtea://home' }, default: true }
  const offers = { name: 'harvest', value: { type: 'literal', value: 'harbourtea://harvest' } }
  const body = {
    name: 'Harbour Tea',
    description: 'The app for customers, on phones.',
    providers: [providers.firebase, providers.apns],
    routes: [home, offers],
    registration: { open: true, identifiers: ['unicity', 'hash'], proof: 'none' },
  }
  const { id } = await call('createApplication', { body })
  await call('listApplications')
  await call('getApplication', { path: { id } })
  await call('updateApplication', { path: { id }, body: { description: 'The app for customers.' } })
  await call('activateApplication', { path: { id } })
  const spare = { name: 'Harbour Tea for the web', providers: [providers.webpush, providers.http], routes: [home] }
  const other = await call('createApplication', { body: spare, shown: false })
  await call('activateApplication', { path: { id: other.id }, shown: false })
  await call('deactivateApplication', { path: { id: other.id } })
  await call('deleteApplication', { path: { id: other.id } })
  return id
}

async function registerDevices({ call, disguise }: Story, { shop }: ShopStock, application: string): Promise<void> {
  const tokens = Object.fromEntries(Object.keys(DEVICES).map((name) => [name, createPushToken()]))
  for (const [name, token] of Object.entries(tokens)) disguise(token, `token-of-the-phone-of-${name}`)
  const device = {
    id: DEVICES.maya,
    application,
    gateway: { type: 'apns', token: tokens['maya'] },
    linked: { type: 'unicity', value: 'maya@mailbox.example' },
    culture: 'en_GB',
  }
  await call('putDeviceSubscription', { path: DEVICE_PATH, body: device, anonymous: true })
  const put = async (name: keyof typeof DEVICES, value: string | undefined, shown = false): Promise<void> => {
    const provider = { type: 'firebase', token: tokens[name] }
    const contact = value === undefined ? {} : { contact: { type: 'unicity', value: [value] } }
    await call('putSubscription', {
      body: { id: DEVICES[name], application, provider, ...contact, culture: 'en-GB' },
      shown,
    })
  }
  await put('lucy', 'lucy@mailbox.example', true)
  await put('priya', 'priya@mailbox.example')
  await put('guest', undefined)
  await call('getSubscription', { path: { id: DEVICES.lucy } })
  await call('listTargetSubscriptions', { path: { id: shop.contacts['Maya']! } })
  await call('listTargetSubscriptionsByQuery', { query: { unicity: 'maya@mailbox.example' } })
  await call('countApplicationSubscriptions')
  const telemetry = { type: 'start', application, subscription: DEVICES.maya, version: '4.2.0' }
  await call('putDeviceTelemetry', { path: DEVICE_PATH, body: telemetry, anonymous: true })
  await call('postDeviceTelemetry', { path: DEVICE_PATH, body: telemetry, anonymous: true })
}

async function createNotifications(story: Story, { segments }: ShopStock, application: string): Promise<StoryAnswer> {
  const { call } = story
  const content = {
    title: 'The oolong is here, {{ contact.FirstName }}',
    body: 'First pickings of the autumn, from today.',
    buttons: [{ title: 'See it', redirection: { type: 'route', value: 'harvest' } }],
  }
  const scheduler = { type: 'cron', minute: '0', hour: '18', dayOfWeek: 'FRI', timeZone: { id: 'Europe/Paris' } }
  const body = {
    type: 'push-app',
    name: 'Autumn oolong',
    settings: {
      application,
      purpose: { type: 'marketing' },
      expiration: { type: 'period', value: { unit: 'HOUR', value: 12 } },
    },
    task: { name: 'Every Friday evening', segments: { selected: [segments.readers] }, scheduler },
    versions: [
      { name: 'Everybody', master: true, content, redirection: { type: 'route', value: 'harvest' } },
      {
        name: 'Regulars',
        condition: 'contact.Orders > 4',
        content: {
          title: 'Yours first, {{ contact.FirstName }}',
          body: 'The oolong is here, a day before all others.',
        },
      },
    ],
  }
  return call('createNotification', { body })
}

async function renderAndSend(story: Story, { shop, segments, designs }: ShopStock, made: StoryAnswer): Promise<void> {
  const { call, settle } = story
  const { id, versions } = made
  const path = { id, version: versions[1].id }
  const recipient = { type: 'contact', value: { type: 'unicity', value: ['maya@mailbox.example'] } }
  const query = { unicity: 'maya@mailbox.example' }
  const contact = shop.contacts['Maya']!
  await call('listNotifications', { query: { sort: '-name', limit: 2 } })
  await call('getNotification', { path: { id } })
  await call('updateNotification', { path: { id }, body: { description: 'The harvest, for owners of the app.' } })
  await call('renderNotification', { path: { id }, body: { recipient } })
  await call('renderNotificationForContact', { path: { id, contact } })
  await call('renderNotificationForContactByQuery', { path: { id }, query })
  await call('renderNotificationVersion', { path, body: { recipient } })
  await call('renderNotificationVersionForContact', { path: { ...path, contact } })
  await call('renderNotificationVersionForContactByQuery', { path, query })
  await call('previewNotificationAudience', { path: { id }, body: { segments: { selected: [segments.readers] } } })
  await call('activateNotification', { path: { id } })
  const { task } = await call('getNotification', { path: { id }, shown: false })
  story.calendar.pinTime(task.scheduler.nextRun, '2026-09-11T16:00:00Z')
  await call('testNotification', { path: { id }, body: { recipient } })
  await call('testNotificationVersion', { path, body: { recipient } })
  const message = { title: 'Your parcel is ready', body: 'Come by until 7 pm.', image: designs.picture, urgent: true }
  await call('executeNotification', { path: { id }, body: { recipient, ...message } })
  const to = (name: string) => ({ type: 'contact', value: { type: 'unicity', value: [`${name}@mailbox.example`] } })
  await call('executeNotificationBatch', { path: { id }, body: [{ recipient: to('lucy') }, { recipient: to('tom') }] })
  await settle()
  story.service.peers.push.peers.firebase.plan.push(REFUSAL)
  await call('executeNotification', { path: { id }, body: { recipient: to('priya') }, shown: false })
  await settle()
}

/** Maya opens the notification, and Lucy wants no more of them. */
async function reactToPushes({ follow, service, settle }: Story): Promise<void> {
  const { apns, firebase } = service.peers.push.peers
  const report = async ({ tracking }: ReceivedPush, kind: PushReportKind): Promise<void> => {
    const { radical, optout, ...tokens } = tracking
    const all: Record<string, string> = { ...tokens, 'optout.global': optout.global, 'optout.channel': optout.channel }
    await follow('reportPushHit', new URL(radical + all[kind]).pathname, {
      headers: { 'user-agent': 'HarbourTea/4.2' },
    })
  }
  const maya = receivedBy(apns).at(-1)!
  await report(maya, 'impression')
  await report(maya, 'redirection')
  const lucy = receivedBy(firebase).find(({ meta }) => meta.subscription === DEVICES.lucy)!
  await report(lucy, 'impression')
  await report(lucy, 'optout.global')
  await settle()
}

export async function tellOfNotifications(story: Story, stock: ShopStock): Promise<ShopNotifications> {
  const { call } = story
  const application = await createApplications(story)
  await registerDevices(story, stock, application)
  const notification = await createNotifications(story, stock, application)
  await renderAndSend(story, stock, notification)
  await reactToPushes(story)
  const copy = await call('duplicateNotification', { path: { id: notification.id } })
  await call('activateNotification', { path: { id: copy.id }, shown: false })
  await call('deactivateNotification', { path: { id: copy.id } })
  await call('deleteNotification', { path: { id: copy.id } })
  await call('listTargetNotifications', { path: { id: stock.shop.contacts['Maya']! } })
  return { application, notification: notification.id }
}

/** Histories of notifications, their report, and the devices at the end. */
export async function readNotificationHistory({ call }: Story, { notification }: ShopNotifications): Promise<void> {
  const headers = { accept: 'application/json' }
  const path = { id: notification }
  for (const kind of ['Hit', 'Activation', 'Execution', 'Cancellation', 'Bounce', 'OptOut']) {
    await call(`listAllNotification${kind}Events`, { headers })
    await call(`listNotification${kind}Events`, { path, headers })
  }
  await call('listNotificationEvents', { path, headers })
  await call('listNotificationImpressionEvents', { path, headers })
  for (const kind of ['', 'Impression', 'Hit', 'OptOut', 'Bounce']) {
    await call(`listAllNotification${kind}Reactivities`, { headers })
    await call(`listNotification${kind}Reactivities`, { path, headers })
  }
  await call('getNotificationReport', { path })
  await call('listNotificationReportContacts', { path, query: { of: 'sent', limit: 2 } })
}

/** Deletes devices of customers who removed the app. */
export async function clearDevices({ call }: Story, { shop }: ShopStock): Promise<void> {
  await call('deleteSubscription', { path: { id: DEVICES.guest } })
  await call('deleteTargetSubscriptions', { path: { id: shop.contacts['Maya']! } })
  await call('deleteTargetSubscriptionsByQuery', { query: { unicity: 'lucy@mailbox.example' } })
}
