import { sql } from 'kysely'
import type { CountryCode } from 'libphonenumber-js/max'
import { type Db, inSavepoint } from '../../../database/connection/connect.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { computeContactChange, type LockedContact, saveContactChanges } from '../../contacts/records/changes.ts'
import { type ContactPatch, identifyContactValues, pickFilledValues } from '../../contacts/records/flat-map.ts'
import { lockContactsByIds } from '../../contacts/records/write.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { normalizeStoredPhone } from '../../contacts/values/phone-value.ts'
import type { NormalizationCounts } from './normalization-schemas.ts'

const MAX_TRIES = 20

/** The countries tried in order, by id of a phone field. */
export type PhoneFieldCountries = Record<string, CountryCode[]>

/** The numbers of a contact: those of ordinary fields, and those that change its key. */
interface Numbers {
  contact: LockedContact
  plain: ContactPatch
  keyed: ContactPatch
  unchanged: number
  invalid: number
}

interface Given {
  countries: PhoneFieldCountries
  counts: NormalizationCounts
  clock: Clock
}

function size(patch: ContactPatch): number {
  return Object.keys(patch).length
}

function numbersOf(shape: ContactShape, contact: LockedContact, countries: PhoneFieldCountries): Numbers {
  const numbers: Numbers = { contact, plain: {}, keyed: {}, unchanged: 0, invalid: 0 }
  const fields = shape.fields.filter(({ id, type }) => type === 'phone' && countries[id])
  for (const { id, isUnicity } of fields) {
    const value = contact.fields[id]
    if (typeof value !== 'string') continue
    const number = value.startsWith('+') ? value : normalizeStoredPhone(value, countries[id] ?? [])
    if (number === undefined) numbers.invalid++
    else if (number === value) numbers.unchanged++
    else (isUnicity ? numbers.keyed : numbers.plain)[id] = number
  }
  return numbers
}

/** The key a contact would have; undefined when it cannot have it. */
function newKey(shape: ContactShape, { contact, keyed }: Numbers): string | undefined {
  const identity = identifyContactValues(shape, pickFilledValues({ ...contact.fields, ...keyed }))
  return 'key' in identity ? identity.key : undefined
}

/** Those of the keys that contacts have now. */
async function takenKeys(tx: Db, shape: ContactShape, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select key from contacts where account = ${shape.account} and key = any(${keys}::text[])`.execute(tx)
  return new Set(rows.map(({ key }) => key))
}

/** Keeps the values of unicity fields whose new key is another contact's, or another one's of this batch. */
async function withFreeKeys(tx: Db, shape: ContactShape, numbers: readonly Numbers[]): Promise<Numbers[]> {
  const keys = new Map(numbers.filter(({ keyed }) => size(keyed) > 0).map((one) => [one, newKey(shape, one)]))
  const taken = await takenKeys(
    tx,
    shape,
    [...keys.values()].filter((key) => key !== undefined),
  )
  return numbers.map((one) => {
    if (!keys.has(one)) return one
    const key = keys.get(one)
    if (key !== undefined && taken.size < taken.add(key).size) return one
    return { ...one, keyed: {}, invalid: one.invalid + size(one.keyed) }
  })
}

/** Saves what has a free key; gives the numbers as they were saved. */
async function save(tx: Db, shape: ContactShape, numbers: readonly Numbers[], now: Date): Promise<Numbers[]> {
  const free = await withFreeKeys(tx, shape, numbers)
  const changes = free.flatMap(
    ({ contact, plain, keyed }) => computeContactChange(shape, contact, { ...plain, ...keyed }, 'rewrite') ?? [],
  )
  await saveContactChanges(tx, shape, changes, now)
  return free
}

/** Retries when another transaction took a key between the check and the change. */
async function saveSurely(tx: Db, shape: ContactShape, numbers: readonly Numbers[], now: Date): Promise<Numbers[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await inSavepoint(tx, () => save(tx, shape, numbers, now))
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'unicity-taken' || tries === MAX_TRIES) throw error
    }
  }
}

/** Brings the telephone numbers of contacts to E.164; gives the counts with theirs added. */
export async function normalizePhoneBatch(
  tx: Db,
  shape: ContactShape,
  contacts: readonly number[],
  { countries, counts, clock }: Given,
): Promise<NormalizationCounts> {
  const locked = await lockContactsByIds(tx, shape.account, contacts)
  const numbers = locked.map((contact) => numbersOf(shape, contact, countries))
  const saved = await saveSurely(tx, shape, numbers, new Date(clock.now()))
  return saved.reduce(
    ({ normalized, unchanged, invalid }, one) => ({
      normalized: normalized + size(one.plain) + size(one.keyed),
      unchanged: unchanged + one.unchanged,
      invalid: invalid + one.invalid,
    }),
    counts,
  )
}
