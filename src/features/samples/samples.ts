import { sql } from 'kysely'
import { actionFamilies } from '../../channels/action-families.ts'
import { emailChannelTraits } from '../../channels/email/traits.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { conflictProblem, Problem } from '../../lib/errors/problem.ts'
import { formatActionId, formatContactId, parseActionId } from '../../lib/ids.ts'
import { mailSmsActionFormat } from '../actions/resource/action-formats.ts'
import { lockAction } from '../actions/resource/action-repository.ts'
import { createAction, deleteAction } from '../actions/resource/actions.ts'
import { deleteContactBatch, type SelectionWriteContext } from '../contacts/bulk/selections.ts'
import { createField, deleteField, lockField } from '../contacts/fields/fields.ts'
import { blockContactWrites } from '../contacts/fields/write-lock.ts'
import { buildNewContact } from '../contacts/records/contact-writes.ts'
import { upsertContacts } from '../contacts/records/upsert.ts'
import { runContactWrite } from '../contacts/records/write.ts'
import type { ContactShape } from '../contacts/values/contact-shape.ts'
import { addContactsToSegment } from '../segments/members/members.ts'
import { createSegment, deleteSegment } from '../segments/segments.ts'
import { buildSampleAction, buildSampleContacts, sampleFieldNames } from './sample-data.ts'
import type { SampleDataResource } from './sample-schemas.ts'

type SampleType = 'field' | 'contact' | 'segment' | 'action'
type StoredSampleIds = Readonly<Record<SampleType, readonly number[]>>

/** Two requests at once make no second samples. */
async function lockSamples(tx: Db, account: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('samples'), ${account})`.execute(tx)
}

async function loadSamples(db: Db, account: AccountId): Promise<(StoredSampleIds & { createdAt: Date }) | undefined> {
  const rows = await db
    .selectFrom('samples')
    .select(['type', 'object', 'created_at'])
    .where('account', '=', account)
    .orderBy('object')
    .execute()
  const idsOfType = (sampleType: SampleType): number[] =>
    rows.filter(({ type }) => type === sampleType).map(({ object }) => object)
  const [firstRow] = rows
  if (!firstRow) return undefined
  const sampleIds = {
    field: idsOfType('field'),
    contact: idsOfType('contact'),
    segment: idsOfType('segment'),
    action: idsOfType('action'),
  }
  return { ...sampleIds, createdAt: firstRow.created_at }
}

function samplesNotFoundProblem(): Problem {
  return new Problem(404, 'not-found', 'The account has no sample data.')
}

/** Reads the sample data of an account. Throws notFound if it has none. */
export async function readSampleData(db: Db, account: AccountId): Promise<SampleDataResource> {
  const sampleIds = await loadSamples(db, account)
  if (!sampleIds) throw samplesNotFoundProblem()
  return {
    creationDate: sampleIds.createdAt.toISOString(),
    contacts: sampleIds.contact.map(formatContactId),
    fields: [...sampleIds.field],
    segments: [...sampleIds.segment],
    actions: sampleIds.action.map(formatActionId),
  }
}

/** The one field that is the key of contacts: an address. Throws conflict `samples-unfit` where it is another key. */
function requireAddressField({ unicity }: ContactShape): number {
  const [onlyField, ...otherFields] = unicity
  if (onlyField?.type !== emailChannelTraits.addressType || otherFields.length > 0)
    throw conflictProblem(
      'samples-unfit',
      'Sample contacts require an account whose only unicity field is an email field.',
    )
  return onlyField.id
}

async function createSampleFields(tx: Db, account: AccountId) {
  const firstname = (await createField(tx, account, sampleFieldNames.firstname)).id
  const cityField = (await createField(tx, account, sampleFieldNames.city)).id
  const ordersField = (await createField(tx, account, sampleFieldNames.orders)).id
  return { firstname, city: cityField, orders: ordersField }
}

type SampleFieldIds = Awaited<ReturnType<typeof createSampleFields>>

/** Makes the contacts that are not there yet: one that somebody else made is left alone, and is no sample. */
function createSampleContacts(
  tx: Db,
  account: AccountId,
  ids: SampleFieldIds,
  writing: SelectionWriteContext,
): Promise<number[]> {
  return runContactWrite(tx, account, async (within, shape) => {
    const contactMaps = buildSampleContacts(requireAddressField(shape), ids)
    const request = { ...writing, view: { fields: undefined, bare: false } }
    const contactWrites = contactMaps.map((map) => ({ ...buildNewContact(shape, map, request), isNew: true }))
    const writtenContacts = await upsertContacts(within, shape, contactWrites, writing)
    return [...writtenContacts.values()].filter(({ outcome }) => outcome === 'created').map(({ id }) => id)
  })
}

async function createSampleSegments(
  tx: Db,
  account: AccountId,
  { contacts, city }: Pick<SampleFieldIds, 'city'> & { contacts: readonly number[] },
  now: number,
): Promise<number[]> {
  const addMembers = (segment: number, members: readonly number[]) =>
    addContactsToSegment(tx, account, segment, { names: members.map(formatContactId), onlyUnicity: false })
  const allSegment = await createSegment(tx, account, { type: 'static', name: 'Sample contacts' }, now)
  await addMembers(allSegment.id, contacts)
  const testSegment = await createSegment(tx, account, { type: 'static', name: 'Sample test', isTest: true }, now)
  await addMembers(testSegment.id, contacts.slice(0, 2))
  const criteria = { all: [{ type: 'field', field: city, operator: 'equals', value: 'Lyon' }] }
  const dynamicSegment = await createSegment(tx, account, { type: 'dynamic', name: 'Sample: in Lyon', criteria }, now)
  return [allSegment.id, testSegment.id, dynamicSegment.id]
}

/**
 * Gives an account sample data: fields, contacts, segments and a campaign. Throws conflict `samples-present`,
 * `samples-unfit`, `name-taken`; then nothing is made.
 */
export function createSampleData(
  db: Db,
  account: AccountId,
  writing: SelectionWriteContext,
): Promise<SampleDataResource> {
  const now = writing.clock.now()
  return inTransaction(db, async (tx) => {
    await lockSamples(tx, account)
    if (await loadSamples(tx, account))
      throw conflictProblem('samples-present', 'The account already has sample data. Delete it first.')
    const fieldIds = await createSampleFields(tx, account)
    const contact = await createSampleContacts(tx, account, fieldIds, writing)
    const segmentIds = await createSampleSegments(tx, account, { contacts: contact, city: fieldIds.city }, now)
    const body = buildSampleAction(segmentIds[0] ?? 0)
    const action = await createAction(tx, mailSmsActionFormat, { account, body }, new Date(now))
    const sampleIds: StoredSampleIds = {
      field: Object.values(fieldIds),
      contact,
      segment: segmentIds,
      action: [parseActionId(action.id) ?? 0],
    }
    const types = Object.keys(sampleIds) as (keyof StoredSampleIds)[]
    const rows = types.flatMap((type) => sampleIds[type].map((object) => ({ type, object })))
    await tx
      .insertInto('samples')
      .values(rows.map((row) => ({ ...row, account, created_at: new Date(now) })))
      .execute()
    return readSampleData(tx, account)
  })
}

/** Deletes something that somebody may have deleted before. */
async function ignoreNotFound(deletion: Promise<unknown>): Promise<void> {
  await deletion.catch((error) => {
    if (!(error instanceof Problem) || (error.status !== 404 && error.status !== 410)) throw error
  })
}

async function deleteSampleAction(tx: Db, account: AccountId, id: number, now: Date): Promise<void> {
  const { action: family } = actionFamilies
  await deleteAction(tx, family, await lockAction(tx, { family, account, id }), now)
}

async function deleteSampleField(tx: Db, account: AccountId, id: number): Promise<void> {
  await deleteField(tx, { account, id, stored: await lockField(tx, account, id) })
}

/**
 * Takes the sample data of an account away, with what is kept of its contacts elsewhere. Throws notFound, and the conflict of
 * what is in use: a campaign that is being sent, a field or a segment that something else names; then nothing is deleted.
 */
export function deleteSampleData(db: Db, account: AccountId, writing: SelectionWriteContext): Promise<void> {
  const now = new Date(writing.clock.now())
  return inTransaction(db, async (tx) => {
    await lockSamples(tx, account)
    const sampleIds = await loadSamples(tx, account)
    if (!sampleIds) throw samplesNotFoundProblem()
    // Before anything is locked that writes of contacts wait for.
    await blockContactWrites(tx, account)
    for (const id of sampleIds.action) await ignoreNotFound(deleteSampleAction(tx, account, id, now))
    for (const id of sampleIds.segment.toReversed()) await ignoreNotFound(deleteSegment(tx, { account, id }))
    await runContactWrite(tx, account, (within, shape) =>
      deleteContactBatch(within, shape, sampleIds.contact, { ...writing, erase: true }),
    )
    for (const id of sampleIds.field) await ignoreNotFound(deleteSampleField(tx, account, id))
    await tx.deleteFrom('samples').where('account', '=', account).execute()
  })
}
