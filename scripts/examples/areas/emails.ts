import type { Story } from '../story.ts'
import type { ShopContacts } from './contacts.ts'
import type { ShopDesigns } from './designs.ts'
import type { ShopTeam } from './people.ts'
import { followOrderLink, reactToLetter } from './reactions.ts'
import type { ShopSegments } from './segments.ts'

/** Objects that the shop's messages need. */
export interface ShopStock {
  shop: ShopContacts
  segments: ShopSegments
  designs: ShopDesigns
  team: ShopTeam
}

export interface ShopEmails {
  /** The message that confirms an order. */
  confirmation: string
  /** The campaign of the season, which was sent. */
  letter: string
  /** The campaign that compares two subjects. */
  comparison: string
  form: string
  /** The stamp of an order confirmation. */
  stamp: string
}

const SHOP_SITE = 'https://shop.harbourtea.example'

export const ORDER = {
  number: 'HT-10482',
  total: 36.5,
  items: [
    { name: 'Autumn oolong, 100 g', quantity: 2, price: 14 },
    { name: 'Glass cup', quantity: 1, price: 8.5 },
  ],
}

const CONFIRMATION_HTML = `<html><body>
<h1>Thank you, {{ contact.FirstName }}</h1>
<p>We have your order {{ data.order.number }}:</p>
<ul>{% for item in data.order.items %}<li>{{ item.quantity }} × {{ item.name }}</li>{% endfor %}</ul>
<p><a href="${SHOP_SITE}/orders/{{ data.order.number }}" dataminingname="order">See your order</a></p>
</body></html>`

const letterHtml = (picture: string, form: string): string => `<html><body>
<p><a href="MirrorPage" linktype="System">Read online</a></p>
<img src="${picture}" alt="A teapot on a wooden table" width="560">
<h1>Hello {{ contact.FirstName }}</h1>
<p>The first oolong of the autumn has arrived.</p>
<p><a href="${SHOP_SITE}/autumn" dataminingname="harvest">See the harvest</a></p>
<p><a href="${form}" linktype="Form">Tell us your favourite tea</a></p>
<p><a href="Unsubscribe" linktype="System">Unsubscribe</a></p>
</body></html>`

async function createForms({ call }: Story, { shop, segments }: ShopStock): Promise<string> {
  const { fields } = shop
  const body = {
    name: 'Favourite tea',
    title: { en: 'What do you like to drink?' },
    introduction: { en: 'Two questions, so that we write only about what you like.' },
    submitLabel: { en: 'Send' },
    successMessage: { en: 'Thank you! Your next letter will suit you better.' },
    fields: [
      { field: fields['FavouriteTea'], label: { en: 'Your favourite tea' }, required: true, prefill: true },
      { field: fields['City'], label: { en: 'Your city' }, prefill: true },
    ],
    segment: segments.tasting,
  }
  const { id } = await call('createForm', { body })
  await call('listForms')
  await call('getForm', { path: { id } })
  await call('updateForm', { path: { id }, body: { submitLabel: { en: 'Send my answers' } } })
  const other = await call('createForm', { body: { ...body, name: 'Favourite cake' }, shown: false })
  await call('deleteForm', { path: { id: other.id } })
  return id
}

/** Tests an action on the address of the shop, and validates it. */
export async function validate({ call, settle }: Story, id: string, shown = false): Promise<void> {
  const body = { fortest: true, mediaForTest: 'nora@harbourtea.example', comments: 'Ready for Monday' }
  await call('validateAction', { path: { id }, body, shown })
  await settle()
  await call('validateAction', { path: { id }, body: { fortest: false }, shown: false })
}

async function confirmOrders(story: Story, { shop, designs }: ShopStock): Promise<{ id: string; stamp: string }> {
  const { call, settle } = story
  const body = {
    type: 'mailMessage',
    name: 'Order confirmation',
    settings: { purpose: { type: 'service' }, archive: true },
    content: { subject: 'Your order {{ data.order.number }}', html: '<p>Thank you</p>' },
  }
  const { id } = await call('createAction', { body, shown: false })
  const content = { subject: 'Your order {{ data.order.number }}', html: CONFIRMATION_HTML }
  await call('updateAction', {
    path: { id },
    body: { name: 'Order confirmation', informations: { category: designs.category }, content },
  })
  const recipient = { type: 'unicity', value: ['maya@mailbox.example'] }
  await call('renderAction', { path: { id }, body: { recipient, data: { order: ORDER } } })
  await validate(story, id)
  const sent = await call('executeAction', { path: { id }, body: { recipient, data: { order: ORDER } } })
  const batch = ['tom@mailbox.example', 'lucy@mailbox.example'].map((address, index) => ({
    recipient: { type: 'unicity', value: [address] },
    data: { order: { ...ORDER, number: `HT-1048${index + 3}` } },
  }))
  await call('executeActionBatch', { path: { id }, body: batch })
  await call('listSendingQueues')
  await call('renderActionBatch', { path: { id }, body: batch })
  const links = [
    { type: 'redirection', destination: { url: `${SHOP_SITE}/orders/HT-10482` } },
    { type: 'system', destination: { type: 'mirror' } },
  ]
  await call('renderActionLinks', {
    path: { id },
    body: { receiver: recipient, stamp: { id: sent.id }, data: { order: ORDER }, links },
  })
  const header = { subject: 'Your order HT-10485', replyTo: 'orders@harbourtea.example' }
  await call('sendActionToTarget', {
    path: { id, targetId: shop.contacts['Priya']! },
    body: { data: { order: { ...ORDER, number: 'HT-10485' } }, header },
    headers: { accept: 'application/vnd.mperf.v8.message.id' },
  })
  await settle()
  await followOrderLink(story)
  return { id, stamp: sent.id }
}

async function sendLetter(story: Story, { shop, segments, designs }: ShopStock, form: string): Promise<string> {
  const { call, settle } = story
  const body = {
    type: 'mailCampaign',
    name: 'Autumn harvest letter',
    description: 'The first letter of the season, to everybody who reads the newsletter.',
    informations: { category: designs.category },
    settings: { purpose: { type: 'marketing' }, consent: 0, contentFormat: 2, archive: true, webAnalyser: 3 },
    content: {
      headers: { from: { prefix: 'hello', label: 'Harbour Tea' }, reply: 'hello@harbourtea.example' },
      subject: '{{ contact.FirstName }}, the autumn harvest is here',
      html: letterHtml(designs.picture, form),
    },
    scheduler: { type: 'asap', segments: { selected: [segments.readers], excluded: [segments.team] } },
  }
  const { id } = await call('createAction', { body })
  await call('previewActionAudience', { path: { id }, body: { segments: { selected: [segments.readers] } } })
  const test = { fortest: true, testSegments: [segments.team], campaignAnalyser: true, comments: 'Ready for Monday' }
  await call('validateAction', { path: { id }, body: test })
  await settle()
  await call('validateAction', { path: { id }, body: { fortest: false }, shown: false })
  await call('listFormLinks', { path: { id: form } })
  const suppressed = { path: { id: shop.contacts['Sam']! }, body: { detail: { reason: 'Asked at the till' } } }
  await call('addTargetToMailRedList', { ...suppressed, shown: false })
  await settle()
  await call('getAction', { path: { id } })
  await reactToLetter(story, shop)
  return id
}

async function compareSubjects(story: Story, { segments }: ShopStock): Promise<string> {
  const { call, settle } = story
  const versions = [
    { id: 'plain', share: 30 },
    { id: 'question', share: 30, subject: 'Which tea goes with rain?' },
  ]
  const experiment = { versions, metric: 'clicks', decideAfter: { unit: 'HOUR', value: 4 }, minimum: 10, decide: 'ask' }
  const body = {
    type: 'mailCampaign',
    name: 'Teas for rainy days',
    settings: { experiment },
    content: {
      subject: 'Four teas for rainy days',
      html: `<html><body><a href="${SHOP_SITE}/rain">See them</a> <a href="Unsubscribe">Unsubscribe</a></body></html>`,
    },
    scheduler: { type: 'asap', segments: { selected: [segments.readers] } },
  }
  const { id } = await call('createAction', { body, shown: false })
  await validate(story, id)
  await settle()
  await call('pauseAction', { path: { id } })
  await call('resumeAction', { path: { id } })
  await call('getActionExperiment', { path: { id } })
  await call('decideActionExperiment', { path: { id }, body: { version: 'question' } })
  await settle()
  return id
}

/** Leo writes an invitation, and Nora approves it. */
async function askForApproval(story: Story, { segments, team }: ShopStock): Promise<void> {
  const { call, settle, calendar } = story
  const startDate = calendar.timeAhead('2026-09-21T07:00:00Z')
  const body = {
    type: 'mailCampaign',
    name: 'Invitation to the tasting',
    content: { subject: 'An evening of oolong', html: '<p>Join us. <a href="Unsubscribe">Unsubscribe</a></p>' },
    scheduler: { type: 'scheduled', startDate, segments: { selected: [segments.tasting] } },
  }
  const { id } = await call('createAction', { body, shown: false })
  const test = { fortest: true, mediaForTest: 'leo@harbourtea.example' }
  await call('validateAction', { path: { id }, body: test, shown: false })
  await settle()
  const ask = { body: { type: 'action', id, comment: 'For 21 September' }, browser: team.colleague }
  const { id: approval } = await call('createApproval', ask)
  await call('listApprovals', { query: { state: 'waiting' }, browser: team.owner })
  await call('getApproval', { path: { id: approval }, browser: team.owner })
  const decision = { decision: 'approve', comment: 'Lovely, go ahead' }
  await call('decideApproval', { path: { id: approval }, body: decision, browser: team.owner })
  await call('unvalidateAction', { path: { id } })
  await call('validateAction', { path: { id }, body: test, shown: false })
  await settle()
  const again = await call('createApproval', { ...ask, shown: false })
  await call('withdrawApproval', { path: { id: again.id }, browser: team.colleague })
  const copy = await call('duplicateAction', { path: { id } })
  await call('deleteAction', { path: { id: copy.id } })
}

/** A message that the mail provider may have, or not: the connection broke before the answer. */
async function decideOnHeld({ call, settle, service }: Story, confirmation: string): Promise<void> {
  const name = 'ada@mailbox.example'
  service.peers.broken.add(name)
  const body = { recipient: { type: 'unicity', value: [name] }, data: { order: ORDER } }
  await call('executeAction', { path: { id: confirmation }, body, shown: false })
  await settle()
  await call('listHeldMessages')
  await call('releaseHeldMessages', { body: { decision: 'send', action: confirmation } })
  await settle()
}

export async function tellOfEmails(story: Story, stock: ShopStock): Promise<ShopEmails> {
  const form = await createForms(story, stock)
  const { id: confirmation, stamp } = await confirmOrders(story, stock)
  await decideOnHeld(story, confirmation)
  const letter = await sendLetter(story, stock, form)
  const comparison = await compareSubjects(story, stock)
  await askForApproval(story, stock)
  await story.call('listActions', { query: { type: 'mailCampaign', report: true, sort: '-creationDate', limit: 2 } })
  return { confirmation, letter, comparison, form, stamp }
}
