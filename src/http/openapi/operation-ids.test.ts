import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { listOpenApiOperations, type OpenApiDocument } from './document.ts'
import { buildOperationId, listRenamedOperations } from './operation-ids.ts'

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument
const described = listOpenApiOperations(document)
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

  test('a changed id is found, since generated clients depend on them', () => {
    const renamed = structuredClone(document)
    renamed.paths['/categories']!['get']!.operationId = 'readCategories'
    assert.deepEqual(listRenamedOperations(document, renamed), [
      'GET /categories: listCategories became readCategories',
    ])
    delete renamed.paths['/categories']
    assert.deepEqual(listRenamedOperations(document, renamed), [])
    assert.deepEqual(listRenamedOperations(renamed, document), [])
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
