import { enqueueTask } from '../../../src/jobs/enqueue.ts'
import type { Story } from '../story.ts'
import type { ShopContacts } from './contacts.ts'

/** IDs of the segments that the story goes on with. */
export interface ShopSegments {
  /** Everybody who wants the newsletter. */
  readers: number
  /** Contacts with many orders. */
  regulars: number
  /** A static segment. */
  tasting: number
  /** The people of the shop, for tests. */
  team: number
}

async function createSegments({ call, calendar }: Story, { fields, contacts }: ShopContacts): Promise<ShopSegments> {
  const readers = {
    type: 'dynamic',
    name: 'Newsletter readers',
    criteria: { type: 'field', field: fields['Newsletter'], operator: 'equals', value: 'Yes' },
  }
  const { id: readersId } = await call('createSegment', { body: readers, shown: false })
  const regulars = {
    type: 'dynamic',
    name: 'Regulars who like oolong',
    description: 'At least five orders, and oolong as the favourite tea.',
    expiration: calendar.timeAhead('2027-09-01T00:00:00Z'),
    parentId: readersId,
    criteria: {
      all: [
        { type: 'field', field: fields['Orders'], operator: 'greaterOrEqual', value: 5 },
        { type: 'field', field: fields['FavouriteTea'], operator: 'in', value: ['Oolong'] },
      ],
    },
  }
  const { id: regularsId } = await call('createSegment', { body: regulars })
  const createStatic = async (body: object): Promise<number> =>
    (await call('createSegment', { body: { type: 'static', ...body }, shown: false })).id
  const tasting = await createStatic({ name: 'Autumn tasting guests' })
  const team = await createStatic({ name: 'Team', isTest: true })
  const { id: nora } = await call('createTarget', {
    body: { Email: 'nora@harbourtea.example', FirstName: 'Nora', Mobile: '+33639980010' },
    shown: false,
  })
  await call('addSegmentTargets', { path: { id: team }, body: [nora], shown: false })
  await call('addSegmentTargets', { path: { id: tasting }, body: [contacts['Maya'], 'omar@mailbox.example'] })
  return { readers: readersId, regulars: regularsId, tasting, team }
}

export async function tellOfSegments(story: Story, shop: ShopContacts): Promise<ShopSegments> {
  const { call, settle, service } = story
  const { fields, contacts } = shop
  const segments = await createSegments(story, shop)
  const { tasting, regulars, readers } = segments
  await call('previewSegment', {
    body: {
      criteria: {
        all: [
          { type: 'field', field: fields['City'], operator: 'in', value: ['Nantes', 'Vannes'] },
          { none: [{ type: 'redList', channel: 'mail' }] },
        ],
      },
    },
  })
  await enqueueTask(service.context.db, 'segments.growth', { account: 1 })
  await settle()
  await call('getSegment', { path: { id: readers }, shown: false })
  await call('listSegments')
  await call('getSegment', { path: { id: regulars } })
  await call('updateSegment', {
    path: { id: regulars },
    body: { name: 'Regulars who like oolong', description: 'At least five orders; invited to tastings first.' },
  })
  await call('listSegmentLinks', { path: { id: readers } })
  await call('listSegmentTargets', { path: { id: tasting } })
  await call('addSegmentTarget', { path: { id: tasting, target: contacts['Priya']! } })
  await call('addTargetToSegment', { path: { targetId: contacts['Ada']!, segmentId: tasting } })
  await call('removeTargetFromSegment', { path: { targetId: contacts['Ada']!, segmentId: tasting } })
  await call('listTargetSegments', { path: { id: contacts['Maya']! } })
  await call('normalizeSegment', { path: { id: readers }, body: { fields: { [fields['Mobile']!]: ['FRA', 'BEL'] } } })
  await call('getSegmentGrowth', { path: { id: readers } })
  await call('listFieldLinks', { path: { id: fields['FavouriteTea']! } })
  return segments
}

/** Deletes what nothing uses. */
export async function clearSegments({ call }: Story, { contacts }: ShopContacts): Promise<void> {
  const { id } = await call('createSegment', { body: { type: 'static', name: 'Spring tasting guests' }, shown: false })
  const guests = [contacts['Maya'], contacts['Tom']]
  await call('addSegmentTargets', { path: { id }, body: guests, shown: false })
  await call('removeSegmentTargets', { path: { id }, body: ['tom@mailbox.example'] })
  await call('deleteSegment', { path: { id } })
}
