import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { rows } from '../../database/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import { contactId, readIntId } from '../../lib/ids.ts'
import { badRequest, notFound, Problem } from '../../lib/problem.ts'
import { plainNumber } from '../fields/number-text.ts'
import { type Change, changeOf, type LockedContact, saveChanges } from './changes.ts'
import type { DeletedContact, FlatMap, Selection, SelectionCounts } from './contact-schemas.ts'
import { deleteLocked } from './deletion.ts'
import { resolveContacts, type Sought } from './find.ts'
import { type Patch, requirePatch } from './flat-map.ts'
import { type ContactShape, loadShape } from './shape.ts'
import { lockByIds, type Writing, writeContacts } from './write.ts'

const BATCH = 5000

/** The contacts of a selection, each once, and how many of its items name none. */
interface Selected {
  ids: number[]
  unknown: number
}

function soughtOf(selection: Exclude<Selection, { type: 'segment' }>): Sought[] {
  if (selection.type === 'unicity') return selection.value.map((value) => ({ type: 'unicity', value }))
  const { type } = selection
  return selection.value.map((value) => ({ type, value }))
}

/** Members of segments, each contact once. Throws notFound for a segment that does not exist. */
async function membersOf(db: Db, account: AccountId, segments: readonly (number | string)[]): Promise<number[]> {
  const wanted = segments.map((id) => readIntId(String(id)) ?? 0)
  const known = await sql<{ id: number }>`
    select id from segments where account = ${account} and id = any(${wanted}::integer[])`.execute(db)
  const ids = new Set(known.rows.map(({ id }) => id))
  for (const [place, id] of wanted.entries()) if (!ids.has(id)) throw notFound('segment', segments[place] ?? '')
  const query = sql<{ contact: number }>`
    select distinct contact from segment_members
    where account = ${account} and segment = any(${wanted}::integer[]) order by contact`
  const members: number[] = []
  for await (const { contact } of rows(db, query, { batch: BATCH })) members.push(contact)
  return members
}

async function select(db: Db, shape: ContactShape, selection: Selection): Promise<Selected> {
  if (selection.type === 'segment') {
    return { ids: await membersOf(db, shape.account, [selection.value].flat()), unknown: 0 }
  }
  const found = await resolveContacts(db, shape, soughtOf(selection))
  const ids = new Set(found.flatMap((contact) => contact?.id ?? []))
  return { ids: [...ids], unknown: found.filter((contact) => contact === undefined).length }
}

/** Locks and works the contacts of a selection in committed batches; gives what each batch came to. */
async function* inBatches<Result>(
  db: Db,
  account: AccountId,
  ids: readonly number[],
  work: (tx: Db, shape: ContactShape, contacts: LockedContact[]) => Promise<Result>,
): AsyncGenerator<Result> {
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH)
    yield await writeContacts(db, account, async (tx, shape) => work(tx, shape, await lockByIds(tx, account, batch)))
  }
}

function noneFound(): Problem {
  return new Problem(404, 'not-found', 'The selection holds no contact.')
}

function deletedContact(shape: ContactShape, { id, fields }: LockedContact): DeletedContact {
  const unicity = shape.unicity.map((field) => {
    const value = fields[field.id]
    return typeof value === 'number' ? plainNumber(value) : String(value)
  })
  return { id: contactId(id), unicity }
}

/**
 * Deletes the contacts of a selection; gives them, in the order of their deletion, if they are to be `listed`.
 * Throws notFound when there is none, or for an unknown segment.
 */
export async function deleteSelected(
  db: Db,
  account: AccountId,
  selection: Selection,
  request: Writing & { listed: boolean },
): Promise<DeletedContact[]> {
  const { ids } = await select(db, await loadShape(db, account), selection)
  const batches = inBatches(db, account, ids, async (tx, shape, contacts) => {
    await deleteLocked(tx, shape, contacts, request)
    return contacts.map((contact) => (request.listed ? deletedContact(shape, contact) : undefined))
  })
  let count = 0
  const listed: DeletedContact[] = []
  for await (const contacts of batches) {
    count += contacts.length
    listed.push(...contacts.filter((contact) => contact !== undefined))
  }
  if (count === 0) throw noneFound()
  return listed
}

function requireCommonPatch(shape: ContactShape, fields: FlatMap): Patch {
  const patch = requirePatch(shape, fields, '/fields')
  const unicity = shape.unicity.find(({ id }) => Object.hasOwn(patch, id))
  if (!unicity) return patch
  throw badRequest('/fields', `"${unicity.name}" is a unicity field: many contacts cannot have the same value`)
}

/**
 * Makes the same change to every contact of a selection. Throws 400 with every bad value, or for a unicity field, before
 * anything is changed, and notFound when there is no contact, or for an unknown segment.
 */
export async function changeSelected(
  db: Db,
  account: AccountId,
  { selection, fields }: { selection: Selection; fields: FlatMap },
  { clock }: Writing,
): Promise<SelectionCounts> {
  const shape = await loadShape(db, account)
  requireCommonPatch(shape, fields)
  const { ids, unknown } = await select(db, shape, selection)
  const batches = inBatches(db, account, ids, async (tx, shape, contacts) => {
    const patch = requireCommonPatch(shape, fields)
    const changes = contacts.flatMap((contact): Change[] | Change => changeOf(shape, contact, patch, 'keep') ?? [])
    await saveChanges(tx, shape, changes, new Date(clock.now()))
    return { matched: contacts.length, updated: changes.length }
  })
  const counts = { matched: 0, updated: 0, unchanged: 0, unknown }
  for await (const { matched, updated } of batches) {
    counts.matched += matched
    counts.updated += updated
    counts.unchanged += matched - updated
  }
  if (counts.matched === 0) throw noneFound()
  return counts
}
