import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { schemasOf } from '#test/support/openapi/example-schemas.ts'
import {
  listOpenApiOperations,
  type OpenApiDocument,
  type OpenApiJson,
  type OpenApiMedia,
  resolveOpenApiResponse,
} from './document.ts'
import { readOperationExamples } from './examples.ts'

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument
const examples = readOperationExamples()
const refusal = schemasOf(document)

/** Operations without an example of what they read or return, with the reason. */
const WITHOUT_EXAMPLE: Record<string, string> = {
  'deleteTargets answer': '204, unless the client accepts the media type of an older interface',
  'uploadMedia request': 'the body is a file',
}

/** Texts that only tests send, or that only a run on one machine has. */
const MADE_UP =
  /drop table|<script|onerror|hostile|"a":1[,}]|: ?"secret"|orchard|acme001|rivl002|localhost|127\.0\.0\.1/i

/** The parts of operations that need an example: a body that they read, or JSON that they return. */
function* listShownParts(): Generator<{ id: string; part: 'request' | 'answer' }> {
  for (const { operation } of listOpenApiOperations(document)) {
    const { operationId: id = '', requestBody, responses } = operation
    if (requestBody) yield { id, part: 'request' }
    const isShown = Object.entries(responses).some(
      ([status, response]) =>
        status < '300' && resolveOpenApiResponse(document, response).content?.['application/json'] !== undefined,
    )
    if (isShown) yield { id, part: 'answer' }
  }
}

/** Every example of the document, with the way to its schema. */
function* shown(
  part: unknown,
  way: readonly string[] = [],
): Generator<{ way: readonly string[]; example: OpenApiJson }> {
  if (typeof part !== 'object' || part === null) return
  const { example, examples: named, schema } = part as OpenApiMedia
  const all = [...(example === undefined ? [] : [example]), ...Object.values(named ?? {}).map(({ value }) => value!)]
  if (schema !== undefined) for (const one of all) yield { way: [...way, 'schema'], example: one }
  for (const [name, inner] of Object.entries(part))
    if (name !== 'example' && name !== 'examples') yield* shown(inner, [...way, name])
}

suite('examples of the interface description', () => {
  test('every example matches its schema', () => {
    const all = [...shown(document)]
    assert.ok(all.length > 450, `${all.length} examples`)
    for (const { way, example } of all) {
      assert.equal(refusal(example, way), undefined, way.join('/'))
    }
  })

  test('every example belongs to an operation and its path matches it', () => {
    const paths = new Map(listOpenApiOperations(document).map(({ path, operation }) => [operation.operationId!, path]))
    for (const [id, { path }] of Object.entries(examples)) {
      const pattern = paths.get(id)?.replaceAll(/\{\w+\}/g, '[^/]+')
      assert.match(path.split('?')[0]!, new RegExp(`^${pattern}$`), id)
    }
  })

  test('every operation with a body or a JSON answer has an example, except those with a reason', () => {
    const missing = [...listShownParts()].filter(({ id, part }) => examples[id]?.[part] === undefined)
    assert.deepEqual(
      missing.map(({ id, part }) => `${id} ${part}`),
      Object.keys(WITHOUT_EXAMPLE),
      'add a call to the story in scripts/examples, and run `npm run examples`',
    )
  })

  test('examples hold no values that tests make up', () => {
    const madeUp = Object.entries(examples).filter(([, example]) => MADE_UP.test(JSON.stringify(example)))
    assert.deepEqual(
      madeUp.map(([id]) => id),
      [],
    )
  })

  test('phone numbers of people are in the range that France reserves for fiction', () => {
    const numbers = JSON.stringify(document).match(/\+\d{9,15}\b/g) ?? []
    assert.ok(numbers.length > 20)
    assert.deepEqual(
      numbers.filter((number) => !/^\+3363998\d{4}$/.test(number)),
      [],
    )
  })

  test('addresses of people use reserved domains', () => {
    const addresses = JSON.stringify(examples).match(/[\w.+-]+@[\w.-]+\w/g) ?? []
    assert.ok(addresses.length > 50)
    assert.deepEqual(
      addresses.filter((address) => !/(\.|@)(example|test|example\.com|example\.org)$/.test(address)),
      [],
    )
  })
})
