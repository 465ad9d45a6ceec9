import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { computeEntityTag, requirePrecondition } from './conditional.ts'

/** A schema that counts how often its members are read. */
function countedSchema() {
  let reads = 0
  const { properties } = Type.Object({ name: Type.String() })
  const schema = Type.Object({})
  Object.defineProperty(schema, 'properties', {
    enumerable: true,
    get() {
      reads++
      return properties
    },
  })
  return { schema, countReads: () => reads }
}

suite('a request with If-Match', () => {
  test('compiles the schema of the resource with the first request only', async () => {
    const { schema, countReads } = countedSchema()
    const request = { headers: { 'if-match': computeEntityTag('{"name":"Pear"}') } } as unknown as FastifyRequest
    await requirePrecondition(request, schema, async () => ({ name: 'Pear' }))
    const readsOfFirst = countReads()
    assert.ok(readsOfFirst > 0)
    await requirePrecondition(request, schema, async () => ({ name: 'Pear' }))
    assert.equal(countReads(), readsOfFirst)
  })
})
