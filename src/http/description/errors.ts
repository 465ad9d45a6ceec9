import { problemType } from '../../lib/problem.ts'
import type { Document, Placed, Response } from './document.ts'
import { operationsOf } from './document.ts'
import { special } from './error-kinds.ts'

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
function isAsked({ operation }: Placed): boolean {
  if (operation['x-route']?.public) return false
  const names = (operation.parameters ?? []).map((one) => ('name' in one ? one.name : one.$ref.split('/').at(-1)!))
  return names.some((name) => !paging.has(name.toLowerCase()))
}

/** Types of problems by status that every operation like this one may answer. */
function common(placed: Placed): [number, string][] {
  const { method, path, operation } = placed
  const route = operation['x-route'] ?? {}
  const isKeyed = !route.public
  const result: [number, string][] = [[400, 'invalid-request']]
  if (isKeyed) {
    result.push([400, 'account-missing'], [401, 'unauthorized'], [429, 'rate-limit'])
    result.push([403, 'right-missing not-a-member second-factor-required'])
    if (route.operator) result.push([403, 'operator-required'])
    if (isChange(method) || route.starts) result.push([403, 'cross-site'])
    else result.push([403, 'masked'])
    result.push([421, 'misdirected'])
  } else result.push([429, 'too-many-requests'])
  if (path.includes('{') || isChange(method) || isAsked(placed)) result.push([404, 'not-found'])
  if (isChange(method)) {
    result.push([400, 'malformed-body'], [413, 'body-too-large'], [415, 'unsupported-media-type'])
    if (isKeyed) result.push([400, 'unknown-member'])
  }
  if (method === 'post' && isKeyed) result.push([409, 'idempotency-key-running'], [422, 'idempotency-key-reused'])
  return result
}

function kindsOf(document: Document, placed: Placed): Map<number, Set<string>> {
  const { method, path } = placed
  const name = `${method.toUpperCase()} ${path}`
  const rows = common(placed)
  for (const [pattern, status, kinds] of special) if (pattern.test(name)) rows.push([status, kinds])
  const isTagged = document.paths[path]?.['get']?.['x-route']?.etag
  if (isTagged && method !== 'get' && method !== 'post') rows.push([412, 'precondition-failed'])
  const result = new Map<number, Set<string>>([[500, new Set(['internal', 'unavailable', 'overloaded'])]])
  for (const [status, kinds] of rows) {
    const known = result.get(status) ?? new Set()
    for (const kind of kinds.split(' ')) known.add(kind)
    result.set(status, known)
  }
  if (result.has(503)) for (const kind of ['unavailable', 'overloaded']) result.get(503)!.add(kind)
  return result
}

function problemResponse(status: number, kinds: readonly string[]): Response {
  return {
    description: `${words[status]}: ${kinds.map((kind) => `\`${kind}\``).join(', ')}`,
    content: {
      'application/problem+json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { type: { enum: kinds.map(problemType) } } }],
        },
      },
    },
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

/** Names the problems that each operation can answer, by status. Answers that are there stay. */
export function addErrors(document: Document): void {
  document.components.schemas['Problem'] = structuredClone(Problem)
  const responses = { ...document.components.responses }
  const known = new Map<string, string>()
  for (const placed of operationsOf(document)) {
    const { operation } = placed
    const id = operation.operationId!
    for (const [status, kinds] of [...kindsOf(document, placed)].sort(([a], [b]) => a - b)) {
      // What is unforeseen or overloaded is one answer: 500 or 503.
      const shown = status === 500 ? '5XX' : String(status)
      if (shown in operation.responses) continue
      const sorted = [...kinds].sort()
      const key = `${status} ${sorted.join(' ')}`
      const plain = names[status]!
      const name =
        known.get(key) ?? (plain in responses ? `${id.charAt(0).toUpperCase()}${id.slice(1)}${plain}` : plain)
      known.set(key, name)
      responses[name] = problemResponse(status, sorted)
      operation.responses[shown] = { $ref: `#/components/responses/${name}` }
    }
  }
  document.components.responses = responses
}
