import type { LocatedOperation, OpenApiDocument, OpenApiObject, OpenApiResponse } from './document.ts'
import { listOpenApiOperations } from './document.ts'

/** Bytes, as they are. */
const bytes: OpenApiObject = { type: 'string', contentMediaType: 'application/octet-stream' }
const text: OpenApiObject = { type: 'string' }
const anything: OpenApiObject = {}

interface Answers {
  /** Media types by status; the answers of these statuses take the place of what the route says without a body. */
  [status: number]: readonly string[]
}

const patch: OpenApiObject = { $ref: '#/components/schemas/JsonPatch' }
const merge: OpenApiObject = { $ref: '#/components/schemas/MergePatch' }

const JsonPatch: OpenApiObject = {
  type: 'array',
  description: 'operations of RFC 6902, at most 100',
  maxItems: 100,
  items: {
    type: 'object',
    required: ['op', 'path'],
    properties: {
      op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'], description: 'what is done' },
      path: { type: 'string', description: 'a JSON Pointer to what it is done to' },
      from: { type: 'string', description: 'of move and copy: a JSON Pointer to what is moved or copied' },
      value: { description: 'of add, replace and test: the value' },
    },
  },
}

const MergePatch: OpenApiObject = {
  type: 'object',
  additionalProperties: {},
  description: 'members that change (RFC 7396)',
}

/** What handlers read themselves: pattern of `METHOD path`, media types with their schemas. */
const requests: readonly (readonly [RegExp, Record<string, OpenApiObject>])[] = [
  [
    /^PATCH /,
    {
      'application/merge-patch+json': merge,
      'application/json-patch+json': patch,
      'application/json': { anyOf: [merge, patch] },
    },
  ],
  [
    /^POST \/media$/,
    {
      'image/png': bytes,
      'image/jpeg': bytes,
      'image/gif': bytes,
      'image/webp': bytes,
      'image/svg+xml': text,
      'application/pdf': bytes,
      'application/octet-stream': bytes,
    },
  ],
  [
    /^(PUT|POST) \/imports\/(preview|.*\/source)$/,
    {
      'application/octet-stream': bytes,
      'text/csv': text,
      'application/zip': bytes,
      'multipart/form-data': { type: 'object' },
    },
  ],
  [
    /^POST \/imports\/\{id\}\/executions$/,
    {
      'application/octet-stream': bytes,
      'application/json': { type: 'object' },
      'multipart/form-data': { type: 'object' },
    },
  ],
  [/^POST \/actions\/\{id\}\/targets\//, { 'multipart/form-data': { type: 'object' } }],
  [/^PUT \/scripting\/webtasks\/\{id\}\/script$/, { 'text/javascript': text, 'application/javascript': text }],
  [/^POST \/w\//, { 'application/json': anything, '*/*': bytes }],
  [/^POST \/t\/[uf]\//, { 'application/x-www-form-urlencoded': { type: 'object' } }],
  [/^(PUT|POST) \/api\/v1\.0\//, { 'application/json': { type: 'object' }, '*/*': text }],
  [/^POST \/hooks\/sms\//, { 'application/x-www-form-urlencoded': { type: 'object' }, 'application/json': anything }],
  [/^POST \/hooks\/rcs\//, { 'application/json': anything }],
]

const page = ['text/html']
const none: readonly string[] = []

/** What handlers answer by themselves. */
const answers: readonly (readonly [RegExp, Answers])[] = [
  [/^GET \/metrics$/, { 200: ['text/plain'] }],
  [/\/rejects$/, { 200: ['text/csv'] }],
  [/^GET \/events\/stream$/, { 200: ['text/event-stream'] }],
  [/^GET \/(audit|campaigns\/\{id\}\/events)$/, { 200: ['application/x-ndjson'] }],
  [/^POST \/scripting\/webtasks\/\{id\}\/execution$/, { 200: ['application/x-ndjson'] }],
  [
    /^GET \/m\//,
    { 200: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml', 'application/pdf'], 304: none },
  ],
  [/^GET \/captured(\/\{id\})?$/, { 200: ['application/json', 'text/html'] }],
  [
    /^GET \/scripting\/webtasks\/\{id\}\/script$/,
    { 200: ['application/json', 'text/javascript', 'application/javascript'] },
  ],
  [
    /^PUT \/scripting\/webtasks\/\{id\}\/script$/,
    { 200: ['application/json', 'text/javascript', 'application/javascript'] },
  ],
  [/^\w+ \/w\//, { 200: ['application/json'], 302: none }],
  [/^GET \/(t\/r|s|t\/h|d)\/[^.]*$/, { 302: none }],
  [/^GET \/t\/o\//, { 200: ['image/gif'] }],
  [/^GET \/t\/(m|preview)/, { 200: page }],
  [/^GET \/(t|s|d|hit)\//, { 404: page, 410: page, 429: page, 503: page }],
  [
    /^\w+ \/t\/[uf]\//,
    {
      200: page,
      400: page,
      404: page,
      409: page,
      410: page,
      413: [...page, 'application/problem+json'],
      429: page,
      503: page,
    },
  ],
  [/^POST \/t\/f\//, { 302: none, 422: page }],
  [
    /^(GET|POST|PUT) \/imports(\/\{id\}(\/(source|executions(\/\{execution\})?))?)?$/,
    { 200: ['application/vnd.mperf.v8.import.v1+json'] },
  ],
  [/^GET \/d\/.*\.gif$/, { 200: ['image/gif'] }],
  [/^GET \/hit\//, { 204: none }],
  // Refusals of devices have no body.
  [
    /^(PUT|POST) \/api\/v1\.0\//,
    { 200: ['application/json'], 400: none, 403: none, 404: none, 409: none, 413: none, 429: none, 503: none },
  ],
  [/^(GET|POST) \/hooks\/sms\//, { 204: none }],
  [/^POST \/hooks\/rcs\//, { 200: ['text/plain'] }],
]

const binary = (type: string): OpenApiObject =>
  type.includes('json') ? anything : type.startsWith('text/') ? text : bytes

const meanings: Record<number, string> = {
  302: '`Location` says where to go on',
  304: 'unchanged since the `ETag` that was named',
  400: 'the request is not what is read here',
  403: 'a signature or a registration that is not accepted',
  404: 'there is nothing here',
  409: 'something else stands in the way',
  410: 'it was here, and is gone',
  413: 'the body is too large',
  422: 'what was filled in is wrong; the page says where',
  429: 'too many requests; `Retry-After` says when to go on',
  503: 'something that is needed is away; try again',
}

function addRequests({ method, path, operation }: LocatedOperation): void {
  const name = `${method.toUpperCase()} ${path}`
  for (const [pattern, types] of requests) {
    if (!pattern.test(name)) continue
    operation.requestBody ??= { content: {} }
    for (const [type, schema] of Object.entries(types))
      operation.requestBody.content[type] ??= { schema: structuredClone(schema) }
  }
  const shown = operation.requestBody?.content['application/json']?.schema
  for (const type of operation['x-route']?.accepts ?? [])
    if (operation.requestBody)
      operation.requestBody.content[type] ??= { schema: structuredClone(shown ?? binary(type)) }
}

function addAnswers({ method, path, operation }: LocatedOperation): void {
  const name = `${method.toUpperCase()} ${path}`
  for (const [pattern, statuses] of answers) {
    if (!pattern.test(name)) continue
    for (const [status, types] of Object.entries(statuses) as [string, readonly string[]][]) {
      const known = operation.responses[status] as OpenApiResponse | undefined
      const content = { ...known?.content }
      const shown = content['application/json']?.schema
      for (const type of types)
        content[type] ??= { schema: structuredClone((/\+json$/.test(type) && shown) || binary(type)) }
      const description = known?.description ?? meanings[Number(status)] ?? 'done'
      operation.responses[status] = { description, ...(types.length > 0 && { content }) }
    }
    // What the route answers in another way is no 200 without a body.
    if ((302 in statuses || 204 in statuses) && !(operation.responses[200] as OpenApiResponse | undefined)?.content)
      delete operation.responses[200]
  }
  if (method === 'get' && operation['x-route']?.etag) operation.responses[304] ??= { description: meanings[304]! }
}

/** Describes the media types that handlers read and answer beside JSON by a schema. */
export function addMediaTypeSchemas(document: OpenApiDocument): void {
  Object.assign(document.components.schemas, structuredClone({ JsonPatch, MergePatch }))
  for (const placed of listOpenApiOperations(document)) {
    addRequests(placed)
    addAnswers(placed)
  }
}
