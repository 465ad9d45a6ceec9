import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPostgresArray } from './array-text.ts'

test('an array becomes the text that PostgreSQL reads, with null for undefined', () => {
  assert.equal(formatPostgresArray([]), '{}')
  assert.equal(
    formatPostgresArray([1, -2, 'word', true, null, undefined, new Date(0)]),
    '{1,-2,word,true,null,null,1970-01-01T00:00:00.000Z}',
  )
})
