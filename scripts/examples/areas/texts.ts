import { PUBLIC_URL } from '../service.ts'
import type { Story } from '../story.ts'
import type { ShopStock } from './emails.ts'

export interface ShopTexts {
  parcel: string
  tasting: string
}

const PARCEL_TEXT =
  'Hello {{ contact.FirstName }}, your parcel {{ data.parcel }} is ready: {{ "https://shop.harbourtea.example/parcels" | tracked }}'

/** The number that the provider gave to the last text to a phone. */
function findReference({ service }: Story, phone: string): string {
  const index = service.peers.sms.requests.findLastIndex(({ body }) => body.includes(phone))
  return `text-${index + 1}`
}

async function validateText({ call, settle }: Story, id: string): Promise<void> {
  const body = { fortest: true, mediaForTest: '+33639980010' }
  await call('validateAction', { path: { id }, body, shown: false })
  await settle()
  await call('validateAction', { path: { id }, body: { fortest: false }, shown: false })
}

async function announceParcel(story: Story): Promise<string> {
  const { call, settle, service, follow } = story
  const action = {
    type: 'smsMessage',
    name: 'Parcel ready',
    settings: { purpose: { type: 'service' } },
    content: { textContent: PARCEL_TEXT },
  }
  const { id } = await call('createAction', { body: action, shown: false })
  await validateText(story, id)
  const body = { recipient: { type: 'unicity', value: ['maya@mailbox.example'] }, data: { parcel: 'P-77' } }
  await call('executeAction', { path: { id }, body, shown: false })
  await settle()
  const { body: text = '' } = service.peers.sms.requests.at(-1) ?? {}
  const link = text.slice(text.indexOf(PUBLIC_URL)).split('"', 1)[0]!
  await follow('followShortLink', new URL(link).pathname)
  return id
}

async function inviteToTasting(story: Story, { segments }: ShopStock): Promise<string> {
  const { call, settle } = story
  const action = {
    type: 'smsCampaign',
    name: 'Tasting on Saturday',
    settings: { purpose: { type: 'marketing' } },
    content: { textContent: '{{ contact.FirstName }}, taste the new oolong with us on Saturday at 4 pm.' },
    scheduler: { type: 'asap', segments: { selected: [segments.readers] } },
  }
  const { id } = await call('createAction', { body: action, shown: false })
  await validateText(story, id)
  await settle()
  return id
}

/** `callback`: the address that the provider of SMS calls. */
export async function tellOfTexts(story: Story, stock: ShopStock, callback: string): Promise<ShopTexts> {
  const { call, settle } = story
  const texts = { parcel: await announceParcel(story), tasting: await inviteToTasting(story, stock) }
  const token = callback.slice(callback.lastIndexOf('/') + 1)
  const report = { type: 'report', id: findReference(story, '+33639980001'), status: 'delivered', to: '+33639980001' }
  await call('receiveSmsCallback', { path: { token }, body: report, anonymous: true })
  const reply = { type: 'reply', id: 'reply-1', from: '+33639980002', to: '36111', text: 'Stop' }
  await call('receiveSmsCallback', { path: { token }, body: reply, anonymous: true, shown: false })
  const failed = { type: 'report', id: findReference(story, '+33639980006'), status: 'failed', error: 'invalid-number' }
  await call('receiveSmsCallbackByQuery', { path: { token }, query: failed, anonymous: true })
  await settle()
  return texts
}
