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
  /** Of one that is to be created: its number, taken from the sequence, and what its notice carries. All writes have it, or none. */
  own?: { id: number; cause: NoticeCause }
}

/** What became of a contact that was written. */
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

function creationNotice({ id, cause }: { id: number; cause: NoticeCause | undefined }): NewNotice {
  return { type: 'target.created', contact: id, data: {}, ...(cause && { cause }) }
}

function hashesOf(hashes: readonly string[]) {
  return sql`select decode(h, 'hex') from unnest(${hashes}::text[]) h`
}

/** The database numbers them. */
const NOT_GIVEN = { id: sql``, value: sql``, way: sql`` }

/** Creates the contacts whose key is free, in the order of keys, against deadlocks; gives those by key. */
async function insertContacts(
  tx: Db,
  shape: ContactShape,
  writes: readonly ContactWrite[],
  { clock, masterKeys }: ContactWriteContext,
): Promise<Map<string, WrittenContact>> {
  if (writes.length === 0) return new Map()
  const now = new Date(clock.now())
  const values = new Map(writes.map(({ key, patch }) => [key, pickFilledValues(patch)]))
  const byKey = new Map(writes.map((write) => [write.key, write]))
  const ids = writes.flatMap(({ own }) => own?.id ?? [])
  const given = ids.length > 0 ? { id: sql`id,`, value: sql`n.id,`, way: sql`overriding system value` } : NOT_GIVEN
  const { rows } = await sql<{
    id: number
    unicity: string
    key: string
    hash: string
  }>`${buildPreparedPrefix(ids.length > 0 ? 'contacts-created-with-ids' : 'contacts-created')}
    insert into contacts (account, ${given.id} fields, unicity, key, hash, created_at, updated_at) ${given.way}
    select ${shape.account}, ${given.value} n.fields, n.unicity, n.key, decode(md5(n.unicity), 'hex'), ${now}, ${now}
    from unnest(
      ${[...values.values()].map((fields) => JSON.stringify(fields))}::jsonb[],
      ${writes.map(({ unicity }) => unicity)}::text[], ${[...values.keys()]}::text[], ${ids}::bigint[]) as n(fields, unicity, key, id)
    order by n.key collate "C"
    on conflict do nothing
    returning id, unicity, key, encode(hash, 'hex') as hash`.execute(tx)
  const created = rows.map((row) => ({
    ...{ ...row, fields: values.get(row.key) ?? {}, cause: byKey.get(row.key)?.own?.cause },
  }))
  if (shape.listening.has('target.created')) await writeNotices(tx, shape.account, created.map(creationNotice))
  if (shape.awaitsDevices && created.length > 0)
    await attachPendingSubscriptions(tx, shape.account, now, hashesOf(created.map(({ hash }) => hash)))
  const isRecalled = created.length > 0 && (await restoreRedListEntries(tx, shape, created, masterKeys))
  return new Map(
    created.map(({ id, fields, unicity, key, hash }): [string, WrittenContact] => {
      const row = { id, fields, hash, created_at: now, updated_at: now, bounce: null, redList: null }
      return [key, { id, unicity, hash, outcome: 'created', ...(!isRecalled && { row }) }]
    }),
  )
}

function rowOf(contact: KnownContact, change: ContactRowChange | undefined, now: Date): ContactDocumentRow {
  const { id, hash, created_at } = contact
  const { fields, updated_at } = change ? { fields: change.fields, updated_at: now } : contact
  return { id, fields, hash, created_at, updated_at, bounce: null, redList: null }
}

async function updateLocked(
  tx: Db,
  shape: ContactShape,
  { contacts, patches }: { contacts: readonly KnownContact[]; patches: ReadonlyMap<string, ContactPatch> },
  { clock }: ContactWriteContext,
): Promise<Map<string, WrittenContact>> {
  const now = new Date(clock.now())
  const changes: ContactRowChange[] = []
  const written = new Map<string, WrittenContact>()
  for (const contact of contacts) {
    const change = computeContactChange(shape, contact, patches.get(contact.key) ?? {}, 'keep')
    if (change) changes.push(change)
    const { id, unicity, key, hash, isMarked } = contact
    const row = isMarked ? undefined : rowOf(contact, change, now)
    written.set(key, { id, unicity, hash, outcome: change ? 'updated' : 'unchanged', ...(row && { row }) })
  }
  await saveContactChanges(tx, shape, changes, now)
  return written
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
  const written = new Map<string, WrittenContact>()
  const isOpen = ({ key }: ContactWrite): boolean => !written.has(key)
  const patches = new Map(writes.map(({ key, patch }) => [key, patch]))
  let rest = writes
  for (let round = 0; rest.length > 0; round++) {
    if (round === MAX_ROUNDS) throw new Error('Contacts are created and deleted faster than they can be written.')
    const keys = rest.flatMap(({ key, isNew }) => (isNew ? [] : key))
    const contacts = await lockContactsByKeys(tx, shape.account, keys)
    for (const [key, one] of await updateLocked(tx, shape, { contacts, patches }, writing)) written.set(key, one)
    for (const [key, one] of await insertContacts(tx, shape, rest.filter(isOpen), writing)) written.set(key, one)
    rest = rest.filter((write) => !write.isNew && isOpen(write))
  }
  return written
}
