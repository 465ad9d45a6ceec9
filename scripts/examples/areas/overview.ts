import type { Story } from '../story.ts'
import type { ShopEmails } from './emails.ts'
import type { ShopRcs } from './rcs.ts'
import type { ShopTexts } from './texts.ts'

/** The things that a campaign groups. */
export interface ShopItems {
  emails: ShopEmails
  texts: ShopTexts
  rcs: ShopRcs
}

/** Groups what belongs to the season. */
export async function tellOfCampaigns({ call, calendar }: Story, { emails, texts, rcs }: ShopItems): Promise<void> {
  const [startDate, endDate] = [calendar.timeAhead('2026-09-06T22:00:00Z'), calendar.timeAhead('2026-11-30T00:00:00Z')]
  const items = [
    { type: 'email', id: emails.letter },
    { type: 'sms', id: texts.tasting },
  ]
  const body = {
    name: 'Autumn 2026',
    description: 'The harvest, from first letter to tasting.',
    startDate,
    endDate,
    items,
  }
  const { id } = await call('createCampaign', { body })
  await call('addCampaignItems', { path: { id }, body: [{ type: 'rcs', id: rcs.campaign }] })
  await call('listCampaigns')
  await call('getCampaign', { path: { id } })
  await call('updateCampaign', { path: { id }, body: { name: 'Autumn harvest 2026' } })
  const headers = { accept: 'application/json' }
  await call('listCampaignEvents', { path: { id }, headers })
  const clicks = { type: 'email', items: [emails.letter], events: [{ type: 'hit', subtypes: ['redirection'] }] }
  await call('searchCampaignEvents', { path: { id }, body: { itemsEvents: [clicks] }, headers })
  await call('getCampaignResults', { path: { id } })
  await call('listCampaignResults')
  await call('removeCampaignItem', { path: { id, type: 'sms', item: texts.tasting } })
  const other = await call('createCampaign', { body: { name: 'Spring 2026' }, shown: false })
  await call('deleteCampaign', { path: { id: other.id } })
}

/** Overviews at the end of the day. */
export async function lookBack({ call, settle }: Story, maya: string): Promise<void> {
  await call('getLiveness', { anonymous: true })
  await call('getReadiness', { anonymous: true })
  await call('getMetrics')
  await call('getOverview')
  await call('getDeliverability')
  await call('listRequests', { query: { status: '2xx', limit: 2 } })
  await call('listAuditEntries', { query: { limit: 2 } })
  const changes = { type: 'unicity', value: [['maya@mailbox.example'], ['lucy@mailbox.example']] }
  const update = { ...changes, fields: { Newsletter: 'Yes' } }
  const job = await call('updateTargets', { body: update, headers: { prefer: 'respond-async' }, shown: false })
  await call('listJobs', { query: { limit: 2 } })
  await settle()
  await call('getJob', { path: { id: job.id } })
  await call('exportTarget', { path: { id: maya } })
  await call('createSamples')
  await call('getSamples')
  await call('deleteSamples')
}
