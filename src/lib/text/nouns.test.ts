import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCount, pluralizeNoun, withArticle } from './nouns.ts'

test('a noun is in the singular after 1 alone', () => {
  const counts = [0, 1, 2].map((count) => formatCount(count, 'second'))
  assert.deepEqual(counts, ['0 seconds', '1 second', '2 seconds'])
})

test('a plural ends with -ies after a consonant and y', () => {
  assert.deepEqual(['day', 'category', 'field'].map(pluralizeNoun), ['days', 'categories', 'fields'])
})

test('an article follows the sound that the noun begins with', () => {
  const nouns = ['import', 'user', 'unicity', 'RCS profile', 'webhook']
  assert.deepEqual(nouns.map(withArticle), ['an import', 'a user', 'a unicity', 'an RCS profile', 'a webhook'])
})
