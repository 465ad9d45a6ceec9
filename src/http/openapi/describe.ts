import contract from '../operations.json' with { type: 'json' }
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiResponse } from './document.ts'
import { listOpenApiOperations } from './document.ts'
import { addProblemResponses } from './errors.ts'
import { addOperationExamples } from './examples.ts'
import { addMediaTypeSchemas } from './media.ts'
import { buildOperationId } from './operation-ids.ts'
import { typePathIds } from './path-ids.ts'
import { simplifySchema } from './schema-walk.ts'
import { shareParameters, shareResponses } from './shared-parts.ts'
import { shareSchemas } from './shared-schemas.ts'
import { addDescriptions } from './words.ts'

/** Operations that the list of the interface calls deprecated; names of parameters differ. */
const deprecatedOperations = new Set(
  contract.filter((operation) => 'deprecated' in operation).map(({ method, path }) => `${method} ${path}`),
)

/** Returns true if an operation answers with an array. */
function returnsArray({ responses }: OpenApiOperation): boolean {
  const schema = (responses[200] as OpenApiResponse | undefined)?.content?.['application/json']?.schema
  return schema?.type === 'array'
}

function simplifyOperation({ parameters, requestBody, responses }: OpenApiOperation): void {
  const responseContents = Object.values(responses).map((response) =>
    'content' in response ? response.content : undefined,
  )
  for (const parameter of (parameters ?? []) as OpenApiParameter[]) {
    parameter.schema = simplifySchema(parameter.schema)
    if (parameter.required === false) delete parameter.required
  }
  for (const mediaTypes of [requestBody?.content, ...responseContents])
    for (const mediaType of Object.values(mediaTypes ?? {}))
      if (mediaType.schema) mediaType.schema = simplifySchema(mediaType.schema)
}

/** The description of the interface, of what the schemas of its routes say. Changes nothing of `collected`. */
export function buildOpenApiDocument(collected: object): OpenApiDocument {
  const document = structuredClone(collected) as OpenApiDocument
  for (const { method, path, operation } of listOpenApiOperations(document)) {
    operation.operationId = operation['x-route']?.operationId ?? buildOperationId(method, path, returnsArray(operation))
    if (deprecatedOperations.has(`${method.toUpperCase()} ${path}`)) operation.deprecated = true
    simplifyOperation(operation)
  }
  addMediaTypeSchemas(document)
  typePathIds(document)
  for (const [name, schema] of Object.entries(document.components.schemas))
    document.components.schemas[name] = simplifySchema(schema)
  addDescriptions(document)
  shareSchemas(document)
  shareParameters(document)
  shareResponses(document)
  addProblemResponses(document)
  addOperationExamples(document)
  for (const { operation } of listOpenApiOperations(document)) delete operation['x-route']
  return document
}

/** The text of a description, with a line for each operation and each component. */
export function formatOpenApiDocument(document: OpenApiDocument): string {
  const lines = (value: object, depth: number): string =>
    depth === 0
      ? JSON.stringify(value)
      : `{\n${Object.entries(value)
          .map(([name, member]) => `${JSON.stringify(name)}: ${formatLine(member, depth - 1)}`)
          .join(',\n')}\n}`
  const formatLine = (value: unknown, depth: number): string =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? lines(value, depth) : JSON.stringify(value)
  const parts = Object.entries(document).map(([name, value]) => {
    const indentDepth = ['paths', 'webhooks', 'components'].includes(name) ? 2 : 0
    return `${JSON.stringify(name)}: ${formatLine(value, indentDepth)}`
  })
  return `{\n${parts.join(',\n')}\n}\n`
}
