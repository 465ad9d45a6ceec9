import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenApiDocument, OpenApiJson } from '../src/http/openapi/document.ts'
import { listOpenApiOperations, toOpenApiPath } from '../src/http/openapi/document.ts'
import { readOperationExamples } from '../src/http/openapi/examples.ts'
import { schemasOf } from '../test/support/openapi/example-schemas.ts'
import type { Recorded } from '../test/support/openapi/record-examples.ts'

/**
 * Chooses an example for each operation among what the tests recorded: `STENTOR_TEST_EXAMPLES=FOLDER npm test`, then
 * `npm run examples FOLDER`, and those there are. The one that says most, without being long.
 */
const FILE = 'openapi-examples.json'

/** Characters from which a body is too long, as long as there are others. */
const LONG = { request: 800, answer: 1500 }

/** Items of a list that show what it is. */
const ITEMS = 2

/** Members whose values would look like something to keep secret. */
const secrets = /^(password|secret|key|token|apiKey|privateKey|signature|credentials|cookie)$/i

/** A body without what is long, and without what looks secret. */
function shortened(body: OpenApiJson | undefined, name = ''): OpenApiJson | undefined {
  if (Array.isArray(body)) return body.slice(0, ITEMS).map((item) => shortened(item, name) as OpenApiJson)
  if (typeof body === 'object' && body !== null)
    return Object.fromEntries(Object.entries(body).map(([member, value]) => [member, shortened(value, member)]))
  if (typeof body === 'string' && secrets.test(name) && /^\S{16,}$/.test(body))
    return 'example-'.repeat(8).slice(0, body.length)
  return body
}

/** How many members of a body say something, each name once. */
function membersOf(body: OpenApiJson | undefined, names = new Set<string>(), way = ''): number {
  if (Array.isArray(body)) for (const item of body) membersOf(item, names, `${way}/-`)
  else if (typeof body === 'object' && body !== null)
    for (const [name, value] of Object.entries(body)) membersOf(value, names, `${way}/${name}`)
  else if (body) names.add(way)
  return names.size
}

interface Candidate {
  length: number
  members: number
  text: string
}

/** Events that tests of their reading make up have a stamp that says which list they are of. */
const isMadeUp = (body: OpenApiJson): boolean => JSON.stringify(body).includes('"of":')

/** The better of two: short enough, then with more members, then shorter. */
function better(a: Candidate, b: Candidate, long: number): number {
  const isLong = Number(a.length > long) - Number(b.length > long)
  if (isLong !== 0) return isLong
  if (a.length > long) return a.length - b.length
  return b.members - a.members || a.length - b.length || (a.text < b.text ? -1 : 1)
}

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument
const refusal = schemasOf(document)

/** Whether a body is what its schema in the document admits; what a schema does not name is no example of it, as Redocly sees it. */
const fits = (body: OpenApiJson, ...way: string[]): boolean => refusal(body, way, true) === undefined

/** The best of several bodies that fit; undefined when none does. */
function best<Body extends { body: OpenApiJson }>(all: readonly Body[], long: number, isFit: (body: Body) => boolean) {
  return all
    .map((one) => {
      const text = JSON.stringify(one.body)
      return { one, text, length: text.length, members: membersOf(one.body) }
    })
    .sort((a, b) => better(a, b, long))
    .find(({ one }) => isFit(one))?.one
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: npm run examples FOLDER')
const found = new Map<string, Recorded[]>()
for (const file of globSync('*.ndjson', { cwd: folder }).sort())
  for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
    if (line === '') continue
    const one = JSON.parse(line) as Recorded
    const name = `${one.method} ${toOpenApiPath(one.route)}`
    found.set(name, [...(found.get(name) ?? []), one])
  }

/** The media type that a body is shown with where it is described, and the way to its schema. */
function wayOf(path: string, method: string, status: string): string[] {
  const response = document.paths[path]![method]!.responses[status]!
  const start =
    '$ref' in response
      ? ['components', 'responses', response.$ref.split('/').at(-1)!]
      : ['paths', path, method, 'responses', status]
  return [...start, 'content', 'application/json', 'schema']
}

const presentExamples = readOperationExamples()

/** What an operation was sent and answered until now, as if it had been recorded. */
function present(method: string, id: string): Recorded[] {
  const { path = '', request, answer } = presentExamples[id] ?? {}
  const about = { method, route: path, url: path }
  return [
    ...(request ? [{ ...about, status: 0, request }] : []),
    ...(answer ? [{ ...about, status: Number(answer.status), answer: answer.body }] : []),
  ]
}

const chosen: typeof presentExamples = {}
for (const { method, path, operation } of listOpenApiOperations(document)) {
  const id = operation.operationId!
  const all = [...present(method, id), ...(found.get(`${method.toUpperCase()} ${path}`) ?? [])]
  const media = operation.requestBody?.content ?? {}
  const requests = all.flatMap(({ request, url }) =>
    request && media[request.type]?.schema
      ? [{ type: request.type, body: shortened(request.body as OpenApiJson) as OpenApiJson, url }]
      : [],
  )
  const request = best(requests, LONG.request, ({ type, body }) =>
    fits(body, 'paths', path, method, 'requestBody', 'content', type, 'schema'),
  )
  const answers = all.flatMap(({ answer, status, url }) =>
    answer !== undefined && operation.responses[status] && !isMadeUp(answer as OpenApiJson)
      ? [{ status: String(status), body: shortened(answer as OpenApiJson) as OpenApiJson, url }]
      : [],
  )
  const answer = best(answers, LONG.answer, ({ status, body }) => fits(body, ...wayOf(path, method, status)))
  if (!request && !answer) continue
  chosen[id] = {
    path: (request ?? answer)!.url,
    ...(request && { request: { type: request.type, body: request.body } }),
    ...(answer && { answer: { status: answer.status, body: answer.body } }),
  }
}
const lines = Object.entries(chosen)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([id, example]) => `${JSON.stringify(id)}: ${JSON.stringify(example)}`)
writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`)
process.stdout.write(`${lines.length} of ${listOpenApiOperations(document).length} operations have an example\n`)
