import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addToContactSet, type ContactSet, countPackedContacts, removeFromContactSet } from './summary-contacts.ts'

/** Six bytes each, the highest first. */
function list(...contacts: number[]): Buffer {
  const bytes = Buffer.alloc(6 * contacts.length)
  for (const [n, contact] of contacts.entries()) bytes.writeUIntBE(contact, 6 * n, 6)
  return bytes
}

test('a contact is counted as new once, however large its number', () => {
  const set: ContactSet = new Map()
  const contacts = [0, 1, 31, 32, 65_535, 65_536, 2 ** 32, 36 ** 8 - 1]
  assert.equal(addToContactSet(set, list(...contacts)), contacts.length)
  assert.equal(addToContactSet(set, list(...contacts.toReversed(), 2)), 1)
  assert.equal(addToContactSet(set, list(3, 3, 3)), 1)
  assert.equal(addToContactSet(set, list()), 0)
})

test('removed contacts are new again and the others are not', () => {
  const set: ContactSet = new Map()
  addToContactSet(set, list(5, 6, 70_000))
  removeFromContactSet(set, list(6, 70_000))
  assert.equal(addToContactSet(set, list(5, 6, 70_000)), 2)
})

test("a list's length is the number of its contacts", () => {
  assert.equal(countPackedContacts(list(1, 2, 3)), 3)
})
