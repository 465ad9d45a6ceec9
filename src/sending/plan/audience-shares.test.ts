import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { seededRun } from '#test/fakes/scripts/seeded.ts'
import { formatContactId } from '../../lib/ids.ts'
import { type AudienceShares, assignContactShare, splitAudienceShares } from './audience-shares.ts'

const place = (key: string, contact: number): number =>
  createHash('sha256')
    .update(`${key}:${formatContactId(contact)}`)
    .digest()
    .readUInt32BE(0) % 10_000

test("a contact's hash selects its share: holdout first, then the versions, then the rest", () => {
  const shares: AudienceShares = {
    key: '7:000K7Q:experiment',
    holdout: 5.25,
    versions: [
      { version: 31, share: 10 },
      { version: 32, share: 20.5 },
    ],
  }
  const counts = new Map<number | string | null, number>()
  for (let contact = 1; contact <= 20_000; contact++) {
    const at = place(shares.key, contact)
    const expected = at < 525 ? 'heldOut' : at < 1525 ? 31 : at < 3575 ? 32 : null
    assert.equal(assignContactShare(shares, contact), expected)
    counts.set(expected, (counts.get(expected) ?? 0) + 1)
  }
  for (const [share, percent] of [
    ['heldOut', 5.25],
    [31, 10],
    [32, 20.5],
    [null, 64.25],
  ] as const)
    assert.ok(Math.abs(counts.get(share)! / 200 - percent) < 1.5, `${share}: ${counts.get(share)}`)
})

test('every contact is in exactly one share, the same each time, and whole shares leave no rest', (t) => {
  const random = seededRun(t)
  for (let round = 0; round < 50; round++) {
    const holdout = Math.floor(random() * 5000) / 100
    const count = 2 + Math.floor(random() * 4)
    const isWhole = round % 2 === 0
    const each = Math.floor(((100 - holdout) * 100) / count) / 100
    const versions = Array.from({ length: count }, (_, n) => ({
      version: n + 1,
      share: isWhole && n === count - 1 ? Math.round((100 - holdout - each * (count - 1)) * 100) / 100 : each,
    }))
    const shares = { key: `${round}:A:experiment`, holdout, versions }
    const contacts = Array.from({ length: 500 }, () => 1 + Math.floor(random() * 1e9))
    const one = splitAudienceShares(shares, contacts)
    assert.deepEqual(splitAudienceShares(shares, contacts), one)
    assert.deepEqual(
      one.contacts,
      contacts.filter((contact) => assignContactShare(shares, contact) !== 'heldOut'),
    )
    assert.deepEqual(
      one.versions,
      one.contacts.map((contact) => assignContactShare(shares, contact)),
    )
    if (isWhole) assert.equal(one.versions.includes(null), false)
  }
})
