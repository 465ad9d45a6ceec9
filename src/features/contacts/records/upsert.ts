import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { type NewNotice, type NoticeCause, writeNotices } from '../../notices/notices.ts'
import { attachPendingSubscriptions } from '../fields/devices.ts'
import { restoreRedListEntries } from '../suppressions/red-list-memory.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import { type ContactRowChange, computeContactChange, saveContactChanges } from './changes.ts'
import type { ContactDocumentRow } from './documents.ts'
import { type ContactIdentity, type ContactPatch, pickFilledValues } from './flat-map.ts'
import { type ContactWriteContext, type KnownContact, lockContactsByKeys } from './write.ts'

/** A contact to be written: its new values, and the unicity and key they give. */
export interface ContactWrite extends ContactIdentity {
  patch: ContactPatch
  /** Set for one that is to be created: a contact that is there already is left alone, and not among those written. */
  isNew?: boolean
  /** For a contact to be created: its number, taken from the sequence, and the cause in its notice. All writes have it, or none. */
  own?: { id: number; cause: NoticeCause }
}

/** The outcome of a contact write. */
export interface WrittenContact {
  id: number
  unicity: string
  /** 32 hexadecimal digits. */
  hash: string
  outcome: 'created' | 'updated' | 'unchanged'
  /** Its row, where that is known without reading it. */
  row?: ContactDocumentRow
}

/** Contacts that are deleted between two rounds make another one necessary; no sane writer needs more. */
const MAX_ROUNDS = 20

function buildCreationNotice({ id, cause }: { id: number; cause: NoticeCause | undefined }): NewNotice {
  return { type: 'target.created', contact: id, data: {}, ...(cause && { cause }) }
}

function selectHashes(hashes: readonly string[]) {
  return sql`select decode(h, 'hex') from unnest(${hashes}::text[]) h`
}

/** The next number of the sequence, which is found once for all rows. */
const nextIdSql = sql`nextval((select pg_get_serial_sequence('contacts', 'id')::regclass))`

/**
 * Creates the contacts whose key is free, in the order of keys, against deadlocks; gives those by key. Their numbers are in the order of
 * the writes.
 */
async function insertNewContacts(
  tx: Db,
  shape: ContactShape,
  writes: readonly ContactWrite[],
  { clock, masterKeys }: ContactWriteContext,
): Promise<Map<string, WrittenContact>> {
  if (writes.length === 0) return new Map()
  const now = new Date(clock.now())
  const values = new Map(writes.map(({ key, patch }) => [key, pickFilledValues(patch)]))
  const writesByKey = new Map(writes.map((write) => [write.key, write]))
  const reservedIds = writes.flatMap(({ own: ownCreation }) => ownCreation?.id ?? [])
  const { rows } = await sql<{
    id: number
    unicity: string
    key: string
    hash: string
  }>`${buildPreparedPrefix(reservedIds.length > 0 ? 'contacts-created-with-ids' : 'contacts-created')}
    insert into contacts (account, id, fields, unicity, key, hash, created_at, updated_at) overriding system value
    select ${shape.account}, n.id, n.fields, n.unicity, n.key, decode(md5(n.unicity), 'hex'), ${now}, ${now}
    from (select g.fields, g.unicity, g.key, ${reservedIds.length > 0 ? sql`g.id` : nextIdSql} as id from unnest(
      ${[...values.values()].map((fields) => JSON.stringify(fields))}::jsonb[],
      ${writes.map(({ unicity }) => unicity)}::text[], ${[...values.keys()]}::text[], ${reservedIds}::bigint[]) as g(fields, unicity, key, id)) n
    order by n.key collate "C"
    on conflict do nothing
    returning id, unicity, key, encode(hash, 'hex') as hash`.execute(tx)
  const createdContacts = rows.map((row) => ({
    ...row,
    fields: values.get(row.key) ?? {},
    cause: writesByKey.get(row.key)?.own?.cause,
  }))
  if (shape.listening.has('target.created'))
    await writeNotices(tx, shape.account, createdContacts.map(buildCreationNotice))
  if (shape.awaitsDevices && createdContacts.length > 0)
    await attachPendingSubscriptions(tx, shape.account, now, selectHashes(createdContacts.map(({ hash }) => hash)))
  const isRecalled = createdContacts.length > 0 && (await restoreRedListEntries(tx, shape, createdContacts, masterKeys))
  return new Map(
    createdContacts.map(({ id, fields, unicity, key, hash }): [string, WrittenContact] => {
      const row = { id, fields, hash, created_at: now, updated_at: now, bounce: null, redList: null }
      return [key, { id, unicity, hash, outcome: 'created', ...(!isRecalled && { row }) }]
    }),
  )
}

function buildContactRow(contact: KnownContact, change: ContactRowChange | undefined, now: Date): ContactDocumentRow {
  const { id, hash, created_at } = contact
  const { fields, updated_at } = change ? { fields: change.fields, updated_at: now } : contact
  return { id, fields, hash, created_at, updated_at, bounce: null, redList: null }
}

async function updateLockedContacts(
  tx: Db,
  shape: ContactShape,
  { contacts, patches }: { contacts: readonly KnownContact[]; patches: ReadonlyMap<string, ContactPatch> },
  { clock }: ContactWriteContext,
): Promise<Map<string, WrittenContact>> {
  const now = new Date(clock.now())
  const changes: ContactRowChange[] = []
  const writtenContacts = new Map<string, WrittenContact>()
  for (const contact of contacts) {
    const change = computeContactChange(shape, contact, patches.get(contact.key) ?? {}, 'keep')
    if (change) changes.push(change)
    const { id, unicity, key, hash, isMarked } = contact
    const row = isMarked ? undefined : buildContactRow(contact, change, now)
    writtenContacts.set(key, { id, unicity, hash, outcome: change ? 'updated' : 'unchanged', ...(row && { row }) })
  }
  await saveContactChanges(tx, shape, changes, now)
  return writtenContacts
}

/**
 * Creates the contacts whose key is unknown and changes those whose key is known, unless they are to be new; set-wise.
 * Keys must differ. A stored unicity keeps its spelling. Never conflicts: a contact that another transaction creates
 * meanwhile is waited for, then changed.
 */
export async function upsertContacts(
  tx: Db,
  shape: ContactShape,
  writes: readonly ContactWrite[],
  writing: ContactWriteContext,
): Promise<Map<string, WrittenContact>> {
  const writtenContacts = new Map<string, WrittenContact>()
  const isUnwritten = ({ key }: ContactWrite): boolean => !writtenContacts.has(key)
  const patchesByKey = new Map(writes.map(({ key, patch }) => [key, patch]))
  let remainingWrites = writes
  for (let round = 0; remainingWrites.length > 0; round++) {
    if (round === MAX_ROUNDS) throw new Error('contacts are created and deleted faster than they can be written')
    const keys = remainingWrites.flatMap(({ key, isNew }) => (isNew ? [] : key))
    const lockedContacts = await lockContactsByKeys(tx, shape.account, keys)
    for (const [key, writtenContact] of await updateLockedContacts(
      tx,
      shape,
      { contacts: lockedContacts, patches: patchesByKey },
      writing,
    ))
      writtenContacts.set(key, writtenContact)
    for (const [key, writtenContact] of await insertNewContacts(
      tx,
      shape,
      remainingWrites.filter(isUnwritten),
      writing,
    ))
      writtenContacts.set(key, writtenContact)
    remainingWrites = remainingWrites.filter((write) => !write.isNew && isUnwritten(write))
  }
  return writtenContacts
}
