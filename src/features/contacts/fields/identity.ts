import { foldUnicodeCase, normalizeAddressCase } from '../../../lib/text/fold.ts'
import { formatPlainNumber } from '../values/number-text.ts'
import { isLongerThan } from '../values/text-value.ts'
import type { ContactDefinitions } from './definitions.ts'
import type { ContactFieldDefinition } from './field-schemas.ts'

/** A value as contacts hold it: text, ISO date, number, index of a label, indexes of labels. */
export type StoredValue = string | number | number[]

/** The values of a contact by field id; empty ones are absent. */
export type StoredFields = Record<string, StoredValue>

/** Characters a key may have. */
const MAX_KEY_LENGTH = 512

/** The values of the unicity fields (given by ascending id) joined as stored; undefined when one is empty. */
export function joinUnicity(unicity: readonly { id: number }[], values: StoredFields): string | undefined {
  let joinedUnicity = ''
  for (const { id } of unicity) {
    const value = values[id]
    if (value === undefined) return undefined
    joinedUnicity += typeof value === 'number' ? formatPlainNumber(value) : value
  }
  return joinedUnicity
}

/** The rule that makes the keys of an account's contacts. */
export interface ContactKeyRule extends Pick<ContactDefinitions, 'foldsKeys'> {
  /** The unicity fields. */
  unicity: readonly Pick<ContactFieldDefinition, 'type'>[]
}

/**
 * The key that must be unique in the account: the unicity without regard to case; if an email is part of it, in the form in which
 * addresses are compared. Undefined if it is too long.
 */
export function buildContactKey({ unicity: fields, foldsKeys }: ContactKeyRule, unicity: string): string | undefined {
  const isAddress = !foldsKeys && fields.some(({ type }) => type === 'email')
  const key = isAddress ? normalizeAddressCase(unicity) : foldUnicodeCase(unicity)
  return isLongerThan(key, MAX_KEY_LENGTH) ? undefined : key
}
