import { sql } from 'kysely'
import { emailChannelTraits } from '../../channels/email/facts.ts'
import { actionFamilies } from '../../channels/families.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { conflictProblem, Problem } from '../../lib/errors/problem.ts'
import { formatActionId, formatContactId, parseActionId } from '../../lib/ids.ts'
import { mailSmsActionFormat } from '../actions/resource/action-formats.ts'
import { createAction, deleteAction } from '../actions/resource/actions.ts'
import { deleteContactBatch, type SelectionWriteContext } from '../contacts/bulk/selections.ts'
import { createField, deleteField } from '../contacts/fields/fields.ts'
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
type Kept = Readonly<Record<SampleType, readonly number[]>>

/** Two requests at once make no second samples. */
async function alone(tx: Db, account: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('samples'), ${account})`.execute(tx)
}

async function load(db: Db, account: AccountId): Promise<(Kept & { createdAt: Date }) | undefined> {
  const rows = await db
    .selectFrom('samples')
    .select(['type', 'object', 'created_at'])
    .where('account', '=', account)
    .orderBy('object')
    .execute()
  const of = (wanted: SampleType): number[] => rows.filter(({ type }) => type === wanted).map(({ object }) => object)
  const [first] = rows
  if (!first) return undefined
  const kept = { field: of('field'), contact: of('contact'), segment: of('segment'), action: of('action') }
  return { ...kept, createdAt: first.created_at }
}

function none(): Problem {
  return new Problem(404, 'not-found', 'The account has no sample data.')
}

/** The sample data of an account. Throws notFound when it has none. */
export async function readSampleData(db: Db, account: AccountId): Promise<SampleDataResource> {
  const kept = await load(db, account)
  if (!kept) throw none()
  return {
    creationDate: kept.createdAt.toISOString(),
    contacts: kept.contact.map(formatContactId),
    fields: [...kept.field],
    segments: [...kept.segment],
    actions: kept.action.map(formatActionId),
  }
}

/** The one field that is the key of contacts: an address. Throws conflict `samples-unfit` where it is another key. */
function addressField({ unicity }: ContactShape): number {
  const [only, ...others] = unicity
  if (only?.type !== emailChannelTraits.addressType || others.length > 0)
    throw conflictProblem('samples-unfit', 'Sample contacts need an account whose only unicity field is one of email.')
  return only.id
}

async function makeFields(tx: Db, account: AccountId) {
  const firstname = (await createField(tx, account, sampleFieldNames.firstname)).id
  const city = (await createField(tx, account, sampleFieldNames.city)).id
  const orders = (await createField(tx, account, sampleFieldNames.orders)).id
  return { firstname, city, orders }
}

type Ids = Awaited<ReturnType<typeof makeFields>>

/** Makes the contacts that are not there yet: one that somebody else made is left alone, and is no sample. */
function makeContacts(tx: Db, account: AccountId, ids: Ids, writing: SelectionWriteContext): Promise<number[]> {
  return runContactWrite(tx, account, async (within, shape) => {
    const maps = buildSampleContacts(addressField(shape), ids)
    const request = { ...writing, view: { fields: undefined, bare: false } }
    const writes = maps.map((map) => ({ ...buildNewContact(shape, map, request), isNew: true }))
    const written = await upsertContacts(within, shape, writes, writing)
    return [...written.values()].filter(({ outcome }) => outcome === 'created').map(({ id }) => id)
  })
}

async function makeSegments(
  tx: Db,
  account: AccountId,
  { contacts, city }: Pick<Ids, 'city'> & { contacts: readonly number[] },
  now: number,
): Promise<number[]> {
  const join = (segment: number, members: readonly number[]) =>
    addContactsToSegment(tx, account, segment, { names: members.map(formatContactId), onlyUnicity: false })
  const all = await createSegment(tx, account, { type: 'static', name: 'Sample contacts' }, now)
  await join(all.id, contacts)
  const test = await createSegment(tx, account, { type: 'static', name: 'Sample test', isTest: true }, now)
  await join(test.id, contacts.slice(0, 2))
  const criteria = { all: [{ type: 'field', field: city, operator: 'equals', value: 'Lyon' }] }
  const dynamic = await createSegment(tx, account, { type: 'dynamic', name: 'Sample: in Lyon', criteria }, now)
  return [all.id, test.id, dynamic.id]
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
    await alone(tx, account)
    if (await load(tx, account))
      throw conflictProblem('samples-present', 'The account has sample data: delete it first.')
    const ids = await makeFields(tx, account)
    const contact = await makeContacts(tx, account, ids, writing)
    const segment = await makeSegments(tx, account, { contacts: contact, city: ids.city }, now)
    const body = buildSampleAction(segment[0] ?? 0)
    const action = await createAction(tx, mailSmsActionFormat, { account, body }, new Date(now))
    const kept: Kept = { field: Object.values(ids), contact, segment, action: [parseActionId(action.id) ?? 0] }
    const types = Object.keys(kept) as (keyof Kept)[]
    const rows = types.flatMap((type) => kept[type].map((object) => ({ type, object })))
    await tx
      .insertInto('samples')
      .values(rows.map((row) => ({ ...row, account, created_at: new Date(now) })))
      .execute()
    return readSampleData(tx, account)
  })
}

/** Deletes something that somebody may have deleted before. */
async function unlessGone(deletion: Promise<unknown>): Promise<void> {
  await deletion.catch((error) => {
    if (!(error instanceof Problem) || (error.status !== 404 && error.status !== 410)) throw error
  })
}

/**
 * Takes the sample data of an account away, with what is kept of its contacts elsewhere. Throws notFound, and the conflict of
 * what is in use: a campaign that is being sent, a field or a segment that something else names; then nothing is deleted.
 */
export function deleteSampleData(db: Db, account: AccountId, writing: SelectionWriteContext): Promise<void> {
  const now = new Date(writing.clock.now())
  return inTransaction(db, async (tx) => {
    await alone(tx, account)
    const kept = await load(tx, account)
    if (!kept) throw none()
    // Before anything is locked that writes of contacts wait for.
    await blockContactWrites(tx, account)
    for (const id of kept.action)
      await unlessGone(deleteAction(tx, { family: actionFamilies.action, account, id }, now))
    for (const id of kept.segment.toReversed()) await unlessGone(deleteSegment(tx, account, id))
    await runContactWrite(tx, account, (within, shape) =>
      deleteContactBatch(within, shape, kept.contact, { ...writing, erase: true }),
    )
    for (const id of kept.field) await unlessGone(deleteField(tx, account, id))
    await tx.deleteFrom('samples').where('account', '=', account).execute()
  })
}
