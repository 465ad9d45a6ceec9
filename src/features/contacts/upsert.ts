import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { type Change, changeOf, type LockedContact, saveChanges } from './changes.ts'
import { filledValues, type Identity, type Patch } from './flat-map.ts'
import { recallRedList } from './red-list-memory.ts'
import type { ContactShape } from './shape.ts'
import { lockByKeys, type Writing } from './write.ts'

/** A contact to be written: its new values, and the unicity and key they give. */
export interface ContactWrite extends Identity {
  patch: Patch
}

/** What became of a contact that was written. */
export interface Written {
  id: number
  unicity: string
  /** 32 hexadecimal digits. */
  hash: string
  outcome: 'created' | 'updated' | 'unchanged'
}

export interface UpsertOptions extends Writing {
  /** Whether contacts that exist are changed; they are by default. */
  updateExisting?: boolean
}

/** Contacts that vanish between two looks make another round necessary; no sane writer needs more. */
const MOST_ROUNDS = 20

/** Creates the contacts whose key is free, in the order of keys so that writers do not wait in a ring; gives those by key. */
export async function insertContacts(
  tx: Db,
  shape: ContactShape,
  writes: readonly ContactWrite[],
  { clock, masterKeys }: Writing,
): Promise<Map<string, Written>> {
  if (writes.length === 0) return new Map()
  const now = new Date(clock.now())
  const values = new Map(writes.map(({ key, patch }) => [key, filledValues(patch)]))
  const { rows } = await sql<{ id: number; unicity: string; key: string; hash: string }>`
    insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
    select ${shape.account}, n.fields, n.unicity, n.key, decode(md5(n.unicity), 'hex'), ${now}, ${now}
    from unnest(
      ${[...values.values()].map((fields) => JSON.stringify(fields))}::jsonb[],
      ${writes.map(({ unicity }) => unicity)}::text[], ${[...values.keys()]}::text[]) as n(fields, unicity, key)
    order by n.key collate "C"
    on conflict do nothing
    returning id, unicity, key, encode(hash, 'hex') as hash`.execute(tx)
  const created = rows.map(({ id, key }) => ({ id, fields: values.get(key) ?? {} }))
  if (created.length > 0) await recallRedList(tx, shape, created, masterKeys)
  return new Map(rows.map(({ id, unicity, key, hash }) => [key, { id, unicity, hash, outcome: 'created' }]))
}

async function updateLocked(
  tx: Db,
  shape: ContactShape,
  { contacts, patches }: { contacts: readonly LockedContact[]; patches: ReadonlyMap<string, Patch> },
  { clock, updateExisting = true }: UpsertOptions,
): Promise<Map<string, Written>> {
  const changes: Change[] = []
  const written = new Map<string, Written>()
  for (const contact of contacts) {
    const change = updateExisting ? changeOf(shape, contact, patches.get(contact.key) ?? {}, 'keep') : undefined
    if (change) changes.push(change)
    const { id, unicity, key, hash } = contact
    written.set(key, { id, unicity, hash, outcome: change ? 'updated' : 'unchanged' })
  }
  await saveChanges(tx, shape, changes, new Date(clock.now()))
  return written
}

/**
 * Creates the contacts whose key is unknown and changes those whose key is known, set-wise. Keys must differ. A stored
 * unicity keeps its spelling. Never conflicts: a contact that someone else creates meanwhile is waited for, then changed.
 */
export async function upsertContacts(
  tx: Db,
  shape: ContactShape,
  writes: readonly ContactWrite[],
  options: UpsertOptions,
): Promise<Map<string, Written>> {
  const written = new Map<string, Written>()
  const patches = new Map(writes.map(({ key, patch }) => [key, patch]))
  let rest = writes
  for (let round = 0; rest.length > 0; round++) {
    if (round === MOST_ROUNDS) throw new Error('Contacts are created and deleted faster than they can be written.')
    const contacts = await lockByKeys(
      tx,
      shape.account,
      rest.map(({ key }) => key),
    )
    for (const [key, one] of await updateLocked(tx, shape, { contacts, patches }, options)) written.set(key, one)
    rest = rest.filter(({ key }) => !written.has(key))
    for (const [key, one] of await insertContacts(tx, shape, rest, options)) written.set(key, one)
    rest = rest.filter(({ key }) => !written.has(key))
  }
  return written
}
