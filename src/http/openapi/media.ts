import type { LocatedOperation, OpenApiDocument, OpenApiObject, OpenApiResponse } from './document.ts'
import { listOpenApiOperations, openApiSchemaRef } from './document.ts'
import { simplifySchema } from './schema-walk.ts'

/** Bytes, as they are. */
export const bytesSchema: OpenApiObject = { type: 'string', contentMediaType: 'application/octet-stream' }
const textSchema: OpenApiObject = { type: 'string' }
const anySchema: OpenApiObject = { description: 'Any JSON.' }
const linesSchema: OpenApiObject = {
  type: 'string',
  description: 'Lines of JSON, each an item or a record of the answer.',
}

const jsonPatchRef = openApiSchemaRef('JsonPatch')
const mergePatchRef = openApiSchemaRef('MergePatch')

const JsonPatch: OpenApiObject = {
  type: 'array',
  description: 'JSON Patch operations (RFC 6902); at most 100.',
  maxItems: 100,
  items: {
    type: 'object',
    required: ['op', 'path'],
    properties: {
      op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'], description: 'Operation to apply.' },
      path: { type: 'string', description: 'JSON Pointer to the changed member.' },
      from: { type: 'string', description: 'JSON Pointer to the source of `move` and `copy`.' },
      value: { description: 'Value of `add`, `replace` and `test`.' },
    },
  },
}

const MergePatch: OpenApiObject = {
  type: 'object',
  additionalProperties: {},
  description: 'Members to change, as a merge patch (RFC 7396); null removes a member.',
}

const patchBodyTypes: Record<string, OpenApiObject> = {
  'application/merge-patch+json': mergePatchRef,
  'application/json-patch+json': jsonPatchRef,
  'application/json': { anyOf: [mergePatchRef, jsonPatchRef] },
}

/** The schema of a media type that its route does not describe. */
function getMediaTypeSchema(type: string): OpenApiObject {
  if (type === 'application/problem+json') return openApiSchemaRef('Problem')
  if (type === 'application/x-ndjson') return linesSchema
  if (type.includes('json')) return anySchema
  return type.startsWith('text/') ? textSchema : bytesSchema
}

const statusMeanings: Record<number, string> = {
  302: 'Redirect to the address in `Location`.',
  304: 'Not modified: `If-None-Match` names the current version.',
  400: 'The request is invalid.',
  403: 'The signature or registration is not accepted.',
  404: 'Not found.',
  409: 'The request conflicts with the current state.',
  410: 'No longer available.',
  413: 'The body is too large.',
  422: 'The answers are invalid; the page marks the fields to correct.',
  429: 'Too many requests; retry after the seconds in `Retry-After`.',
  503: 'A required service is unavailable; retry later.',
}

function addRequestMediaTypes({ method, operation }: LocatedOperation): void {
  const { bodyTypes = method === 'patch' ? patchBodyTypes : {}, accepts = [] } = operation['x-route'] ?? {}
  for (const [type, schema] of Object.entries(bodyTypes)) {
    operation.requestBody ??= { content: {} }
    operation.requestBody.content[type] = { schema: simplifySchema(schema as OpenApiObject) }
  }
  const jsonSchema = operation.requestBody?.content['application/json']?.schema
  for (const type of accepts)
    if (operation.requestBody)
      operation.requestBody.content[type] ??= { schema: structuredClone(jsonSchema ?? getMediaTypeSchema(type)) }
}

/** Adds the answers that the handler writes itself; they take the place of what the route says without a body. */
function addAnswerMediaTypes({ method, operation }: LocatedOperation): void {
  const { answerTypes = {}, etag } = operation['x-route'] ?? {}
  for (const [status, types] of Object.entries(answerTypes)) {
    const declaredResponse = operation.responses[status] as OpenApiResponse | undefined
    const content = { ...declaredResponse?.content }
    const jsonSchema = content['application/json']?.schema
    for (const type of types)
      content[type] ??= { schema: structuredClone((/\+json$/.test(type) && jsonSchema) || getMediaTypeSchema(type)) }
    const description = declaredResponse?.description ?? statusMeanings[Number(status)] ?? 'Done.'
    operation.responses[status] = { description, ...(types.length > 0 && { content }) }
  }
  // An answer of another kind is no 200 without a body.
  if ((302 in answerTypes || 204 in answerTypes) && !(operation.responses[200] as OpenApiResponse | undefined)?.content)
    delete operation.responses[200]
  if (method === 'get' && etag) operation.responses[304] ??= { description: statusMeanings[304]! }
}

/** Describes by a schema the media types that handlers read and answer in addition to JSON. */
export function addMediaTypeSchemas(document: OpenApiDocument): void {
  Object.assign(document.components.schemas, structuredClone({ JsonPatch, MergePatch }))
  for (const locatedOperation of listOpenApiOperations(document)) {
    addRequestMediaTypes(locatedOperation)
    addAnswerMediaTypes(locatedOperation)
  }
}
