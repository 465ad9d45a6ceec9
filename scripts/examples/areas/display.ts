import { setTimeout as delay } from 'node:timers/promises'
import type { Story } from '../story.ts'
import type { ShopContacts } from './contacts.ts'
import { HUMAN_PAUSE_MS } from './reactions.ts'

const SHOP_SITE = 'https://shop.harbourtea.example'
const [CAMPAIGN, PLACEMENT, CONTENT] = ['autumn-2026', 'home-top', 'teapot-banner']
const VISITOR = {
  'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15.6; rv:140.0) Gecko/20100101 Firefox/140.0',
}

async function createDisplay({ call, calendar }: Story): Promise<void> {
  const [startDate, endDate] = [calendar.timeAhead('2026-09-06T22:00:00Z'), calendar.timeAhead('2026-10-31T00:00:00Z')]
  const campaign = { id: CAMPAIGN, name: 'Autumn harvest', description: 'Banners on our pages', active: true }
  await call('createDisplayCampaign', { body: { ...campaign, startDate, endDate } })
  const placement = { id: PLACEMENT, name: 'Top of the home page', site: SHOP_SITE, width: 728, height: 90 }
  await call('createDisplayPlacement', { body: { ...placement, active: true } })
  const content = { id: CONTENT, name: 'Teapot', campaign: CAMPAIGN, url: `${SHOP_SITE}/autumn`, active: true }
  await call('createDisplayContent', { body: { ...content, placements: [PLACEMENT] } })
  await call('listDisplayPlacements')
  await call('listDisplayContents')
  await call('getDisplayCampaign', { path: { id: CAMPAIGN } })
  await call('getDisplayPlacement', { path: { id: PLACEMENT } })
  await call('getDisplayContent', { path: { id: CONTENT } })
  await call('updateDisplayCampaign', { path: { id: CAMPAIGN }, body: { name: 'Autumn harvest 2026' } })
  await call('updateDisplayPlacement', { path: { id: PLACEMENT }, body: { description: 'Above the fold' } })
  await call('updateDisplayContent', { path: { id: CONTENT }, body: { name: 'Teapot and cups' } })
  const type = 'application/merge-patch+json'
  await call('patchDisplayCampaign', {
    path: { id: CAMPAIGN },
    body: { description: 'Banners on our own pages' },
    type,
  })
  await call('patchDisplayPlacement', { path: { id: PLACEMENT }, body: { height: 120 }, type })
  await call('patchDisplayContent', {
    path: { id: CONTENT },
    body: [{ op: 'replace', path: '/url', value: `${SHOP_SITE}/autumn-harvest` }],
    type: 'application/json-patch+json',
  })
}

/** Maya sees the banner, and follows it. */
async function visit({ call, follow, settle }: Story, contact: string): Promise<void> {
  const query = { placement: PLACEMENT, contact }
  const { impression, click } = await call('getDisplayContentTags', { path: { id: CONTENT }, query })
  const toPath = (url: string): string => new URL(url).pathname
  await follow('getDisplayPicture', `${toPath(impression)}?r=4f1c9a`, { headers: VISITOR })
  await delay(HUMAN_PAUSE_MS)
  await follow('followDisplayLink', `${toPath(click)}?r=4f1c9a`, { headers: VISITOR })
  await settle()
}

export async function tellOfDisplay(story: Story, { contacts }: ShopContacts): Promise<void> {
  const { call } = story
  await createDisplay(story)
  await visit(story, contacts['Maya']!)
  const headers = { accept: 'application/json' }
  const lists = { Campaign: CAMPAIGN, Placement: PLACEMENT, Content: CONTENT }
  for (const kind of ['Activation', 'RedirectionHit']) {
    await call(`listAllDisplay${kind}Events`, { headers })
    for (const [name, id] of Object.entries(lists))
      await call(`listDisplay${name}${kind}Events`, { path: { id }, headers })
  }
  await call('getDisplayCampaignReport', { path: { id: CAMPAIGN } })
  await call('listDisplayCampaigns', { query: { report: true } })
}

/** Deletes what was made for the spring. */
export async function clearDisplay({ call }: Story): Promise<void> {
  const [campaign, placement, content] = ['spring-2026', 'footer', 'spring-banner']
  await call('createDisplayCampaign', { body: { id: campaign, name: 'Spring harvest' }, shown: false })
  await call('createDisplayPlacement', { body: { id: placement, name: 'Footer' }, shown: false })
  const body = { id: content, name: 'Spring', campaign, url: `${SHOP_SITE}/spring` }
  await call('createDisplayContent', { body, shown: false })
  await call('deleteDisplayContent', { path: { id: content } })
  await call('deleteDisplayPlacement', { path: { id: placement } })
  await call('deleteDisplayCampaign', { path: { id: campaign } })
}
