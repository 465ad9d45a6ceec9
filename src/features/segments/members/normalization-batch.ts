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
interface ContactNumbers {
  contact: LockedContact
  plain: ContactPatch
  keyed: ContactPatch
  unchanged: number
  invalid: number
}

interface NormalizationInput {
  countries: PhoneFieldCountries
  counts: NormalizationCounts
  clock: Clock
}

function countPatchValues(patch: ContactPatch): number {
  return Object.keys(patch).length
}

function normalizeNumbers(shape: ContactShape, contact: LockedContact, countries: PhoneFieldCountries): ContactNumbers {
  const contactNumbers: ContactNumbers = { contact, plain: {}, keyed: {}, unchanged: 0, invalid: 0 }
  const phoneFields = shape.fields.filter(({ id, type }) => type === 'phone' && countries[id])
  for (const { id, isUnicity } of phoneFields) {
    const value = contact.fields[id]
    if (typeof value !== 'string') continue
    const number = normalizeStoredPhone(value, countries[id] ?? [])
    if (number === undefined) contactNumbers.invalid++
    else if (number === value) contactNumbers.unchanged++
    else (isUnicity ? contactNumbers.keyed : contactNumbers.plain)[id] = number
  }
  return contactNumbers
}

/** The key a contact would have; undefined when it cannot have it. */
function computeNewKey(shape: ContactShape, { contact, keyed }: ContactNumbers): string | undefined {
  const identity = identifyContactValues(shape, pickFilledValues({ ...contact.fields, ...keyed }))
  return 'key' in identity ? identity.key : undefined
}

/** Those of the keys that contacts have now. */
async function readExistingKeys(tx: Db, shape: ContactShape, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select key from contacts where account = ${shape.account} and key = any(${keys}::text[])`.execute(tx)
  return new Set(rows.map(({ key }) => key))
}

/** Keeps the values of unicity fields whose new key is another contact's, or another one's of this batch. */
async function revertConflictingKeys(
  tx: Db,
  shape: ContactShape,
  numbers: readonly ContactNumbers[],
): Promise<ContactNumbers[]> {
  const newKeys = new Map(
    numbers
      .filter(({ keyed }) => countPatchValues(keyed) > 0)
      .map((itemNumbers) => [itemNumbers, computeNewKey(shape, itemNumbers)]),
  )
  const usedKeys = await readExistingKeys(
    tx,
    shape,
    [...newKeys.values()].filter((key) => key !== undefined),
  )
  return numbers.map((itemNumbers) => {
    if (!newKeys.has(itemNumbers)) return itemNumbers
    const key = newKeys.get(itemNumbers)
    if (key !== undefined && usedKeys.size < usedKeys.add(key).size) return itemNumbers
    return { ...itemNumbers, keyed: {}, invalid: itemNumbers.invalid + countPatchValues(itemNumbers.keyed) }
  })
}

/** Saves what has a free key; gives the numbers as they were saved. */
async function saveNumbers(
  tx: Db,
  shape: ContactShape,
  numbers: readonly ContactNumbers[],
  now: Date,
): Promise<ContactNumbers[]> {
  const savableNumbers = await revertConflictingKeys(tx, shape, numbers)
  const changes = savableNumbers.flatMap(
    ({ contact, plain, keyed }) => computeContactChange(shape, contact, { ...plain, ...keyed }, 'rewrite') ?? [],
  )
  await saveContactChanges(tx, shape, changes, now)
  return savableNumbers
}

/** Retries when another transaction took a key between the check and the change. */
async function saveWithRetries(
  tx: Db,
  shape: ContactShape,
  numbers: readonly ContactNumbers[],
  now: Date,
): Promise<ContactNumbers[]> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await inSavepoint(tx, () => saveNumbers(tx, shape, numbers, now))
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'unicity-taken' || attempts === MAX_TRIES) throw error
    }
  }
}

/** Brings the telephone numbers of contacts to E.164; gives the counts with theirs added. */
export async function normalizePhoneBatch(
  tx: Db,
  shape: ContactShape,
  contacts: readonly number[],
  { countries, counts, clock }: NormalizationInput,
): Promise<NormalizationCounts> {
  const lockedContacts = await lockContactsByIds(tx, shape.account, contacts)
  const batchNumbers = lockedContacts.map((contact) => normalizeNumbers(shape, contact, countries))
  const savedNumbers = await saveWithRetries(tx, shape, batchNumbers, new Date(clock.now()))
  return savedNumbers.reduce(
    ({ normalized, unchanged, invalid }, itemNumbers) => ({
      normalized: normalized + countPatchValues(itemNumbers.plain) + countPatchValues(itemNumbers.keyed),
      unchanged: unchanged + itemNumbers.unchanged,
      invalid: invalid + itemNumbers.invalid,
    }),
    counts,
  )
}
