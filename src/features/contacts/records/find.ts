import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { isSqlConditionTrue } from '../../../database/rows/sql-condition.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { formatContactId, parseContactId } from '../../../lib/ids.ts'
import { buildContactKey, joinUnicity, type StoredFields } from '../fields/identity.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import { loadContactShape } from '../values/stored-shape.ts'
import { normalizeFieldText } from '../values/text-value.ts'
import type { ContactIdentification, Footprint } from './identification-schemas.ts'

/** A contact that was found. */
export interface FoundContact {
  id: number
  fields: StoredFields
  unicity: string
  /** 32 lower-case hexadecimal digits. */
  hash: string
}

/** An identification of a contact: in the form of requests, or a concatenated unicity, or values of any type. */
export type ContactLookup =
  | Exclude<ContactIdentification, { type: 'unicity' }>
  | { type: 'unicity'; value: string | readonly unknown[] }

/** A name resolved: the column that has it, and its value there. */
interface LookupTarget {
  column: 'id' | 'key' | 'hash'
  value: string | number
}

const HASH_PATTERN = /^[0-9a-f]{32}$/

/** A unicity as it would be stored; one string for several fields is taken as given. Undefined when no contact can have it. */
function joinSoughtUnicity(shape: ContactShape, unicity: string | readonly unknown[]): string | undefined {
  if (typeof unicity === 'string' && shape.unicity.length > 1) {
    return normalizeFieldText(unicity, false) === undefined ? undefined : unicity
  }
  const unicityValues = typeof unicity === 'string' ? [unicity] : unicity
  if (unicityValues.length !== shape.unicity.length) return undefined
  const values: StoredFields = {}
  for (const [position, field] of shape.unicity.entries()) {
    const parsedValue = shape.normaliser(field)(unicityValues[position])
    if ('fault' in parsedValue || parsedValue.ok === null) return undefined
    values[field.id] = parsedValue.ok
  }
  return joinUnicity(shape.unicity, values)
}

/**
 * The key under which a contact with this unicity is stored: values, one per unicity field, are first brought to the
 * form of stored ones; one string for several fields is compared as given. Undefined when no contact can have it.
 */
export function contactKeyFromUnicity(shape: ContactShape, unicity: string | readonly unknown[]): string | undefined {
  const joinedUnicity = joinSoughtUnicity(shape, unicity)
  return joinedUnicity === undefined ? undefined : buildContactKey(shape, joinedUnicity)
}

/** The hash that a contact would have which is not there yet, in hexadecimal digits; undefined for other names. */
export function predictContactHash(shape: ContactShape, sought: ContactLookup): string | undefined {
  if (sought.type === 'hash') return parseContactHash(sought.value)
  const joinedUnicity = sought.type === 'unicity' ? joinSoughtUnicity(shape, sought.value) : undefined
  return joinedUnicity === undefined ? undefined : createHash('md5').update(joinedUnicity).digest('hex')
}

/** The hash in lower case; `undefined` if the text is not a hash. */
export function parseContactHash(text: string): string | undefined {
  const lowerCaseHash = text.toLowerCase()
  return HASH_PATTERN.test(lowerCaseHash) ? lowerCaseHash : undefined
}

function resolveLookupTarget(shape: ContactShape, sought: ContactLookup): LookupTarget | undefined {
  const [column, value] =
    sought.type === 'unicity'
      ? (['key', contactKeyFromUnicity(shape, sought.value)] as const)
      : sought.type === 'hash'
        ? (['hash', parseContactHash(sought.value)] as const)
        : (['id', parseContactId(sought.type === 'id' ? sought.value : sought.id)] as const)
  return value === undefined ? undefined : { column, value }
}

/** The targets of one column with their indexes, as a table `w(sought, place)`. */
function unnestTargets(targets: readonly (LookupTarget | undefined)[], column: LookupTarget['column'], type: string) {
  const columnTargets = targets.flatMap((target, position) =>
    target?.column === column ? [{ value: target.value, place: position }] : [],
  )
  const values = columnTargets.map(({ value }) => value)
  return sql`unnest(${values}::${sql.raw(type)}[], ${columnTargets.map(({ place: position }) => position)}::integer[]) as w(sought, place)`
}

/** As findContacts, with loaded definitions. */
export async function findContactsWithShape(
  db: Db,
  shape: ContactShape,
  sought: readonly ContactLookup[],
): Promise<(FoundContact | undefined)[]> {
  const lookupTargets = sought.map((contactLookup) => resolveLookupTarget(shape, contactLookup))
  const contactColumns = sql`w.place, c.id, c.fields, c.unicity, encode(c.hash, 'hex') as hash`
  const { rows } = await sql<FoundContact & { place: number }>`${buildPreparedPrefix('contacts-sought')}
    select ${contactColumns} from ${unnestTargets(lookupTargets, 'id', 'bigint')}
    join contacts c on c.account = ${shape.account} and c.id = w.sought
    union all
    select ${contactColumns} from ${unnestTargets(lookupTargets, 'key', 'text')}
    join contacts c on c.account = ${shape.account} and c.key = w.sought
    union all
    select ${contactColumns} from ${unnestTargets(lookupTargets, 'hash', 'text')}
    join contacts c on c.account = ${shape.account} and c.hash = decode(w.sought, 'hex')`.execute(db)
  const contactsByPosition = new Array<FoundContact | undefined>(sought.length).fill(undefined)
  for (const { place, ...contact } of rows) contactsByPosition[place] = contact
  return contactsByPosition
}

/** The contacts that identifications match, in the same order, in one statement; `undefined` for each without a contact. */
export async function findContacts(
  db: Db,
  account: AccountId,
  sought: readonly ContactLookup[],
): Promise<(FoundContact | undefined)[]> {
  return findContactsWithShape(db, await loadContactShape(db, account), sought)
}

/** The number of the contact that an id names, without the definitions of its account. Throws notFound. */
export async function resolveContactId(db: Db, account: AccountId, id: string): Promise<number> {
  const contact = parseContactId(id)
  const isKnown =
    contact !== undefined &&
    (await isSqlConditionTrue(
      db,
      'contact-known',
      sql`exists (select from contacts where account = ${account} and id = ${contact}::bigint)`,
    ))
  if (!isKnown) throw notFoundProblem('contact', id)
  return contact
}

/** A contact in short. */
export function toFootprint({ id, unicity, hash }: Pick<FoundContact, 'id' | 'unicity' | 'hash'>): Footprint {
  return { type: 'footprint', id: formatContactId(id), unicity, hash }
}

/** The value of a contact in a field, as text; null if it does not have one, or the contact does not exist. */
export async function readContactFieldText(
  db: Db,
  account: AccountId,
  contact: number,
  field: number,
): Promise<string | null> {
  const { rows } = await sql<{ value: string | null }>`
    select fields ->> ${String(field)} as value from contacts where account = ${account} and id = ${contact}`.execute(
    db,
  )
  return rows[0]?.value ?? null
}

/** Resolves with whether a contact of the account was deleted but not erased. */
export async function isContactDeleted(db: Db, account: AccountId, contact: number): Promise<boolean> {
  const { rows } = await sql<{ isDeleted: boolean }>`
    select not exists (select from contacts where account = ${account} and id = ${contact})
      and not exists (select from erased_contacts where account = ${account} and contact = ${contact}) as "isDeleted"`.execute(
    db,
  )
  return rows[0]!.isDeleted
}
