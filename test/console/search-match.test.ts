import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { rankMatch } from '../../console/screens/search/match.ts'

const NAMES = ['Campaigns', 'Campaign groups', 'Create a campaign', 'Deliverability', 'Événements', 'API keys']
const found = (typed: string): string[] =>
  NAMES.map((name) => ({ name, rank: rankMatch(name, typed) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ name }) => name)

suite('search of the console', () => {
  test('what begins with the letters is first, then what has a word that does', () => {
    assert.deepEqual(found('camp'), ['Campaigns', 'Campaign groups', 'Create a campaign'])
    assert.deepEqual(found('keys'), ['API keys'])
  })

  test('accents and case make no difference', () => {
    assert.deepEqual(found('EVEN'), ['Événements'])
  })

  test('words may be in any order, and only begun', () => {
    assert.deepEqual(found('gro camp'), ['Campaign groups'])
  })

  test('one wrong letter, two swapped ones or left out ones are forgiven', () => {
    assert.deepEqual(found('delivarab'), ['Deliverability'])
    assert.deepEqual(found('delievr'), ['Deliverability'])
    assert.deepEqual(found('dlvrb'), ['Deliverability'])
  })

  test('what has other letters is not found', () => {
    assert.deepEqual(found('zzz'), [])
  })
})
