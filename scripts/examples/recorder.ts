import type { OpenApiDocument, OpenApiJson, OpenApiObject } from '../../src/http/openapi/document.ts'
import { listOpenApiOperations } from '../../src/http/openapi/document.ts'
import type { OperationExample } from '../../src/http/openapi/examples.ts'
import { schemasOf } from '../../test/support/openapi/example-schemas.ts'
import type { StoryCalendar, StoryMoment } from './calendar.ts'
import type { StableValues } from './stable-values.ts'

/** A call as it was made. */
export interface MadeCall {
  id: string
  seen: StoryMoment
  example: OperationExample
}

/** Items of a list that show what it is. */
const MAX_ITEMS = 2
/** Items of a list within an answer. */
const MAX_INNER_ITEMS = 8
/** Characters from which lists within an answer are cut too, and texts. */
const LONG_ANSWER = 2500
const LONG_TEXT = 600

/** Members whose values would look like something to keep secret. */
const SECRET_NAMES = /^(password|secret|key|token|apiKey|privateKey|signature|credentials|cookie)$/i

/** Shown in place of the service account of Google, which is a JSON file with a private key. */
const SHOWN_ACCOUNT = {
  type: 'service_account',
  project_id: 'harbour-tea',
  private_key: '-----BEGIN PRIVATE KEY-----\n(key of the account)\n-----END PRIVATE KEY-----\n',
  client_email: 'stentor@harbour-tea.example',
}

const isServiceAccount = (body: OpenApiJson | undefined): boolean =>
  JSON.stringify(body ?? null).includes('service_account')

/** A body without what looks secret. */
function maskSecrets(body: OpenApiJson | undefined, name = ''): OpenApiJson | undefined {
  if (name === 'credentials' && isServiceAccount(body)) return SHOWN_ACCOUNT
  if (name === 'key' && isServiceAccount(body)) return JSON.stringify(SHOWN_ACCOUNT)
  if (Array.isArray(body)) return body.map((item) => maskSecrets(item, name) as OpenApiJson)
  if (typeof body === 'object' && body !== null)
    return Object.fromEntries(Object.entries(body).map(([member, value]) => [member, maskSecrets(value, member)]))
  if (typeof body === 'string' && SECRET_NAMES.test(name) && /^\S{16,}$/.test(body))
    return 'example-'.repeat(8).slice(0, body.length)
  return body
}

/** A body of a request without members that are null only because a run on this machine needs another value. */
function dropHidden(sent: OpenApiJson | undefined, shown: OpenApiJson | undefined): OpenApiJson | undefined {
  if (Array.isArray(sent) && Array.isArray(shown))
    return shown.map((item, index) => dropHidden(sent[index], item) as OpenApiJson)
  if (typeof sent !== 'object' || sent === null || typeof shown !== 'object' || shown === null) return shown
  const [before, after] = [sent as OpenApiObject, shown as OpenApiObject]
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => value !== undefined && (value !== null || before[name] === null))
      .map(([name, value]) => [name, dropHidden(before[name], value)]),
  )
}

/** A body with fewer items in each list of more than `most`, and with short texts. */
function cutLists(body: OpenApiJson | undefined, most: number): OpenApiJson | undefined {
  if (Array.isArray(body))
    return body.slice(0, body.length > most ? MAX_ITEMS : most).map((item) => cutLists(item, most) as OpenApiJson)
  if (typeof body === 'object' && body !== null)
    return Object.fromEntries(Object.entries(body).map(([member, value]) => [member, cutLists(value, most)]))
  return typeof body === 'string' && body.length > LONG_TEXT ? `${body.slice(0, LONG_TEXT)}…` : body
}

/** The heading of a table and its first rows, in the order of contacts: otherwise it depends on random IDs. */
function shortenTable(table: string): string {
  const [heading = '', ...rows] = table.split('\r\n').filter((row) => row !== '')
  return [heading, ...rows.sort().slice(0, MAX_ITEMS), ''].join('\r\n')
}

/** IDs, times and durations of a run. */
const RANDOM_PARTS =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{13}|\d{4}-\d\d-\d\dT[\d:.]+Z|"message":"[^"]*"|"(?:durationMs|at)":\d+/g

/** The time of an event, an archive, a run or the like. */
function readItemTime(item: OpenApiJson): number | undefined {
  const { timestamp, sendingDate, date, creationDate } = (item ?? {}) as Record<string, unknown>
  if (typeof timestamp === 'number') return timestamp
  const text = sendingDate ?? date ?? creationDate
  return typeof text === 'string' ? Date.parse(text) : undefined
}

/** Sorts what has one moment of the story by its contents: IDs made within a millisecond, and work done side by side, have no order. */
function sortByMoment(list: readonly OpenApiJson[], momentOf: (ms: number) => number): readonly OpenApiJson[] {
  const keyed = list.map((item) => {
    const time = readItemTime(item)
    const key = JSON.stringify(item).replaceAll(RANDOM_PARTS, '')
    return { item, moment: time === undefined ? Number.NaN : momentOf(time), key }
  })
  const isSorted = (direction: 1 | -1) =>
    keyed.every(({ moment }, index) => direction * (moment - (keyed[index - 1]?.moment ?? moment)) >= 0)
  const direction = isSorted(1) ? 1 : -1
  if (!isSorted(direction)) return list
  return keyed.sort((a, b) => direction * (a.moment - b.moment) || (a.key < b.key ? -1 : 1)).map(({ item }) => item)
}

function shortenAnswer(body: OpenApiJson, momentOf: (ms: number) => number): OpenApiJson {
  if (typeof body === 'string' && body.includes('\r\n')) return shortenTable(body)
  const shortened = Array.isArray(body) ? sortByMoment(body, momentOf).slice(0, MAX_ITEMS) : body
  const most = JSON.stringify(shortened).length > LONG_ANSWER ? MAX_ITEMS : MAX_INNER_ITEMS
  return cutLists(shortened as OpenApiJson, most) as OpenApiJson
}

/** The way to the schema of an answer. */
function wayToAnswer(
  document: OpenApiDocument,
  id: string,
  { status, type = 'application/json' }: NonNullable<OperationExample['answer']>,
): string[] | undefined {
  const { path, method, operation } = listOpenApiOperations(document).find((one) => one.operation.operationId === id)!
  const response = operation.responses[status]
  if (response === undefined) return undefined
  const start =
    '$ref' in response
      ? ['components', 'responses', response.$ref.split('/').at(-1)!]
      : ['paths', path, method, 'responses', status]
  return [...start, 'content', type, 'schema']
}

/** Returns true if a schema describes no members of a body: the handler of the operation reads it itself. */
function isOpen(document: OpenApiDocument, way: readonly string[]): boolean {
  let part: unknown = document
  for (const step of way) part = (part as Record<string, unknown>)[step]
  const reference = (part as { $ref?: string } | undefined)?.$ref
  if (reference !== undefined) return isOpen(document, reference.split('/').slice(1))
  return (
    typeof part === 'object' &&
    part !== null &&
    Object.keys(part).every((name) => name === 'type' || name === 'description')
  )
}

/** The examples of calls by operation, with the values that all runs share; `faults`: what is not described. */
export function buildExamples(
  document: OpenApiDocument,
  calls: readonly MadeCall[],
  { values, calendar }: { values: StableValues; calendar: StoryCalendar },
): { examples: Record<string, OperationExample>; faults: string[] } {
  const examples: Record<string, OperationExample> = {}
  const faults: string[] = []
  const refusal = schemasOf(document)
  const operations = new Map(listOpenApiOperations(document).map((one) => [one.operation.operationId!, one]))
  for (const { id, seen, example } of calls) {
    // Before their values are replaced: what is not shown takes no numbers.
    const momentOf = (ms: number): number => calendar.translateTime(ms, seen)
    const short = example.answer
      ? { ...example, answer: { ...example.answer, body: shortenAnswer(example.answer.body, momentOf) } }
      : example
    const { request, answer, path } = values.stabilize(
      short as unknown as OpenApiJson,
      seen,
      id,
    ) as unknown as OperationExample
    const { path: pattern, method } = operations.get(id)!
    const storyExample: OperationExample = { path }
    if (request) {
      storyExample.request = { type: request.type, body: maskSecrets(dropHidden(example.request?.body, request.body))! }
      const way = ['paths', pattern, method, 'requestBody', 'content', request.type, 'schema']
      const fault = refusal(storyExample.request.body, way, !isOpen(document, way))
      if (fault !== undefined) faults.push(`${id}: the request ${fault}`)
    }
    if (answer) {
      storyExample.answer = { ...answer, body: maskSecrets(answer.body)! }
      const way = wayToAnswer(document, id, answer)
      const fault = way
        ? refusal(storyExample.answer.body, way, !isOpen(document, way))
        : `is not described with status ${answer.status}`
      if (fault !== undefined) faults.push(`${id}: the answer ${fault}`)
    }
    examples[id] = storyExample
  }
  return { examples, faults }
}
