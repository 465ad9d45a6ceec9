import type { LocatedOperation, OpenApiDocument, OpenApiObject, OpenApiResponse } from './document.ts'
import { listOpenApiOperations } from './document.ts'

/** Bytes, as they are. */
const bytesSchema: OpenApiObject = { type: 'string', contentMediaType: 'application/octet-stream' }
const textSchema: OpenApiObject = { type: 'string' }
const anySchema: OpenApiObject = {}

interface AnswerMediaTypes {
  /** Media types by status; the answers of these statuses take the place of what the route says without a body. */
  [status: number]: readonly string[]
}

const jsonPatchRef: OpenApiObject = { $ref: '#/components/schemas/JsonPatch' }
const mergePatchRef: OpenApiObject = { $ref: '#/components/schemas/MergePatch' }

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

/** Bodies that handlers read themselves: pattern of `METHOD path`, media types with their schemas. */
const requestMediaTypes: readonly (readonly [RegExp, Record<string, OpenApiObject>])[] = [
  [
    /^PATCH /,
    {
      'application/merge-patch+json': mergePatchRef,
      'application/json-patch+json': jsonPatchRef,
      'application/json': { anyOf: [mergePatchRef, jsonPatchRef] },
    },
  ],
  [
    /^POST \/media$/,
    {
      'image/png': bytesSchema,
      'image/jpeg': bytesSchema,
      'image/gif': bytesSchema,
      'image/webp': bytesSchema,
      'image/svg+xml': textSchema,
      'application/pdf': bytesSchema,
      'application/octet-stream': bytesSchema,
    },
  ],
  [
    /^(PUT|POST) \/imports\/(preview|.*\/source)$/,
    {
      'application/octet-stream': bytesSchema,
      'text/csv': textSchema,
      'application/zip': bytesSchema,
      'multipart/form-data': { type: 'object' },
    },
  ],
  [
    /^POST \/imports\/\{id\}\/executions$/,
    {
      'application/octet-stream': bytesSchema,
      'application/json': { type: 'object' },
      'multipart/form-data': { type: 'object' },
    },
  ],
  [/^POST \/actions\/\{id\}\/targets\//, { 'multipart/form-data': { type: 'object' } }],
  [
    /^PUT \/scripting\/webtasks\/\{id\}\/script$/,
    { 'text/javascript': textSchema, 'application/javascript': textSchema },
  ],
  [/^POST \/w\//, { 'application/json': anySchema, '*/*': bytesSchema }],
  [/^POST \/t\/[uf]\//, { 'application/x-www-form-urlencoded': { type: 'object' } }],
  [/^(PUT|POST) \/api\/v1\.0\//, { 'application/json': { type: 'object' }, '*/*': textSchema }],
  [/^POST \/hooks\/sms\//, { 'application/x-www-form-urlencoded': { type: 'object' }, 'application/json': anySchema }],
  [/^POST \/hooks\/rcs\//, { 'application/json': anySchema }],
]

const htmlPage = ['text/html']
const noMediaTypes: readonly string[] = []

/** Answers that handlers write themselves. */
const answerMediaTypes: readonly (readonly [RegExp, AnswerMediaTypes])[] = [
  [/^GET \/metrics$/, { 200: ['text/plain'] }],
  [/\/rejects$/, { 200: ['text/csv'] }],
  [/^GET \/events\/stream$/, { 200: ['text/event-stream'] }],
  [/^GET \/(audit|campaigns\/\{id\}\/events)$/, { 200: ['application/x-ndjson'] }],
  [/^POST \/scripting\/webtasks\/\{id\}\/execution$/, { 200: ['application/x-ndjson'] }],
  [
    /^GET \/m\//,
    {
      200: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml', 'application/pdf'],
      304: noMediaTypes,
    },
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
  [/^\w+ \/w\//, { 200: ['application/json'], 302: noMediaTypes }],
  [/^GET \/(t\/r|s|t\/h|d)\/[^.]*$/, { 302: noMediaTypes }],
  [/^GET \/t\/o\//, { 200: ['image/gif'] }],
  [/^GET \/t\/(m|preview)/, { 200: htmlPage }],
  [/^GET \/(t|s|d|hit)\//, { 404: htmlPage, 410: htmlPage, 429: htmlPage, 503: htmlPage }],
  [
    /^\w+ \/t\/[uf]\//,
    {
      200: htmlPage,
      400: htmlPage,
      404: htmlPage,
      409: htmlPage,
      410: htmlPage,
      413: [...htmlPage, 'application/problem+json'],
      429: htmlPage,
      503: htmlPage,
    },
  ],
  [/^POST \/t\/f\//, { 302: noMediaTypes, 422: htmlPage }],
  [
    /^(GET|POST|PUT) \/imports(\/\{id\}(\/(source|executions(\/\{execution\})?))?)?$/,
    { 200: ['application/vnd.mperf.v8.import.v1+json'] },
  ],
  [/^GET \/d\/.*\.gif$/, { 200: ['image/gif'] }],
  [/^GET \/hit\//, { 204: noMediaTypes }],
  // Refusals of devices have no body.
  [
    /^(PUT|POST) \/api\/v1\.0\//,
    {
      200: ['application/json'],
      400: noMediaTypes,
      403: noMediaTypes,
      404: noMediaTypes,
      409: noMediaTypes,
      413: noMediaTypes,
      429: noMediaTypes,
      503: noMediaTypes,
    },
  ],
  [/^(GET|POST) \/hooks\/sms\//, { 204: noMediaTypes }],
  [/^POST \/hooks\/rcs\//, { 200: ['text/plain'] }],
]

const getBinarySchema = (type: string): OpenApiObject =>
  type.includes('json') ? anySchema : type.startsWith('text/') ? textSchema : bytesSchema

const statusMeanings: Record<number, string> = {
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

function addRequestMediaTypes({ method, path, operation }: LocatedOperation): void {
  const name = `${method.toUpperCase()} ${path}`
  for (const [pattern, types] of requestMediaTypes) {
    if (!pattern.test(name)) continue
    operation.requestBody ??= { content: {} }
    for (const [type, schema] of Object.entries(types))
      operation.requestBody.content[type] ??= { schema: structuredClone(schema) }
  }
  const jsonSchema = operation.requestBody?.content['application/json']?.schema
  for (const type of operation['x-route']?.accepts ?? [])
    if (operation.requestBody)
      operation.requestBody.content[type] ??= { schema: structuredClone(jsonSchema ?? getBinarySchema(type)) }
}

function addAnswerMediaTypes({ method, path, operation }: LocatedOperation): void {
  const name = `${method.toUpperCase()} ${path}`
  for (const [pattern, statuses] of answerMediaTypes) {
    if (!pattern.test(name)) continue
    for (const [status, types] of Object.entries(statuses) as [string, readonly string[]][]) {
      const declaredResponse = operation.responses[status] as OpenApiResponse | undefined
      const content = { ...declaredResponse?.content }
      const jsonSchema = content['application/json']?.schema
      for (const type of types)
        content[type] ??= { schema: structuredClone((/\+json$/.test(type) && jsonSchema) || getBinarySchema(type)) }
      const description = declaredResponse?.description ?? statusMeanings[Number(status)] ?? 'done'
      operation.responses[status] = { description, ...(types.length > 0 && { content }) }
    }
    // What the route answers in another way is no 200 without a body.
    if ((302 in statuses || 204 in statuses) && !(operation.responses[200] as OpenApiResponse | undefined)?.content)
      delete operation.responses[200]
  }
  if (method === 'get' && operation['x-route']?.etag) operation.responses[304] ??= { description: statusMeanings[304]! }
}

/** Describes by a schema the media types that handlers read and answer in addition to JSON. */
export function addMediaTypeSchemas(document: OpenApiDocument): void {
  Object.assign(document.components.schemas, structuredClone({ JsonPatch, MergePatch }))
  for (const locatedOperation of listOpenApiOperations(document)) {
    addRequestMediaTypes(locatedOperation)
    addAnswerMediaTypes(locatedOperation)
  }
}
