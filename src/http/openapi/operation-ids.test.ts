import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { listOpenApiOperations, type OpenApiDocument } from './document.ts'
import { operationIdExceptions } from './operation-id-exceptions.ts'
import { buildOperationId } from './operation-ids.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const described = listOpenApiOperations(JSON.parse(read('../../../openapi.json')) as OpenApiDocument)
const ids = described.map(({ operation }) => operation.operationId!)

suite('operation ids', () => {
  test('each is camel case and names one operation', () => {
    assert.deepEqual(
      ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id)),
      [],
    )
    assert.deepEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      [],
    )
  })

  test('none has changed, since generated clients depend on them', () => {
    const lines = described.map(
      ({ method, path, operation }) => `${operation.operationId} ${method.toUpperCase()} ${path}`,
    )
    assert.deepEqual(lines.sort(), read('operation-ids.txt').trimEnd().split('\n').sort())
  })

  test('every exception belongs to an operation', () => {
    const known = new Set(described.map(({ method, path }) => `${method.toUpperCase()} ${path}`))
    assert.deepEqual(
      Object.keys(operationIdExceptions).filter((name) => !known.has(name)),
      [],
    )
  })

  test('each follows the naming rule of its method and path', () => {
    const named = (name: string, isList = false): string => {
      const [method = '', path = ''] = name.split(' ')
      return buildOperationId(method.toLowerCase(), path, isList)
    }
    assert.equal(named('GET /categories', true), 'listCategories')
    assert.equal(named('POST /categories'), 'createCategory')
    assert.equal(named('PUT /channel/rcs/actions/{id}'), 'updateRcsAction')
    assert.equal(named('DELETE /actions/{id}/pause'), 'resumeAction')
    assert.equal(named('GET /actions/events/hits/open', true), 'listAllActionOpenHitEvents')
    assert.equal(named('GET /actions/{id}/events/hits/open', true), 'listActionOpenHitEvents')
    assert.equal(named('GET /targets/events', true), 'listTargetEventsByQuery')
  })
})
