import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTextFaults } from './text-faults.ts'

test('faults of rendered texts are found, and right texts have none', () => {
  for (const text of [
    'The segment is used by 2 campaigns..',
    'Try again in 1 seconds.',
    '0 byte of 3 MB',
    'It is in the list, too.',
    'Hello NaN',
  ])
    assert.equal(findTextFaults(text).length, 1, text)
  for (const text of [
    'Try again in 1 second. It waits …',
    'must be a path below the drop place, without ".."',
    'Wait ... and see: 21 seconds, 1 second, 0 bytes',
    '../docs/a.md and a..z',
    'The values are 1, 2 and 11 contacts, after 2.1 seconds.',
  ])
    assert.deepEqual(findTextFaults(text), [], text)
})
