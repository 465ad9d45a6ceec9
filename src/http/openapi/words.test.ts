import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { listOpenApiOperations, type OpenApiDocument, type OpenApiObject, type OpenApiResponse } from './document.ts'
import { visitChildSchemas } from './schema-walk.ts'

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument

type Named = readonly [name: string, schema: OpenApiObject]

/** The schemas of a body; what problems are is said once, by their component. */
const schemasOf = (name: string, { content = {} }: Pick<OpenApiResponse, 'content'>): Named[] =>
  Object.entries(content).flatMap(([type, { schema }]) =>
    schema && type !== 'application/problem+json' ? [[name, schema]] : [],
  )

const webhooks = listOpenApiOperations({ ...document, paths: document.webhooks! })
const bodies = [...listOpenApiOperations(document), ...webhooks].flatMap(({ method, path, operation }) =>
  [operation.requestBody ?? {}, ...(Object.values(operation.responses) as OpenApiResponse[])].flatMap((body) =>
    schemasOf(`${method.toUpperCase()} ${path}`, body),
  ),
)
const shared = Object.entries(document.components.responses ?? {}).flatMap(([name, body]) => schemasOf(name, body))

/** Whether a schema, or the component that it refers to, is described. */
function isSaid({ description, $ref }: OpenApiObject): boolean {
  const name = typeof $ref === 'string' ? $ref.split('/').at(-1)! : ''
  return (description ?? document.components.schemas[name]?.description) !== undefined
}

/** Members without words within a schema, by the way to them. */
function silent(schema: OpenApiObject, way: string): string[] {
  const found: string[] = []
  visitChildSchemas(schema, (child, { keyword, at }) => {
    const isMember = keyword === 'properties'
    const there = isMember ? `${way}.${at}` : way
    if (isMember && !isSaid(child)) found.push(there)
    found.push(...silent(child, there))
  })
  return found
}

suite('descriptions of members', () => {
  test('every member of every component and body has a description', () => {
    const schemas = [...Object.entries(document.components.schemas), ...bodies, ...shared]
    assert.ok(schemas.length > 400, `${schemas.length} schemas`)
    assert.deepEqual(
      schemas.flatMap(([name, schema]) => silent(schema, name)),
      [],
    )
  })
})
