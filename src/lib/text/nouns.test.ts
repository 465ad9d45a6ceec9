import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCount, pluralizeNoun, singularizeAfterOne, withArticle } from './nouns.ts'

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

test('the message of a schema has its noun in the singular after 1 alone', () => {
  const messages = [
    'must not have fewer than 1 items',
    'must NOT have fewer than 1 characters, or must NOT have more than 1 properties',
    'must not have more than 21 items',
    'must not have fewer than 1.1 items',
  ]
  assert.deepEqual(messages.map(singularizeAfterOne), [
    'must not have fewer than 1 item',
    'must NOT have fewer than 1 character, or must NOT have more than 1 property',
    'must not have more than 21 items',
    'must not have fewer than 1.1 items',
  ])
})
