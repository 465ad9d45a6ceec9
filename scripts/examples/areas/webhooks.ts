import type { Story } from '../story.ts'
import type { ShopContacts } from './contacts.ts'

/** A status that says that nobody receives at an address any more. */
const GONE = 410

export async function tellOfWebhooks(story: Story, { contacts }: ShopContacts): Promise<void> {
  const { call, settle, service, disguise } = story
  const { webhook: receiver } = service.peers
  disguise(receiver.url, 'https://shop.harbourtea.example/stentor-events')
  const body = {
    name: 'Shop database',
    url: receiver.url,
    events: ['hits/unsubscribe', 'bounces', 'complaints', 'target.updated'],
    channels: ['email', 'sms'],
    classification: ['human'],
    batch: { size: 100, waitMs: 0 },
  }
  const { id } = await call('createWebhook', { body })
  const moveTo = async (City: string): Promise<void> => {
    await call('updateTarget', { path: { id: contacts['Ada']! }, body: { City }, shown: false })
    await settle()
  }
  await call('testWebhook', { path: { id } })
  await moveTo('Quimper')
  await call('listWebhooks')
  await call('getWebhook', { path: { id } })
  await call('listWebhookDeliveries', { path: { id }, query: { limit: 2 } })
  await call('renewWebhookSecret', { path: { id } })
  await call('updateWebhook', { path: { id }, body: { name: 'Shop database, by hour' } })
  await call('patchWebhook', {
    path: { id },
    body: [{ op: 'add', path: '/events/-', value: 'target.created' }],
    type: 'application/json-patch+json',
  })
  receiver.answer(GONE)
  await moveTo('Vannes')
  await moveTo('Quimper')
  const letters = await call('listWebhookDeadLetters', { path: { id } })
  receiver.answer(204)
  await call('replayWebhookDeadLetters', { path: { id }, body: { ids: [letters[0].id] } })
  await settle()
  await call('deleteWebhookDeadLetters', { path: { id }, body: { ids: [letters.at(-1).id] } })
  const other = await call('createWebhook', { body: { ...body, name: 'Till' }, shown: false })
  await call('deleteWebhook', { path: { id: other.id } })
}
