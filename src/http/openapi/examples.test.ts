import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { schemasOf } from '#test/support/openapi/example-schemas.ts'
import { listOpenApiOperations, type OpenApiDocument, type OpenApiJson } from './document.ts'
import { readOperationExamples } from './examples.ts'

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument
const examples = readOperationExamples()
const refusal = schemasOf(document)

/** Every example of the document, with the way to its schema. */
function* shown(
  part: unknown,
  way: readonly string[] = [],
): Generator<{ way: readonly string[]; example: OpenApiJson }> {
  if (typeof part !== 'object' || part === null) return
  const { example, schema } = part as { example?: OpenApiJson; schema?: OpenApiJson }
  if (example !== undefined && schema !== undefined) yield { way: [...way, 'schema'], example }
  for (const [name, inner] of Object.entries(part)) if (name !== 'example') yield* shown(inner, [...way, name])
}

suite('examples of the interface description', () => {
  test('every example matches its schema', () => {
    const all = [...shown(document)]
    assert.ok(all.length > 300, `${all.length} examples`)
    for (const { way, example } of all) {
      assert.equal(refusal(example, way), undefined, way.join('/'))
    }
  })

  test('every operation has one, except a stream and pages of a sign-in provider', () => {
    const ids = listOpenApiOperations(document).map(({ operation }) => operation.operationId!)
    const without = ids.filter((id) => !(id in examples))
    assert.deepEqual(without, ['streamEvents', 'signInByProvider', 'returnFromProvider'])
  })

  test('every example belongs to an operation and its path matches it', () => {
    const paths = new Map(listOpenApiOperations(document).map(({ path, operation }) => [operation.operationId!, path]))
    for (const [id, { path }] of Object.entries(examples)) {
      const pattern = paths.get(id)?.replaceAll(/\{\w+\}/g, '[^/]+')
      assert.match(path.split('?')[0]!, new RegExp(`^${pattern}$`), id)
    }
  })

  test('addresses of people use reserved domains', () => {
    const addresses = JSON.stringify(examples).match(/[\w.+-]+@[\w.-]+\w/g) ?? []
    assert.ok(addresses.length > 50)
    assert.deepEqual(
      addresses.filter((address) => !/(\.|@)(example|test|example\.com|example\.org|127\.0\.0\.1)$/.test(address)),
      [],
    )
  })
})
