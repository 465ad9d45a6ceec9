import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { formatContactId, parseContactId, parseInt32Id } from '../../../lib/ids.ts'
import { computeContactChange, type LockedContact, saveContactChanges } from '../records/changes.ts'
import type {
  ContactSearchSelection,
  ContactSelection,
  DeletedContact,
  FlatMap,
  SelectionCounts,
} from '../records/contact-schemas.ts'
import { deleteLockedContacts } from '../records/deletion.ts'
import { type ContactLookup, findContactsWithShape } from '../records/find.ts'
import { type ContactPatch, requireContactPatch } from '../records/flat-map.ts'
import type { ContactPorts } from '../records/ports.ts'
import { type ContactWriteContext, lockContactsByIds, runContactWrite } from '../records/write.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import { formatPlainNumber } from '../values/number-text.ts'
import { loadContactShape } from '../values/stored-shape.ts'
import { CONTACT_JOB_BATCH } from './contact-job.ts'
import type { SelectionChange } from './selection-change.ts'

/** The contacts of a selection: those of segments as a select, those that are named by their ids. */
export interface ResolvedSelection {
  contacts: RawBuilder<{ contact: number }> | number[]
  /** The number of selection items that do not match a contact. */
  unknown: number
}

/** A deletion of a selection. */
export interface ContactSelectionDeletion {
  selection: ContactSelection
  /** True if data about the contacts that is stored elsewhere is also erased. */
  erase: boolean
  /** True if the response lists the deleted contacts. */
  listed: boolean
}

/** Context of writes of selections, in addition to the database. */
export interface SelectionWriteContext extends ContactWriteContext {
  ports: ContactPorts
}

function toContactLookups(selection: Exclude<ContactSelection, { type: 'segment' | 'search' }>): ContactLookup[] {
  if (selection.type === 'unicity') return selection.value.map((value) => ({ type: 'unicity', value }))
  const { type } = selection
  return selection.value.flat().map((value) => ({ type, value }))
}

function parseSegmentIds(selection: Extract<ContactSelection, { type: 'segment' }>): number[] {
  return [selection.value].flat().map((rawId) => {
    const id = parseInt32Id(String(rawId))
    if (id === undefined) throw notFoundProblem('segment', rawId)
    return id
  })
}

/** The contacts that a search finds, but those that are left out. */
async function resolveSearchSelection(
  db: Db,
  account: AccountId,
  { except = [], ...search }: ContactSearchSelection,
  { ports }: Pick<SelectionWriteContext, 'ports'>,
): Promise<ResolvedSelection> {
  const searchedContacts = await ports.foundBy(db, account, search)
  const excludedIds = except.flatMap((id) => parseContactId(id) ?? [])
  const contacts = sql<{ contact: number }>`
    select contact from (${searchedContacts}) f where contact <> all(${excludedIds}::bigint[])`
  return { contacts, unknown: 0 }
}

/** The contacts of a selection, each once. Throws notFound for a segment that does not exist, 400 for criteria that cannot be read. */
export async function resolveSelection(
  db: Db,
  account: AccountId,
  selection: ContactSelection,
  selecting: Pick<SelectionWriteContext, 'ports'>,
): Promise<ResolvedSelection> {
  if (selection.type === 'search') return resolveSearchSelection(db, account, selection.value, selecting)
  if (selection.type === 'segment') {
    return { contacts: await selecting.ports.membersOf(db, account, parseSegmentIds(selection)), unknown: 0 }
  }
  const matchedContacts = await findContactsWithShape(
    db,
    await loadContactShape(db, account),
    toContactLookups(selection),
  )
  return {
    contacts: [...new Set(matchedContacts.flatMap((contact) => contact?.id ?? []))],
    unknown: matchedContacts.filter((contact) => contact === undefined).length,
  }
}

/** The contacts a deletion names: what is kept of deleted ones can still be erased, by their ids. */
export async function resolveDeletionTargets(
  db: Db,
  account: AccountId,
  { selection, erase }: Pick<ContactSelectionDeletion, 'selection' | 'erase'>,
  selecting: Pick<SelectionWriteContext, 'ports'>,
): Promise<ResolvedSelection> {
  if (!erase || selection.type !== 'id') return resolveSelection(db, account, selection, selecting)
  return { contacts: [...new Set(selection.value.flat().flatMap((id) => parseContactId(id) ?? []))], unknown: 0 }
}

/** The ids of what is selected. */
async function readSelectedIds(db: Db, { contacts }: ResolvedSelection): Promise<number[]> {
  if (Array.isArray(contacts)) return contacts
  const query = sql<{ contact: number }>`select contact from (${contacts}) c order by contact`
  const ids: number[] = []
  for await (const { contact } of streamRows(db, query, { batch: CONTACT_JOB_BATCH })) ids.push(contact)
  return ids
}

/** Processes contacts in committed batches; gives the result of each. */
async function* processInBatches<Result>(
  db: Db,
  account: AccountId,
  ids: readonly number[],
  work: (tx: Db, shape: ContactShape, batch: number[]) => Promise<Result>,
): AsyncGenerator<Result> {
  for (let batchStart = 0; batchStart < ids.length; batchStart += CONTACT_JOB_BATCH) {
    const batch = ids.slice(batchStart, batchStart + CONTACT_JOB_BATCH)
    yield await runContactWrite(db, account, (tx, shape) => work(tx, shape, batch))
  }
}

/** The Problem of a selection without contacts. */
export function createEmptySelectionProblem(): Problem {
  return new Problem(404, 'not-found', 'The selection contains no contacts.')
}

function toDeletedContact(shape: ContactShape, { id, fields }: LockedContact): DeletedContact {
  const unicity = shape.unicity.map((field) => {
    const value = fields[field.id]
    return typeof value === 'number' ? formatPlainNumber(value) : String(value)
  })
  return { id: formatContactId(id), unicity }
}

/** Deletes contacts; gives them, and how many there were, including deleted ones of which something was kept. */
export async function deleteContactBatch(
  tx: Db,
  shape: ContactShape,
  ids: readonly number[],
  { erase, ports, ...writing }: SelectionWriteContext & { erase: boolean },
): Promise<{ found: number; deleted: DeletedContact[] }> {
  await ports.endRuns(tx, shape.account, ids)
  if (erase) await ports.beforeForgetting(tx, shape.account, ids)
  const contacts = await lockContactsByIds(tx, shape.account, ids)
  await deleteLockedContacts(tx, shape, contacts, { ...writing, ports, erase })
  const existingIds = new Set(contacts.map(({ id }) => id))
  const unknownIds = erase ? ids.filter((id) => !existingIds.has(id)) : []
  const erasedIds = unknownIds.length === 0 ? [] : await ports.forget(tx, shape.account, unknownIds)
  return {
    found: contacts.length + erasedIds.length,
    deleted: contacts.map((contact) => toDeletedContact(shape, contact)),
  }
}

/**
 * Deletes the contacts of a selection. Returns them, in the order of their deletion, if they are to be listed. Throws notFound if there is
 * no contact, or for an unknown segment.
 */
export async function deleteSelectedContacts(
  db: Db,
  account: AccountId,
  deletion: ContactSelectionDeletion,
  request: SelectionWriteContext,
): Promise<DeletedContact[]> {
  const ids = await readSelectedIds(db, await resolveDeletionTargets(db, account, deletion, request))
  const batchOptions = { ...request, erase: deletion.erase }
  const deletedContacts: DeletedContact[] = []
  let count = 0
  for await (const batch of processInBatches(db, account, ids, (tx, shape, part) =>
    deleteContactBatch(tx, shape, part, batchOptions),
  )) {
    count += batch.found
    if (deletion.listed) deletedContacts.push(...batch.deleted)
  }
  if (count === 0) throw createEmptySelectionProblem()
  return deletedContacts
}

/** The values that many contacts are to have. Throws 400 with every bad value, or for a unicity field. */
export function requireCommonPatch(shape: ContactShape, fields: FlatMap): ContactPatch {
  const patch = requireContactPatch(shape, fields, '/fields')
  const unicity = shape.unicity.find(({ id }) => Object.hasOwn(patch, id))
  if (!unicity) return patch
  throw badRequestProblem(
    '/fields',
    `"${unicity.name}" is a unicity field: several contacts cannot have the same value`,
  )
}

/** Makes the same change to contacts; gives the counts with theirs added. */
export async function updateContactBatch(
  tx: Db,
  shape: ContactShape,
  ids: readonly number[],
  { fields, counts, clock }: { fields: FlatMap; counts: SelectionCounts } & ContactWriteContext,
): Promise<SelectionCounts> {
  const commonPatch = requireCommonPatch(shape, fields)
  const contacts = await lockContactsByIds(tx, shape.account, ids)
  const changes = contacts.flatMap((contact) => computeContactChange(shape, contact, commonPatch, 'keep') ?? [])
  await saveContactChanges(tx, shape, changes, new Date(clock.now()))
  return {
    matched: counts.matched + contacts.length,
    updated: counts.updated + changes.length,
    unchanged: counts.unchanged + contacts.length - changes.length,
    unknown: counts.unknown,
  }
}

/**
 * Makes the same change to every contact of a selection. Throws 400 with every bad value, or for a unicity field, before
 * anything is changed, and notFound when there is no contact, or for an unknown segment.
 */
export async function updateSelectedContacts(
  db: Db,
  account: AccountId,
  { selection, fields }: SelectionChange,
  request: SelectionWriteContext,
): Promise<SelectionCounts> {
  requireCommonPatch(await loadContactShape(db, account), fields)
  const resolvedSelection = await resolveSelection(db, account, selection, request)
  let counts: SelectionCounts = { matched: 0, updated: 0, unchanged: 0, unknown: resolvedSelection.unknown }
  const ids = await readSelectedIds(db, resolvedSelection)
  const updateBatch = (tx: Db, shape: ContactShape, part: number[]) =>
    updateContactBatch(tx, shape, part, { ...request, fields, counts })
  for await (const batchCounts of processInBatches(db, account, ids, updateBatch)) counts = batchCounts
  if (counts.matched === 0) throw createEmptySelectionProblem()
  return counts
}
