import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import {
  listOpenApiOperations,
  type OpenApiDocument,
  type OpenApiObject,
  resolveOpenApiParameter,
  resolveOpenApiResponse,
} from './document.ts'

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument

/** Types that browsers, Node.js, Python or PHP have, which a generated type of the same name would hide. */
const GLOBALS = new Set(
  'Array Blob Body Buffer Cache Client Console Credential Date Document Element Error Event File Function Headers History Image Iterator List Location Map Module Navigator Node Notification Number Object Option Permissions Position Promise Proxy Range Record Report Request Response Selection Set String Symbol Text Type Window Worker'.split(
    ' ',
  ),
)

/** The members of an answer, of the items of a list, or of a component that they refer to. */
function getMembers(schema: OpenApiObject | undefined): OpenApiObject {
  const items = (schema?.type === 'array' ? schema.items : schema) as OpenApiObject | undefined
  const name = typeof items?.$ref === 'string' ? items.$ref.split('/').at(-1)! : undefined
  const members = name === undefined ? items?.properties : document.components.schemas[name]?.properties
  return (members ?? {}) as OpenApiObject
}

suite('components of the description', () => {
  test('have names that no language uses for something else, and that do not count', () => {
    const names = Object.keys(document.components.schemas)
    assert.deepEqual(
      names.filter((name) => GLOBALS.has(name) || /\d$/.test(name)),
      [],
    )
  })

  test('of answers that refuse are not named after one of the operations that give them', () => {
    const tags = new Set(document.tags?.map(({ name }) => name.replaceAll(/\W/g, '').toLowerCase()))
    const operations = listOpenApiOperations(document)
      .map(({ operation }) => operation.operationId!.toLowerCase())
      .filter((id) => !tags.has(id))
    const refusals = Object.keys(document.components.responses ?? {}).filter((name) =>
      /(?:Refused|Conflict|Invalid|Forbidden|NotFound|Gone)\d*$/.test(name),
    )
    assert.ok(refusals.length > 20)
    assert.deepEqual(
      refusals.filter((name) => operations.some((id) => name.toLowerCase().startsWith(id))),
      [],
    )
  })
})

test('an id has the same type in a path as in the answer of that path', () => {
  const wrong = listOpenApiOperations(document).flatMap(({ method, path, operation }) => {
    if (method !== 'get' || !path.endsWith('{id}') || !operation.responses['200']) return []
    const { content } = resolveOpenApiResponse(document, operation.responses['200'])
    const id = getMembers(content?.['application/json']?.schema)['id'] as OpenApiObject | undefined
    const parameters = (operation.parameters ?? []).map((parameter) => resolveOpenApiParameter(document, parameter))
    const type = parameters.find(({ name }) => name === 'id')?.schema.type
    const isInteger = [id?.type].flat().includes('integer')
    return id === undefined || isInteger === (type === 'integer') ? [] : [path]
  })
  assert.deepEqual(wrong, [])
})
