import { toProblemTypeUri } from '../../lib/errors/problem.ts'
import type { LocatedOperation, OpenApiDocument, OpenApiObject, OpenApiOperation, OpenApiResponse } from './document.ts'
import { listOpenApiOperations, openApiSchemaRef } from './document.ts'
import {
  nameSharedComponents,
  type SharedComponent,
  sortNamedComponents,
  toComponentReference,
  toPascalCase,
} from './shared-parts.ts'

const responseNames: Record<number, string> = {
  400: 'Invalid',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  421: 'Misdirected',
  422: 'KeyReused',
  429: 'TooMany',
  500: 'Failed',
  503: 'Unavailable',
}

const statusMeanings: Record<number, string> = {
  400: 'The request is invalid',
  401: 'Authentication is required',
  403: 'The caller is not allowed to do this',
  404: 'Not found in this account',
  405: 'The path does not support this method',
  409: 'The request conflicts with the current state or with a unique value',
  410: 'No longer available',
  412: '`If-Match` names an older version',
  413: 'The body is too large',
  415: 'The media type of the body is not supported',
  421: 'The `Host` header does not name this service',
  422: 'The `Idempotency-Key` was used with another request',
  429: 'Too many requests; retry after the seconds in `Retry-After`',
  500: 'Unexpected error or overload; retry after the seconds in `Retry-After`',
  503: 'Overload, or a required service is unavailable; retry after the seconds in `Retry-After`',
}

const isChangeMethod = (method: string): boolean => method !== 'get'

/** Parameters of pages: with these alone nothing is named that could be missing. */
const pagingParameters = new Set(['limit', 'after', 'sort'])

/** Returns true if the query may name something. */
function canNameResource({ operation }: LocatedOperation): boolean {
  if (operation['x-route']?.public) return false
  const parameterNames = (operation.parameters ?? []).map((parameter) =>
    'name' in parameter ? parameter.name : parameter.$ref.split('/').at(-1)!,
  )
  return parameterNames.some((name) => !pagingParameters.has(name.toLowerCase()))
}

/** Types of problems by status. */
type KindsByStatus = Map<number, Set<string>>

function addKinds(kinds: KindsByStatus, rows: readonly (readonly [number, string])[]): KindsByStatus {
  for (const [status, kindList] of rows) {
    const statusKinds = kinds.get(status) ?? new Set()
    for (const kind of kindList.split(' ')) statusKinds.add(kind)
    kinds.set(status, statusKinds)
  }
  return kinds
}

/** The problem types that every operation of this kind may answer with. */
function collectCommonKinds(locatedOperation: LocatedOperation): KindsByStatus {
  const { method, path, operation } = locatedOperation
  const route = operation['x-route'] ?? {}
  const isKeyed = !route.public
  const rows: [number, string][] = [
    [400, 'invalid-request'],
    [500, 'internal unavailable overloaded'],
    [503, 'unavailable overloaded'],
  ]
  if (isKeyed) {
    rows.push([400, 'account-missing'], [401, 'unauthorized'], [429, 'rate-limit'])
    rows.push([403, 'right-missing not-a-member second-factor-required'])
    if (route.operator) rows.push([403, 'operator-required session-required'])
    if (isChangeMethod(method) || route.starts) rows.push([403, 'cross-site'])
    if (!isChangeMethod(method) || route.right === 'read') rows.push([403, 'masked'])
    rows.push([421, 'misdirected'])
    // Older events are behind reports and histories, and behind every criterion that asks for them: what erases, selects or sends.
    rows.push([503, 'event-history-away'])
  } else rows.push([429, 'too-many-requests'])
  if (path.includes('{') || isChangeMethod(method) || canNameResource(locatedOperation)) rows.push([404, 'not-found'])
  if (isChangeMethod(method)) {
    rows.push([400, 'malformed-body'], [413, 'body-too-large'], [415, 'unsupported-media-type'])
    if (isKeyed) rows.push([400, 'unknown-member'])
  }
  if (method === 'post' && isKeyed)
    rows.push([409, 'idempotency-key-running'], [410, 'answer-erased'], [422, 'idempotency-key-reused'])
  return addKinds(new Map(), rows)
}

/** The additional problem types that only this operation may answer with: those of its route, of patches and of conditional requests. */
function listSpecialKinds(
  document: OpenApiDocument,
  { method, path, operation }: LocatedOperation,
): [number, string][] {
  const rows = Object.entries(operation['x-route']?.refusals ?? {}).map(([status, kinds]): [number, string] => [
    Number(status),
    kinds,
  ])
  if (method === 'patch') rows.push([400, 'invalid-patch'], [409, 'patch-test-failed'])
  const isTagged = document.paths[path]?.['get']?.['x-route']?.etag
  if (isTagged && method !== 'get' && method !== 'post') rows.push([412, 'precondition-failed'])
  return rows
}

/** Statuses with their types, in order. */
type SortedKinds = readonly (readonly [status: number, kinds: readonly string[]])[]

const sortKinds = (kinds: KindsByStatus): SortedKinds =>
  [...kinds].map(([status, types]) => [status, [...types].sort()] as const).sort(([a], [b]) => a - b)

const formatKinds = (kinds: readonly string[]): string => kinds.map((kind) => `\`${kind}\``).join(', ')

/** The problem schema of a path: public webtasks do not reveal what was wrong. */
const getProblemSchemaName = ({ path }: LocatedOperation): 'Problem' | 'ShortProblem' =>
  path.startsWith('/w/') ? 'ShortProblem' : 'Problem'

function buildProblemContent(
  locatedOperation: LocatedOperation,
  properties: OpenApiObject,
): OpenApiResponse['content'] {
  const schema = { allOf: [openApiSchemaRef(getProblemSchemaName(locatedOperation)), { properties }] }
  return { 'application/problem+json': { schema } }
}

/** An answer of one status. */
function buildStatusResponse(
  locatedOperation: LocatedOperation,
  status: number,
  kinds: readonly string[],
): OpenApiResponse {
  return {
    description: `${statusMeanings[status]}: ${formatKinds(kinds)}.`,
    content: buildProblemContent(locatedOperation, { type: { enum: kinds.map(toProblemTypeUri) } }),
  }
}

/** One answer for all statuses that operations of a kind have in common. */
function buildDefaultResponse(locatedOperation: LocatedOperation, rows: SortedKinds): OpenApiResponse {
  const types = new Set(rows.flatMap(([, kinds]) => kinds))
  return {
    description: rows
      .map(([status, kinds]) => `${status}: ${statusMeanings[status]} (${formatKinds(kinds)}).`)
      .join(' '),
    content: buildProblemContent(locatedOperation, {
      status: { enum: rows.map(([status]) => status) },
      type: { enum: [...types].sort().map(toProblemTypeUri) },
    }),
  }
}

/** The schema of every problem (RFC 9457). */
const Problem = {
  type: 'object',
  description: 'Problem details (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'instance'],
  properties: {
    type: { type: 'string', description: 'URI of the problem type; stable.' },
    title: { type: 'string', description: 'Title of the HTTP status.' },
    status: { type: 'integer', description: 'HTTP status of the response.' },
    detail: { type: 'string', description: 'Explanation of the problem and how to correct it.' },
    instance: { type: 'string', description: 'ID of the request, as in the `x-request-id` header.' },
    errors: {
      type: 'array',
      description: 'Faults of the request; the first 100.',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer into the body, or name of a parameter.' },
          detail: { type: 'string', description: 'Explanation of the fault and how to correct it.' },
        },
      },
    },
    errorCount: { type: 'integer', description: 'Number of faults. Absent: `errors` lists all of them.' },
  },
}

/** The schema of a problem that does not reveal what was wrong. */
const ShortProblem = {
  type: 'object',
  description: 'Problem details (RFC 9457) without the reason.',
  required: ['type', 'title', 'status'],
  properties: {
    type: Problem.properties.type,
    title: Problem.properties.title,
    status: Problem.properties.status,
  },
}

/** Statuses that are listed with every operation: they say what is wrong with this request. */
const individualStatuses = new Set([400, 404])

/** The answers that refuse an operation: `default` has the statuses with nothing but what all operations like it answer. */
function splitRefusals(
  document: OpenApiDocument,
  locatedOperation: LocatedOperation,
): { single: SortedKinds; rest: SortedKinds } {
  const rows = listSpecialKinds(document, locatedOperation)
  const statuses = new Set(rows.map(([status]) => status))
  const sortedKinds = sortKinds(addKinds(collectCommonKinds(locatedOperation), rows)).filter(
    ([status]) => !(status in locatedOperation.operation.responses),
  )
  const isSingle = ([status]: SortedKinds[number]): boolean => individualStatuses.has(status) || statuses.has(status)
  return { single: sortedKinds.filter(isSingle), rest: sortedKinds.filter((row) => !isSingle(row)) }
}

/** An answer that refuses, where it stands. */
interface LocatedRefusal {
  operation: OpenApiOperation
  /** The status, or `default`. */
  responseKey: string
  name: string
  kinds: readonly string[]
  part: OpenApiResponse
}

function listRefusals(document: OpenApiDocument, locatedOperation: LocatedOperation): LocatedRefusal[] {
  const { operation } = locatedOperation
  const { single, rest: defaultKinds } = splitRefusals(document, locatedOperation)
  const singleRefusals = single.map(([status, kinds]) => ({
    operation,
    responseKey: String(status),
    name: responseNames[status]!,
    kinds,
    part: buildStatusResponse(locatedOperation, status, kinds),
  }))
  const kinds = defaultKinds.flatMap(([, types]) => types)
  const part = buildDefaultResponse(locatedOperation, defaultKinds)
  return [...singleRefusals, { operation, responseKey: 'default', name: 'Refused', kinds, part }]
}

/** Names of an answer in several places: that of its status, its problems, or the one part of the interface that gives it. */
function listRefusalNames(places: readonly LocatedRefusal[]): string[] {
  const { name, kinds } = places[0]!
  const tags = new Set(places.map(({ operation }) => operation.tags?.[0] ?? ''))
  const owner = tags.size === 1 ? toPascalCase([...tags][0]!) : 'Common'
  return [name, ...(kinds.length <= 2 ? [kinds.map(toPascalCase).join('Or')] : []), `${owner}${name}`]
}

/** Names the problems that each operation can answer, by status. Answers that are there stay. */
export function addProblemResponses(document: OpenApiDocument): void {
  document.components.schemas['Problem'] = structuredClone(Problem)
  document.components.schemas['ShortProblem'] = structuredClone(ShortProblem)
  const refusals = listOpenApiOperations(document).flatMap((operation) => listRefusals(document, operation))
  const sharedResponses = new Map<string, SharedComponent<OpenApiResponse>>()
  for (const [key, places] of Map.groupBy(refusals, ({ part }) => JSON.stringify(part)))
    sharedResponses.set(key, { part: places[0]!.part, times: places.length, names: listRefusalNames(places) })
  const componentNames = nameSharedComponents(sharedResponses)
  for (const { operation, responseKey, part } of refusals)
    operation.responses[responseKey] = toComponentReference('responses', componentNames, part)
  document.components.responses = {
    ...document.components.responses,
    ...sortNamedComponents<OpenApiResponse>(componentNames),
  }
}
