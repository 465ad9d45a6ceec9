import { readFileSync } from 'node:fs'
import type {
  OpenApiDocument,
  OpenApiObject,
  OpenApiOperation,
  OpenApiReference,
  OpenApiResponse,
} from '../../../src/http/openapi/document.ts'
import { resolveOpenApiResponse, toOpenApiPath } from '../../../src/http/openapi/document.ts'
import { type Refusal, schemasOf } from './example-schemas.ts'

/** An answer, as far as the description speaks of it. */
export interface Given {
  method: string
  /** The pattern of the route, as Fastify has it. */
  route: string
  status: number
  /** The header; empty without a body. */
  type: string
  /** What it says, where that is one document of JSON and held to its schema. */
  body?: unknown
}

/** A request whose body is JSON. */
export interface Asked {
  method: string
  route: string
  type: string
  body: unknown
}

interface Description {
  document: OpenApiDocument
  refusal: Refusal
  /** The same, which reads a number as a text where one is wanted. */
  lenient: Refusal
}

let read: Description | undefined

/** Reads openapi.json once in a process. */
function description(): Description {
  if (read) return read
  const document = JSON.parse(
    readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
  ) as OpenApiDocument
  read = { document, refusal: schemasOf(document), lenient: schemasOf(document, true) }
  return read
}

/** An operation with the steps of the way to it; undefined where its path is not one of the interface. */
function operationAt(
  method: string,
  route: string,
): { operation: OpenApiOperation; way: string[]; name: string } | undefined {
  const verb = (method === 'HEAD' ? 'GET' : method).toLowerCase()
  const path = toOpenApiPath(route)
  const operation = description().document.paths[path]?.[verb]
  return operation && { operation, way: ['paths', path, verb], name: `${verb.toUpperCase()} ${path}` }
}

/** Tells whether a route is an operation of the description. */
export const isDescribed = (method: string, route: string): boolean => operationAt(method, route) !== undefined

const mediaOf = (type: string): string => type.split(';', 1)[0]!.trim().toLowerCase()

/** The way to an answer: to the component that stands in its place, if one does. */
const wayTo = (answer: OpenApiResponse | OpenApiReference, way: readonly string[]): readonly string[] =>
  '$ref' in answer ? answer.$ref.split('/').slice(1) : way

/** The statuses that `default` stands for. */
function statusesOf({ content }: OpenApiResponse): readonly unknown[] {
  const parts = content?.['application/problem+json']?.schema?.['allOf'] as OpenApiObject[] | undefined
  const properties = parts?.[1]?.['properties'] as Record<string, OpenApiObject> | undefined
  return (properties?.['status']?.['enum'] as unknown[] | undefined) ?? []
}

/** The type of a problem, for people who read a fault. */
const typeOf = (body: unknown): string => {
  const { type } = (body ?? {}) as { type?: unknown }
  return typeof type === 'string' ? ` (${type})` : ''
}

/** Where the answer of a status is described; undefined where it is not. */
function answerAt({ responses }: OpenApiOperation, status: number): string | undefined {
  if (responses[status]) return String(status)
  const rest = responses['default']
  return rest && statusesOf(resolveOpenApiResponse(description().document, rest)).includes(status)
    ? 'default'
    : undefined
}

/** What of an answer is not in the description; undefined when all of it is, or when its path is not one of the interface. */
export function undescribed({ method, route, status, type, body }: Given): string | undefined {
  const at = operationAt(method, route)
  if (!at) return undefined
  const { operation, way, name } = at
  const place = answerAt(operation, status)
  if (place === undefined) return `${name} answers ${status}${typeOf(body)}, which is not described`
  const media = mediaOf(type)
  if (status === 204 || status === 304 || media === '') return undefined
  const answer = operation.responses[place]!
  const { document, refusal } = description()
  const described = resolveOpenApiResponse(document, answer).content?.[media]
  const isJudged = body !== undefined || media !== 'application/problem+json'
  if (!described) return isJudged ? `${name} answers ${status} as ${media}, which is not described` : undefined
  if (body === undefined || !described.schema) return undefined
  const refused = refusal(body, [...wayTo(answer, [...way, 'responses', place]), 'content', media, 'schema'])
  return refused && `${name} answers ${status}${typeOf(body)} with what is not described: ${refused}`
}

/** A copy without members that are null: typed clients send null for what is unset. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}

/** Returns a fault of a request against the description; undefined if there is none. */
export type RequestJudgement = () => string | undefined

/**
 * Compares the body of a request as it came with the description. Returns a function that judges it further, to be called if the request is
 * accepted; undefined if it cannot be at fault. Not described with each operation is what all of them read in addition: a body that is not wanted, JSON under another name, [] for
 * {}, null for what is left out, a number for a text.
 */
export function judgeRequest({ method, route, type, body }: Asked): RequestJudgement | undefined {
  const at = operationAt(method, route)
  if (!at) return undefined
  const { operation, way, name } = at
  if (!operation.requestBody) return undefined
  const { content } = operation.requestBody
  const requestMedia = mediaOf(type)
  const media = content[requestMedia] || !/\bjson\b/.test(requestMedia) ? requestMedia : 'application/json'
  const described = content[media]
  if (!described) return () => `${name} reads ${media}, which is not described`
  if (!described.schema) return undefined
  const schema = [...way, 'requestBody', 'content', media, 'schema']
  const { refusal, lenient } = description()
  if (!refusal(body, schema)) return undefined
  // Most that is refused here is refused by the service: it is not copied for nothing.
  const text = JSON.stringify(body)
  if (text.includes('[]')) return undefined
  return () => {
    const bare = withoutNulls(JSON.parse(text))
    const refused = refusal(bare, schema) && lenient(bare, schema)
    return refused && `${name} accepts what is not described: ${refused}`
  }
}
