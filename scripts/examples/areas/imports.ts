import { setDropPlace } from '../../../src/features/imports/drop-places/drop-places.ts'
import type { Story } from '../story.ts'
import type { ShopContacts } from './contacts.ts'
import type { ShopSegments } from './segments.ts'

/** Rows from the till of the shop; the last one has no valid address. */
const TILL_FILE = `Email;First name;Orders
grace@mailbox.example;Grace;3
hugo@mailbox.example;Hugo;1
no-address;Ivy;2
`
const CSV_HEADERS = { 'content-disposition': 'attachment; filename="till.csv"' }

async function createFormats({ call }: Story, { fields }: ShopContacts): Promise<number> {
  const binds = [
    { columnIndex: 0, fieldId: fields['Email'] },
    { columnIndex: 1, fieldId: fields['FirstName'] },
    { columnIndex: 2, fieldId: fields['Orders'] },
  ]
  const body = { name: 'Export of the till', separator: 59, startAt: 1, encoding: 'utf-8', dateOrder: 'dmy', binds }
  const format = await call('createImportFormat', { body })
  const id = format.identifier.guid
  await call('listImportFormats')
  await call('getImportFormat', { path: { id } })
  await call('updateImportFormat', { path: { id }, body: { name: 'Export of the till, with orders' } })
  const other = await call('createImportFormat', { body: { name: 'Export of the old till', binds }, shown: false })
  await call('deleteImportFormat', { path: { id: other.identifier.guid } })
  return id
}

const chooseFeatures = ({ tasting }: ShopSegments) => [
  { type: 'segmentation', segmentId: tasting },
  { type: 'duplicate', rules: { last: true } },
  { type: 'database', updateExisting: true, crushData: false },
]

async function createTillImport({ call, calendar }: Story, binding: number, segments: ShopSegments): Promise<number> {
  const [start, end] = [calendar.timeAhead('2026-09-14T00:00:00Z'), calendar.timeAhead('2027-09-14T00:00:00Z')]
  const scheduler = {
    type: 'periodic',
    name: 'Every Monday morning',
    enabled: true,
    timeZone: 'Europe/Paris',
    frequency: {
      occurs: { type: 'weekly', days: ['Mon'] },
      periodicity: { type: 'once', value: { hour: 6, minute: 30, second: 0 } },
    },
    validity: { start, end },
  }
  const body = { name: 'Customers from the till', binding, features: chooseFeatures(segments), scheduler }
  const createdImport = await call('createImport', { body })
  calendar.pinTime(createdImport.scheduler.nextDate, '2026-09-14T04:30:00Z')
  return createdImport.id
}

export async function tellOfImports(story: Story, shop: ShopContacts, segments: ShopSegments): Promise<void> {
  const { call, settle, service } = story
  const binding = await createFormats(story, shop)
  await call('previewImportFile', { body: TILL_FILE, type: 'text/csv', headers: CSV_HEADERS })
  const id = await createTillImport(story, binding, segments)
  await call('listImports')
  await call('getImport', { path: { id } })
  await call('uploadImportSource', { path: { id }, body: TILL_FILE, type: 'text/csv', headers: CSV_HEADERS })
  await call('previewImportSource', { path: { id } })
  const execution = await call('executeImport', {
    path: { id },
    body: TILL_FILE,
    type: 'application/octet-stream',
    headers: { ...CSV_HEADERS, accept: 'application/json' },
  })
  await settle()
  await call('getImportExecutions', { path: { id }, headers: { accept: 'application/json' } })
  const path = { id, execution: execution.id }
  await call('getImportExecution', { path, headers: { accept: 'application/json' } })
  await call('listImportExecutionRejects', { path })
  await call('updateImport', { path: { id }, body: { name: 'Customers from the till, every week' } })
  const other = await call('createImport', { body: { name: 'Guests of the tasting' }, shown: false })
  const guests = 'Email\njoan@mailbox.example\n'
  await call('uploadImportSource', { path: { id: other.id }, body: guests, type: 'text/csv', shown: false })
  const second = await call('executeImport', { path: { id: other.id }, shown: false })
  await call('cancelImportExecution', { path: { id: other.id, execution: second.id } })
  await settle()
  await call('deleteImport', { path: { id: other.id } })
  const { db, masterKeys } = service.context
  await setDropPlace(db, masterKeys, 1, { kind: 'directory', settings: { path: '/tmp' } })
  story.disguise('/tmp', '/srv/drops/harbourtea')
  await call('getDropPlace')
}
