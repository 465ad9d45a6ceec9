import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findUnknownMembers } from './unknown-members.ts'
import { isStrictPreferred } from './validation.ts'

suite('strict validation', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      nested: { type: 'object', properties: { a: {} } },
      list: { type: 'array', items: { type: 'object', properties: { b: {} } } },
      map: { type: 'object', additionalProperties: true },
      either: { anyOf: [{ type: 'object', properties: { c: {} } }, { type: 'null' }] },
    },
  }

  test('reports unknown members at every level by RFC 6901 pointers', () => {
    const body = {
      name: 'x',
      odd: 1,
      nested: { a: 1, 'b/c': 2 },
      list: [{ b: 1 }, { d: 1 }],
      either: { c: 1, e: 1 },
      map: { any: 1 },
    }
    assert.deepEqual(findUnknownMembers(schema, body), {
      pointers: ['/odd', '/nested/b~1c', '/list/1/d', '/either/e'],
      count: 4,
    })
  })

  test('reports nothing when all members are in the schema', () => {
    assert.deepEqual(findUnknownMembers(schema, { name: 'x', either: null, list: [] }), { pointers: [], count: 0 })
  })

  test('is requested by the Prefer header (RFC 7240), alone or with other preferences', () => {
    for (const header of [
      'handling=strict',
      'respond-async, handling=strict',
      'Handling="strict"',
      'wait=10; handling=strict',
    ])
      assert.ok(isStrictPreferred(header), header)
    for (const header of [undefined, 'handling=lenient', 'nohandling=strict'])
      assert.ok(!isStrictPreferred(header), String(header))
  })
})
