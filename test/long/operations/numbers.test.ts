import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import {
  listOpenApiOperations,
  type OpenApiDocument,
  type OpenApiJson,
  type OpenApiObject,
  type OpenApiOperation,
  resolveOpenApiParameter,
} from '../../../src/http/openapi/document.ts'
import { storedApplication } from '../../support/stages/push-applications.ts'
import { startStage } from '../../support/stages/stage.ts'

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument
const stage = await startStage()
const { call, segment } = stage

/** A fraction, one below what counts from 0, the first integer beyond int32, some that no double holds exactly, and some that no instant has. */
const HOSTILE = [1.5, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 1e300]

/** Ids of what there is, by the start of the paths that name it: with unknown ones most operations read no body. */
const ids: Record<string, string | number> = {}

async function create(url: string, body: unknown): Promise<Record<string, unknown>> {
  const { status, text, body: answer } = await call('POST', url, { body })
  assert.equal(status, 200, `${url}: ${text}`)
  return answer
}

const idOf = async (url: string, body: unknown): Promise<string | number> =>
  (await create(url, body))['id'] as string | number

async function makeOneOfEach(): Promise<void> {
  await create('/fields', { name: 'Mobile', type: 'phone' })
  const contact = await stage.contact('ann@shop.example')
  ids['/targets'] = contact
  ids['/segments'] = await segment([contact])
  ids['/actions'] = await stage.validated(await stage.action())
  const profile = await idOf('/channel/rcs/profiles', {
    name: 'Orchard',
    agent: 'orchard_fr_k2',
    provider: { type: 'capture' },
  })
  ids['/channel/rcs/profiles'] = profile
  const rcs = { type: 'rcsMessage', name: 'Pears', settings: { profile }, content: { type: 'text', text: 'Pears' } }
  ids['/channel/rcs/actions'] = await idOf('/channel/rcs/actions', rcs)
  const application = await storedApplication(stage)
  const versions = [{ master: true, content: { title: 'Sale', body: 'Today' } }]
  ids['/notifications'] = await idOf('/notifications', {
    type: 'push-app',
    name: 'Sale',
    settings: { application },
    versions,
  })
  ids['/scripting/webtasks'] = await idOf('/scripting/webtasks', { name: 'Log', value: 'export default () => 1' })
  const nodes = [{ id: 'end', type: 'terminal', default: true }]
  ids['/scripting/workflows'] = await idOf('/scripting/workflows', { name: 'End', nodes })
  ids['/campaigns'] = await idOf('/campaigns', { name: 'Spring', startDate: 0, endDate: 1 })
}

await makeOneOfEach()

function urlOf(path: string): string {
  const [longest] = Object.keys(ids)
    .filter((start) => path.startsWith(`${start}/`))
    .toSorted((a, b) => b.length - a.length)
  const id = longest === undefined ? '1' : String(ids[longest])
  return path.replace('{id}', id).replaceAll(/\{\w+\}/g, '1')
}

function schemaOf(given: OpenApiObject): OpenApiObject {
  const name = typeof given['$ref'] === 'string' ? given['$ref'].split('/').at(-1)! : undefined
  return name === undefined ? given : schemaOf(document.components.schemas[name]!)
}

const branchesOf = (schema: OpenApiObject): OpenApiObject[] =>
  (schema['anyOf'] ?? schema['oneOf'] ?? []) as OpenApiObject[]
const typesOf = ({ type }: OpenApiObject): OpenApiJson[] => [type ?? null].flat()
const membersOf = (schema: OpenApiObject): [string, OpenApiObject][] =>
  Object.entries((schema['properties'] ?? {}) as Record<string, OpenApiObject>)

/** A value that a schema admits, or nearly: with what must be there and no more. */
function plainValue(given: OpenApiObject): OpenApiJson {
  const schema = schemaOf(given)
  const [branch] = branchesOf(schema)
  if (schema['const'] !== undefined) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]!
  if (branch) return plainValue(branch)
  const [type] = typesOf(schema)
  if (type === 'object') {
    const required = (schema['required'] ?? []) as string[]
    const members = membersOf(schema).filter(([name]) => required.includes(name))
    return Object.fromEntries(members.map(([name, member]) => [name, plainValue(member)]))
  }
  if (type === 'array') return Number(schema['minItems'] ?? 0) > 0 ? [plainValue(schema['items'] as OpenApiObject)] : []
  if (type === 'integer' || type === 'number') return Number(schema['minimum'] ?? 1)
  return type === 'boolean' ? true : 'text'
}

/** Values of a schema in each of which one place for a number holds another one. */
function* withNumber(
  given: OpenApiObject,
  number: number,
  within: readonly OpenApiObject[] = [],
): Generator<OpenApiJson> {
  const schema = schemaOf(given)
  if (within.includes(schema)) return
  const below = (one: OpenApiJson | undefined): Iterable<OpenApiJson> =>
    typeof one === 'object' && one !== null && !Array.isArray(one) ? withNumber(one, number, [...within, schema]) : []
  const types = typesOf(schema)
  if (types.includes('integer') || types.includes('number')) yield number
  for (const branch of branchesOf(schema)) yield* below(branch)
  for (const one of below(schema['items'])) yield [one]
  const plain = membersOf(schema).length > 0 ? (plainValue(schema) as OpenApiObject) : {}
  for (const [name, member] of membersOf(schema)) for (const one of below(member)) yield { ...plain, [name]: one }
  const patterns = Object.values((schema['patternProperties'] ?? {}) as OpenApiObject)
  for (const member of [schema['additionalProperties'], ...patterns]) for (const one of below(member)) yield { 1: one }
}

/** The documents that differ from one in a single number. */
function* changed(value: OpenApiJson | undefined, number: number): Generator<OpenApiJson> {
  if (typeof value === 'number') yield number
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    for (const one of changed(member, number)) {
      yield Array.isArray(value) ? value.with(Number(name), one) : { ...value, [name]: one }
    }
  }
}

function bodiesOf({ requestBody }: OpenApiOperation, number: number): OpenApiJson[] {
  const media = requestBody?.content['application/json']
  if (!media) return []
  const examples = [media.example, ...Object.values(media.examples ?? {}).map(({ value }) => value)]
  return [
    ...(media.schema ? withNumber(media.schema, number) : []),
    ...examples.flatMap((one) => [...changed(one, number)]),
  ]
}

/** Operations that need a key; those that delete come last, so that the others find what they name. */
const operations = [...listOpenApiOperations(document)]
  .filter(({ operation: { security } }) => security === undefined || security.some((one) => 'key' in one))
  .toSorted((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'))

/** The requests, of those that differ in a number, that the service fails at. */
async function failuresOf(requests: Iterable<[method: string, url: string, body?: string]>): Promise<string[]> {
  const failures: string[] = []
  for (const [method, url, body] of requests) {
    const headers = { 'content-type': 'application/json' }
    const { status } = await call(method, url, body === undefined ? {} : { body, headers })
    if (status >= 500) failures.push(`${status} ${method} ${url} ${body ?? ''}`)
  }
  return failures
}

function* bodyRequests(): Generator<[string, string, string]> {
  for (const { method, path, operation } of operations) {
    const bodies = HOSTILE.flatMap((number) => bodiesOf(operation, number)).map((body) => JSON.stringify(body))
    for (const body of new Set(bodies)) yield [method.toUpperCase(), urlOf(path), body]
  }
}

/** As callers write numbers: digits, and an exponent of those beyond 1e21. */
function* parameterRequests(): Generator<[string, string]> {
  for (const { method, path, operation } of operations) {
    if (path.includes('{'))
      for (const number of HOSTILE) yield [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, String(number))]
    for (const parameter of operation.parameters ?? []) {
      const one = resolveOpenApiParameter(document, parameter)
      const isNumber = typesOf(schemaOf(one.schema)).some((type) => type === 'integer' || type === 'number')
      if (one.in !== 'query' || !isNumber) continue
      for (const number of HOSTILE) yield [method.toUpperCase(), `${urlOf(path)}?${one.name}=${number}`]
    }
  }
}

/** The places of a schema for integers that have no greatest value. */
function* unbounded(given: OpenApiObject, place: string, within: readonly OpenApiObject[] = []): Generator<string> {
  const schema = schemaOf(given)
  if (within.includes(schema)) return
  const below = (one: OpenApiJson | undefined, name: string): Iterable<string> =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? unbounded(one, `${place}${name}`, [...within, schema])
      : []
  const isBounded = schema['maximum'] !== undefined || schema['enum'] !== undefined
  if (typesOf(schema).includes('integer') && !isBounded) yield place
  for (const branch of branchesOf(schema)) yield* below(branch, '')
  yield* below(schema['items'], '/-')
  for (const [name, member] of membersOf(schema)) yield* below(member, `/${name}`)
}

function* unboundedPlaces(): Generator<string> {
  for (const { method, path, operation } of operations) {
    const name = `${method.toUpperCase()} ${path}`
    const { schema } = operation.requestBody?.content['application/json'] ?? {}
    if (schema) yield* unbounded(schema, `${name} `)
    for (const parameter of operation.parameters ?? []) {
      const one = resolveOpenApiParameter(document, parameter)
      yield* unbounded(one.schema, `${name} ?${one.name}`)
    }
  }
}

/** Instants are in milliseconds; what they may be is said where they are read. */
const INSTANT = /\/(?:\w+(?:Date|Time)|expiration|at)$/

suite('numbers that are no int32', () => {
  test('every integer of a request but instants has a greatest value in its schema', () => {
    assert.deepEqual(
      [...new Set(unboundedPlaces())].filter((place) => !INSTANT.test(place)),
      [],
    )
  })

  test('the service fails at none in the body of any operation', async () => {
    assert.deepEqual(await failuresOf(bodyRequests()), [])
  })

  test('the service fails at none in a path or a query of any operation', async () => {
    assert.deepEqual(await failuresOf(parameterRequests()), [])
  })

  test('a test of a notification to a segment that no int32 names is refused as on the other channels', async () => {
    for (const value of [1.5, 2 ** 31, 0, '1']) {
      const recipient = { type: 'segment', value }
      const url = `/notifications/${ids['/notifications']}/test`
      const { status, body } = await call('POST', url, { body: { recipient } })
      const pointers = (body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)
      assert.ok(status === 400 && pointers.includes('/recipient/value'), `${status} ${pointers} for ${value}`)
    }
  })
})
