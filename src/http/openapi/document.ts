import type { FastifyContextConfig } from 'fastify'

/** A schema, of which nothing is known but that it is JSON. */
export type OpenApiJson = null | boolean | number | string | OpenApiJson[] | { [name: string]: OpenApiJson | undefined }
export type OpenApiObject = { [name: string]: OpenApiJson | undefined }

export interface OpenApiMedia {
  schema?: OpenApiObject
  example?: OpenApiJson
  examples?: Record<string, OpenApiObject>
}

export interface OpenApiResponse {
  description: string
  content?: Record<string, OpenApiMedia>
  headers?: Record<string, OpenApiObject>
}

export interface OpenApiParameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: OpenApiObject
  deprecated?: boolean
}

export interface OpenApiReference {
  $ref: string
}

/** Members of the `schema` of a route that only describe its operation: exceptions to the rules of this room. */
export interface OperationNotes {
  summary?: string
  description?: string
  /** The stable name, if the rule of `operation-ids.ts` would make a bad one. */
  operationId?: string
  /** Problem types by status, separated by spaces, in addition to those that the rules of `errors.ts` assign. */
  refusals?: Readonly<Record<number, string>>
  /** Media types of a body that the handler reads itself, with their schemas; they take the place of the schema of the route. */
  bodyTypes?: Readonly<Record<string, object>>
  /** Media types, by status, of answers that the handler writes itself. */
  answerTypes?: Readonly<Record<number, readonly string[]>>
  /** The name of the schema of the answer, if the rule of `body-names.ts` would give it that of something else. */
  answerName?: string
}

/** Traits that a route declares about itself, used to build the description in addition to the schemas. They are removed at the end. */
export type OpenApiRouteTraits = OperationNotes &
  Pick<
    FastifyContextConfig,
    'right' | 'public' | 'session' | 'operator' | 'account' | 'local' | 'revealing' | 'etag' | 'accepts' | 'starts'
  >

export interface OpenApiOperation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  deprecated?: boolean
  security?: Record<string, string[]>[]
  parameters?: (OpenApiParameter | OpenApiReference)[]
  requestBody?: { required?: boolean; description?: string; content: Record<string, OpenApiMedia> }
  responses: Record<string, OpenApiResponse | OpenApiReference>
  'x-route'?: OpenApiRouteTraits
}

/** A document of OpenAPI 3.1. */
export interface OpenApiDocument {
  openapi: string
  info: OpenApiObject
  servers?: OpenApiObject[]
  tags?: { name: string; description: string }[]
  security?: Record<string, string[]>[]
  paths: Record<string, Record<string, OpenApiOperation>>
  /** Requests that the service sends, by their names. They are no operations of the interface. */
  webhooks?: Record<string, Record<string, OpenApiOperation>>
  components: {
    schemas: Record<string, OpenApiObject>
    parameters?: Record<string, OpenApiParameter>
    responses?: Record<string, OpenApiResponse>
    headers?: Record<string, OpenApiObject>
    securitySchemes: Record<string, OpenApiObject>
  }
}

/** An operation with where it stands. `method` is in lower case. */
export interface LocatedOperation {
  method: string
  path: string
  operation: OpenApiOperation
}

/** An answer, or the component that stands in its place. */
export function resolveOpenApiResponse(
  { components }: OpenApiDocument,
  response: OpenApiResponse | OpenApiReference,
): OpenApiResponse {
  return '$ref' in response ? components.responses![response.$ref.split('/').at(-1)!]! : response
}

/** A parameter, or the component that stands in its place. */
export function resolveOpenApiParameter(
  { components }: OpenApiDocument,
  parameter: OpenApiParameter | OpenApiReference,
): OpenApiParameter {
  return '$ref' in parameter ? components.parameters![parameter.$ref.split('/').at(-1)!]! : parameter
}

/** One shape of a choice, which its `type` selects. */
export function buildOpenApiVariant(
  type: string,
  description: string,
  properties: Record<string, OpenApiObject>,
): OpenApiObject {
  const typeMember: OpenApiObject = { type: 'string', enum: [type], description: 'Type of the object.' }
  return { type: 'object', description, required: ['type'], properties: { type: typeMember, ...properties } }
}

/** A reference to a schema among the components. */
export const openApiSchemaRef = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` })

/** The path of a route as it is described: `/actions/{id}` of Fastify's `/actions/:id`. */
export const toOpenApiPath = (route: string): string => route.replaceAll(/:(\w+)/g, '{$1}')

/** Every operation of a document, in its order. */
export function listOpenApiOperations({ paths }: OpenApiDocument): LocatedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
}

/** The components that a part of a document refers to, as `kind/name`, and those that these refer to. */
function collectComponentRefs(document: OpenApiDocument, part: unknown, refs = new Set<string>()): Set<string> {
  for (const [, ref] of JSON.stringify(part ?? {}).matchAll(/"#\/components\/(\w+\/[\w.-]+)"/g)) {
    if (refs.has(ref!)) continue
    refs.add(ref!)
    const [kind, name] = ref!.split('/') as [keyof OpenApiDocument['components'], string]
    collectComponentRefs(document, document.components[kind]?.[name], refs)
  }
  return refs
}

/** The document without its webhooks and the components that only they refer to: clients send no such requests. */
export function omitWebhooks(document: OpenApiDocument): OpenApiDocument {
  const { webhooks, ...operations } = document
  const operationRefs = collectComponentRefs(document, document.paths)
  const unusedRefs = collectComponentRefs(document, webhooks).difference(operationRefs)
  const kinds = Object.entries(document.components).map(([kind, parts]) => [
    kind,
    Object.fromEntries(Object.entries(parts).filter(([name]) => !unusedRefs.has(`${kind}/${name}`))),
  ])
  return { ...operations, components: Object.fromEntries(kinds) as OpenApiDocument['components'] }
}
