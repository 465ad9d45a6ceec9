import { toProblemTypeUri } from '../../lib/errors/problem.ts'
import type { LocatedOperation, OpenApiDocument, OpenApiObject, OpenApiOperation, OpenApiResponse } from './document.ts'
import { listOpenApiOperations } from './document.ts'
import { specialProblemTypes } from './error-kinds.ts'
import {
  countSharedPart,
  nameSharedComponents,
  type SharedComponent,
  sortNamedComponents,
  toComponentReference,
} from './shared-parts.ts'

const names: Record<number, string> = {
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

const words: Record<number, string> = {
  400: 'the request is not what this operation reads',
  401: 'who asks is not known',
  403: 'who asks may not do this',
  404: 'there is no such thing in this account',
  405: 'the method is not one of this path',
  409: 'a state or something unique stands in the way',
  410: 'it was there, and is no more',
  412: '`If-Match` names an older version',
  413: 'the body is too large',
  415: 'the media type of the body is not read here',
  421: 'the `Host` is not one of this service',
  422: 'the `Idempotency-Key` came with another request before',
  429: 'too many requests; `Retry-After` says when to go on',
  500: 'something unforeseen, or no place now; `Retry-After` says when to try again',
  503: 'no place now, or something that is needed is away; `Retry-After` says when to try again',
}

const isChange = (method: string): boolean => method !== 'get'

/** Parameters of pages: with these alone nothing is named that could be missing. */
const paging = new Set(['limit', 'after', 'sort'])

/** Whether the query may name something. */
function isAsked({ operation }: LocatedOperation): boolean {
  if (operation['x-route']?.public) return false
  const names = (operation.parameters ?? []).map((one) => ('name' in one ? one.name : one.$ref.split('/').at(-1)!))
  return names.some((name) => !paging.has(name.toLowerCase()))
}

/** Types of problems by status. */
type Kinds = Map<number, Set<string>>

function add(kinds: Kinds, rows: readonly (readonly [number, string])[]): Kinds {
  for (const [status, words] of rows) {
    const known = kinds.get(status) ?? new Set()
    for (const kind of words.split(' ')) known.add(kind)
    kinds.set(status, known)
  }
  return kinds
}

/** What every operation like this one may answer. */
function common(placed: LocatedOperation): Kinds {
  const { method, path, operation } = placed
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
    if (isChange(method) || route.starts) rows.push([403, 'cross-site'])
    if (!isChange(method) || route.right === 'read') rows.push([403, 'masked'])
    rows.push([421, 'misdirected'])
    // Older events are behind reports and histories, and behind every criterion that asks for them: what erases, selects or sends.
    rows.push([503, 'event-history-away'])
  } else rows.push([429, 'too-many-requests'])
  if (path.includes('{') || isChange(method) || isAsked(placed)) rows.push([404, 'not-found'])
  if (isChange(method)) {
    rows.push([400, 'malformed-body'], [413, 'body-too-large'], [415, 'unsupported-media-type'])
    if (isKeyed) rows.push([400, 'unknown-member'])
  }
  if (method === 'post' && isKeyed)
    rows.push([409, 'idempotency-key-running'], [410, 'answer-erased'], [422, 'idempotency-key-reused'])
  return add(new Map(), rows)
}

/** What this operation may answer beside. */
function own(document: OpenApiDocument, { method, path }: LocatedOperation): [number, string][] {
  const name = `${method.toUpperCase()} ${path}`
  const rows = specialProblemTypes.filter(([pattern]) => pattern.test(name)).map(([, ...row]): [number, string] => row)
  const isTagged = document.paths[path]?.['get']?.['x-route']?.etag
  return isTagged && method !== 'get' && method !== 'post' ? [...rows, [412, 'precondition-failed']] : rows
}

/** Statuses with their types, in order. */
type Listed = readonly (readonly [status: number, kinds: readonly string[]])[]

const listed = (kinds: Kinds): Listed =>
  [...kinds].map(([status, types]) => [status, [...types].sort()] as const).sort(([a], [b]) => a - b)

const named = (kinds: readonly string[]): string => kinds.map((kind) => `\`${kind}\``).join(', ')

/** What a problem is at a path: public webtasks tell nobody what was wrong. */
const problemAt = ({ path }: LocatedOperation): 'Problem' | 'ShortProblem' =>
  path.startsWith('/w/') ? 'ShortProblem' : 'Problem'

function problemContent(placed: LocatedOperation, properties: OpenApiObject): OpenApiResponse['content'] {
  const schema = { allOf: [{ $ref: `#/components/schemas/${problemAt(placed)}` }, { properties }] }
  return { 'application/problem+json': { schema } }
}

/** An answer of one status. */
function problemResponse(placed: LocatedOperation, status: number, kinds: readonly string[]): OpenApiResponse {
  return {
    description: `${words[status]}: ${named(kinds)}`,
    content: problemContent(placed, { type: { enum: kinds.map(toProblemTypeUri) } }),
  }
}

/** One answer for all statuses that operations of a kind have in common. */
function commonResponse(placed: LocatedOperation, rows: Listed): OpenApiResponse {
  const types = new Set(rows.flatMap(([, kinds]) => kinds))
  return {
    description: rows.map(([status, kinds]) => `${status}, ${words[status]}: ${named(kinds)}`).join('. '),
    content: problemContent(placed, {
      status: { enum: rows.map(([status]) => status) },
      type: { enum: [...types].sort().map(toProblemTypeUri) },
    }),
  }
}

/** What every problem is (RFC 9457). */
const Problem = {
  type: 'object',
  description: 'A problem (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'instance'],
  properties: {
    type: { type: 'string', description: 'the kind of problem, which does not change' },
    title: { type: 'string', description: 'the words of the status' },
    status: { type: 'integer', description: 'the status of the answer' },
    detail: { type: 'string', description: 'what to change' },
    instance: { type: 'string', description: 'the id of the request, as in `x-request-id`' },
    errors: {
      type: 'array',
      description: 'the first 100 faults',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'a JSON Pointer into the body, or the name of a parameter' },
          detail: { type: 'string', description: 'what to change there' },
        },
      },
    },
    errorCount: { type: 'integer', description: 'how many faults there are, where not all are listed' },
  },
}

/** What is said where nobody is told what was wrong. */
const ShortProblem = {
  type: 'object',
  description: 'A problem (RFC 9457) that does not tell what was wrong.',
  required: ['type', 'title', 'status'],
  properties: {
    type: Problem.properties.type,
    title: Problem.properties.title,
    status: Problem.properties.status,
  },
}

/** Statuses that are listed with every operation: they say what is wrong with this request. */
const always = new Set([400, 404])

/** The answers that refuse an operation: `default` has the statuses with nothing but what all operations like it answer. */
function refusals(document: OpenApiDocument, placed: LocatedOperation): { single: Listed; rest: Listed } {
  const rows = own(document, placed)
  const statuses = new Set(rows.map(([status]) => status))
  const all = listed(add(common(placed), rows)).filter(([status]) => !(status in placed.operation.responses))
  const isSingle = ([status]: Listed[number]): boolean => always.has(status) || statuses.has(status)
  return { single: all.filter(isSingle), rest: all.filter((row) => !isSingle(row)) }
}

const pascal = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}`

/** Names the problems that each operation can answer, by status. Answers that are there stay. */
export function addProblemResponses(document: OpenApiDocument): void {
  document.components.schemas['Problem'] = structuredClone(Problem)
  document.components.schemas['ShortProblem'] = structuredClone(ShortProblem)
  const found: { operation: OpenApiOperation; shown: string; part: OpenApiResponse }[] = []
  const all = new Map<string, SharedComponent<OpenApiResponse>>()
  for (const placed of listOpenApiOperations(document)) {
    const { operation } = placed
    const { single, rest } = refusals(document, placed)
    const find = (shown: string, name: string, part: OpenApiResponse): void => {
      countSharedPart(all, part, [name, `${pascal(operation.operationId!)}${name}`])
      found.push({ operation, shown, part })
    }
    for (const [status, kinds] of single) find(String(status), names[status]!, problemResponse(placed, status, kinds))
    find('default', 'Refused', commonResponse(placed, rest))
  }
  const shared = nameSharedComponents(all)
  for (const { operation, shown, part } of found)
    operation.responses[shown] = toComponentReference('responses', shared, part)
  document.components.responses = { ...document.components.responses, ...sortNamedComponents<OpenApiResponse>(shared) }
}
