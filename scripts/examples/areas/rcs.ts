import { rbmEvents, webhookRequest } from '../../../test/fakes/rcs/rbm-peer-webhook.ts'
import type { Story } from '../story.ts'
import type { ShopStock } from './emails.ts'

export interface ShopRcs {
  message: number
  campaign: number
  /** The stamp of a message to Maya. */
  stamp: string
}

const AGENT = 'harbour_tea_agent'
const CLIENT_TOKEN = 'words-between-google-and-us'
const MAYA = '+33639980001'
const SHOP_SITE = 'https://shop.harbourtea.example'

async function createProfiles({ call, service, hide }: Story): Promise<{ profile: number; webhook: string }> {
  const { url, account } = service.peers.rcs
  hide(url, null)
  hide(`${url}/token`, null)
  const body = {
    name: 'Harbour Tea',
    description: 'The agent that customers write with.',
    agent: AGENT,
    country: 'FRA',
    speed: 50,
    capability: { check: true, cacheHours: 24 },
    fallback: { type: 'sms', sender: 'HARBOURTEA' },
    provider: {
      type: 'google-rbm',
      region: 'europe',
      baseUrl: url,
      tokenUrl: `${url}/token`,
      credentials: account,
      clientToken: CLIENT_TOKEN,
    },
  }
  const { id } = await call('createRcsProfile', { body })
  await call('listRcsProfiles', { query: { active: true } })
  await call('getRcsProfile', { path: { id } })
  await call('updateRcsProfile', { path: { id }, body: { description: 'The agent for orders and news.', speed: 100 } })
  await call('getRcsProfileCapabilities', { path: { id }, query: { phone: MAYA } })
  const { webhook } = await call('renewRcsProfileToken', { path: { id } })
  const spare = { name: 'Harbour Tea wholesale', agent: 'harbour_tea_trade', provider: { type: 'capture' } }
  const other = await call('createRcsProfile', { body: spare, shown: false })
  await call('deleteRcsProfile', { path: { id: other.id } })
  return { profile: id, webhook: webhook.url }
}

const buildCard = (picture: string) => ({
  type: 'card',
  orientation: 'VERTICAL',
  card: {
    title: '{{ contact.FirstName }}, new teapots are here',
    description: 'Hand-thrown, in three sizes.',
    media: { height: 'MEDIUM', file: { url: picture, alt: 'A teapot on a wooden table' } },
    suggestions: [{ type: 'openUrl', text: 'See them', url: `${SHOP_SITE}/teapots`, postback: 'teapots' }],
  },
  suggestions: [{ type: 'reply', text: 'Not now', postback: 'later' }],
})

const FALLBACK = {
  type: 'sms',
  text: 'New teapots are here: shop.harbourtea.example/teapots STOP 36111',
  after: { unit: 'HOUR', value: 6 },
}

async function sendMessages(story: Story, { shop, segments, designs }: ShopStock, profile: number) {
  const { call, settle } = story
  const settings = { profile, field: shop.fields['Mobile'], trafficType: 'TRANSACTION', purpose: { type: 'service' } }
  const content = { type: 'text', text: 'Your order {{ data.order }} is on its way.' }
  const body = { type: 'rcsMessage', name: 'Order on its way', settings, content }
  const { id } = await call('createRcsAction', { body, shown: false })
  await call('updateRcsAction', {
    path: { id },
    body: {
      content: { ...content, suggestions: [{ type: 'openUrl', text: 'Track it', url: `${SHOP_SITE}/parcels` }] },
    },
  })
  const patch = { description: 'Sent when a parcel leaves the shop.' }
  await call('patchRcsAction', { path: { id }, body: patch, type: 'application/merge-patch+json' })
  const recipient = { type: 'unicity', value: ['maya@mailbox.example'] }
  const data = { order: 'HT-10482' }
  await call('renderRcsAction', { path: { id }, body: { recipient, data } })
  await call('renderRcsActionForContact', { path: { id, contact: shop.contacts['Maya']! } })
  await call('renderRcsActionForContactByQuery', { path: { id }, query: { unicity: 'maya@mailbox.example' } })
  const proof = { testSegments: [segments.team], mediaForTest: '+33639980010', data }
  await call('sendRcsActionProofs', { path: { id }, body: proof })
  await call('validateRcsAction', { path: { id }, body: { comments: 'Read by Leo' } })
  const sent = await call('executeRcsAction', { path: { id }, body: { recipient, data } })
  const batch = ['lucy', 'priya'].map((name, index) => ({
    recipient: { type: 'unicity', value: [`${name}@mailbox.example`] },
    data: { order: `HT-1048${index + 3}` },
  }))
  await call('executeRcsActionBatch', { path: { id }, body: batch })
  await settle()
  const copy = await call('duplicateRcsAction', { path: { id } })
  await call('validateRcsAction', { path: { id: copy.id }, shown: false })
  await call('unvalidateRcsAction', { path: { id: copy.id } })
  await call('deleteRcsAction', { path: { id: copy.id } })
  return { id, stamp: sent.id, picture: designs.picture }
}

async function sendCampaign(story: Story, { shop, segments, designs }: ShopStock, profile: number): Promise<number> {
  const { call, settle, service } = story
  service.peers.rcs.book.unreachable.add('+33639980004')
  const versions = [
    { id: 'card', share: 25 },
    { id: 'words', share: 25, content: { type: 'text', text: 'New teapots are here, in three sizes.' } },
  ]
  const experiment = { versions, metric: 'clicks', decideAfter: { unit: 'HOUR', value: 2 }, minimum: 10, decide: 'ask' }
  const body = {
    type: 'rcsCampaign',
    name: 'New teapots',
    settings: {
      profile,
      field: shop.fields['Mobile'],
      trafficType: 'PROMOTION',
      purpose: { type: 'marketing' },
      expiration: { type: 'period', value: { unit: 'DAY', value: 1 } },
      experiment,
    },
    content: buildCard(designs.picture),
    fallback: FALLBACK,
    scheduler: { type: 'asap', segments: { selected: [segments.readers] } },
  }
  const { id } = await call('createRcsAction', { body })
  await call('getRcsAction', { path: { id } })
  await call('previewRcsActionAudience', { path: { id }, body: { segments: { selected: [segments.readers] } } })
  await call('validateRcsAction', { path: { id }, shown: false })
  await settle()
  await call('pauseRcsAction', { path: { id } })
  await call('resumeRcsAction', { path: { id } })
  await call('getRcsActionExperiment', { path: { id } })
  await call('decideRcsActionExperiment', { path: { id }, body: { version: 'card' } })
  await settle()
  return id
}

/** Reports of phones: the messages arrive, Maya reads hers and taps, and Lucy writes back. */
async function reactToMessages({ call, service, settle }: Story, webhook: string): Promise<void> {
  const token = webhook.slice(webhook.lastIndexOf('/') + 1)
  const report = async (event: object, shown = false): Promise<void> => {
    const { body, headers } = webhookRequest(event, { clientToken: CLIENT_TOKEN })
    await call('receiveRcsCallback', { path: { token }, body: JSON.parse(body), headers, anonymous: true, shown })
  }
  const { taken } = service.peers.rcs.book
  for (const { phone, messageId } of taken) {
    const at = { agentId: AGENT, senderPhoneNumber: phone, messageId }
    await report(rbmEvents.user('DELIVERED', at), phone === MAYA)
    if (phone === MAYA) await report(rbmEvents.user('READ', at))
  }
  const suggestionResponse = { postbackData: 'later', text: 'Not now', type: 'REPLY' }
  const from = { agentId: AGENT, senderPhoneNumber: '+33639980003' }
  await report(rbmEvents.message({ suggestionResponse }, from))
  await settle()
}

export async function tellOfRcs(story: Story, stock: ShopStock): Promise<ShopRcs> {
  const { profile, webhook } = await createProfiles(story)
  const { id: message, stamp } = await sendMessages(story, stock, profile)
  const campaign = await sendCampaign(story, stock, profile)
  await reactToMessages(story, webhook)
  await story.call('listRcsActions', { query: { report: true, sort: '-creationDate', limit: 2 } })
  return { message, campaign, stamp }
}

const KINDS = ['', 'Execution', 'Activation', 'Cancellation', 'Bounce', 'Delivery', 'Interaction', 'ReadInteraction']
const REACTIONS = ['', 'Bounce', 'Delivery', 'Interaction', 'ReadInteraction']

/** The histories of RCS actions, and their report. */
export async function readRcsHistory({ call }: Story, { message, campaign, stamp }: ShopRcs): Promise<void> {
  const headers = { accept: 'application/json' }
  for (const kind of KINDS) {
    await call(`listAllRcsAction${kind}Events`, { headers })
    const id = kind === 'Execution' ? message : campaign
    await call(`listRcsAction${kind}Events`, { path: { id }, headers })
  }
  for (const kind of REACTIONS) {
    await call(`listAllRcsAction${kind}Reactivities`, { headers })
    await call(`listRcsAction${kind}Reactivities`, { path: { id: campaign }, headers })
  }
  await call('listRcsStampEvents', { query: { id: stamp }, headers })
  await call('lookUpRcsEvents', { query: { phone: MAYA, agent: AGENT }, headers })
  await call('getRcsActionReport', { path: { id: campaign } })
  await call('listRcsActionReportContacts', { path: { id: campaign }, query: { of: 'bounces', limit: 2 } })
}
