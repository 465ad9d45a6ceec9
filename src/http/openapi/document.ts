import type { FastifyContextConfig } from 'fastify'

/** A schema, of which nothing is known but that it is JSON. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json | undefined }
export type JsonObject = { [name: string]: Json | undefined }

export interface Media {
  schema?: JsonObject
  example?: Json
  examples?: Record<string, JsonObject>
}

export interface Response {
  description: string
  content?: Record<string, Media>
  headers?: Record<string, JsonObject>
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: JsonObject
  deprecated?: boolean
}

export interface Reference {
  $ref: string
}

/** What the description is made of beside the schemas: what the route says of itself. Taken out in the end. */
export type RouteFacts = Pick<
  FastifyContextConfig,
  'right' | 'public' | 'session' | 'operator' | 'account' | 'local' | 'revealing' | 'etag' | 'accepts' | 'starts'
>

export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  deprecated?: boolean
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required?: boolean; description?: string; content: Record<string, Media> }
  responses: Record<string, Response | Reference>
  'x-route'?: RouteFacts
}

/** A document of OpenAPI 3.1. */
export interface Document {
  openapi: string
  info: JsonObject
  servers?: JsonObject[]
  tags?: { name: string; description: string }[]
  security?: Record<string, string[]>[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonObject>
    parameters?: Record<string, Parameter>
    responses?: Record<string, Response>
    headers?: Record<string, JsonObject>
    securitySchemes: Record<string, JsonObject>
  }
}

/** An operation with where it stands. `method` is in lower case. */
export interface Placed {
  method: string
  path: string
  operation: Operation
}

/** An answer, or the component that stands in its place. */
export function responseOf({ components }: Document, response: Response | Reference): Response {
  return '$ref' in response ? components.responses![response.$ref.split('/').at(-1)!]! : response
}

/** The path of a route as it is described: `/actions/{id}` of Fastify's `/actions/:id`. */
export const describedPath = (route: string): string => route.replaceAll(/:(\w+)/g, '{$1}')

/** Every operation of a document, in its order. */
export function operationsOf({ paths }: Document): Placed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
}
