import type { LocatedOperation, OpenApiDocument, OpenApiObject, OpenApiResponse } from './document.ts'
import { listOpenApiOperations } from './document.ts'

/** Bytes, as they are. */
export const bytesSchema: OpenApiObject = { type: 'string', contentMediaType: 'application/octet-stream' }
const textSchema: OpenApiObject = { type: 'string' }
const anySchema: OpenApiObject = {}

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

const patchBodyTypes: Record<string, OpenApiObject> = {
  'application/merge-patch+json': mergePatchRef,
  'application/json-patch+json': jsonPatchRef,
  'application/json': { anyOf: [mergePatchRef, jsonPatchRef] },
}

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

function addRequestMediaTypes({ method, operation }: LocatedOperation): void {
  const { bodyTypes = method === 'patch' ? patchBodyTypes : {}, accepts = [] } = operation['x-route'] ?? {}
  for (const [type, schema] of Object.entries(bodyTypes)) {
    operation.requestBody ??= { content: {} }
    operation.requestBody.content[type] ??= { schema: structuredClone(schema) as OpenApiObject }
  }
  const jsonSchema = operation.requestBody?.content['application/json']?.schema
  for (const type of accepts)
    if (operation.requestBody)
      operation.requestBody.content[type] ??= { schema: structuredClone(jsonSchema ?? getBinarySchema(type)) }
}

/** Adds the answers that the handler writes itself; they take the place of what the route says without a body. */
function addAnswerMediaTypes({ method, operation }: LocatedOperation): void {
  const { answerTypes = {}, etag } = operation['x-route'] ?? {}
  for (const [status, types] of Object.entries(answerTypes)) {
    const declaredResponse = operation.responses[status] as OpenApiResponse | undefined
    const content = { ...declaredResponse?.content }
    const jsonSchema = content['application/json']?.schema
    for (const type of types)
      content[type] ??= { schema: structuredClone((/\+json$/.test(type) && jsonSchema) || getBinarySchema(type)) }
    const description = declaredResponse?.description ?? statusMeanings[Number(status)] ?? 'done'
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
