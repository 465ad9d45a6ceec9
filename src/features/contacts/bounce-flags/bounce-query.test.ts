import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../../lib/errors/problem.ts'
import { parseBounceQuery } from './bounce-query.ts'

const find = (key: string) => (['101', 'Email', 'First mail'].includes(key) ? { id: 101 } : undefined)

function asked(query: string) {
  return parseBounceQuery(query, find).map(({ asked, negated }) => (negated ? ['not', asked] : asked))
}

describe('bounce flag query', () => {
  it('is split into terms at spaces', () => {
    assert.deepEqual(asked('  field:101 type:hardUser after:2026-01-01\texample.org '), [
      { type: 'field', id: 101 },
      { type: 'codes', codes: [52] },
      { type: 'after', ms: Date.UTC(2026, 0, 1) },
      { type: 'text', text: 'example.org' },
    ])
    assert.deepEqual(asked(''), [])
  })

  it('allows quoted names and phrases', () => {
    assert.deepEqual(asked('field:"First mail" "mailbox full" it"s'), [
      { type: 'field', id: 101 },
      { type: 'text', text: 'mailbox full' },
      { type: 'text', text: 'it"s' },
    ])
  })

  it('treats a leading minus as negation and any other minus as text', () => {
    assert.deepEqual(asked('-type:soft -"over quota" post-office'), [
      ['not', { type: 'codes', codes: [4] }],
      ['not', { type: 'text', text: 'over quota' }],
      { type: 'text', text: 'post-office' },
    ])
  })

  it('reads milliseconds before 1970', () => {
    assert.deepEqual(asked('-before:-1'), [['not', { type: 'before', ms: -1 }]])
  })

  it('accepts bounce types by name, by code and as hard', () => {
    assert.deepEqual(asked('type:hard'), [{ type: 'codes', codes: [51, 52, 53, 54] }])
    assert.deepEqual(asked('type:HARDUSER,4,reportAsSpam'), [{ type: 'codes', codes: [52, 4, 6] }])
  })

  it('accepts segments and contacts', () => {
    assert.deepEqual(asked('segment:41 contact:000abc1d'), [
      { type: 'segment', id: 41 },
      { type: 'contact', id: Number.parseInt('ABC1D', 36) },
    ])
  })

  it('searches for any other word, even with a colon', () => {
    assert.deepEqual(asked('smtp;550:x'), [{ type: 'text', text: 'smtp;550:x' }])
  })

  it('reports the position of a syntax error', () => {
    const faults: [string, number][] = [
      ['type:nonsense', 1],
      ['field:101 type:soft,', 11],
      ['a field:102', 3],
      ['a "unclosed', 3],
      ['a b\u0000', 3],
      ['"a"b', 1],
      ['-', 1],
      ['type:', 1],
      ['a type: soft', 3],
      ['after:tomorrow', 1],
      ['after:-62135596800001', 1],
      ['segment:x', 1],
      ['contact:?', 1],
    ]
    for (const [query, position] of faults) {
      assert.throws(
        () => parseBounceQuery(query, find),
        (error) =>
          error instanceof Problem && error.status === 400 && error.detail.includes(`at character ${position}:`),
        query,
      )
    }
  })
})
