import type { App } from '../../src/http/app-type.ts'
import type { Schema } from '../../src/http/schema-branches.ts'

/** An operation that takes JSON, as it documents itself. */
export interface DocumentedOperation {
  method: string
  path: string
  body: Schema
}

/** Every operation that takes a JSON body. */
export function documentedOperations(app: App): DocumentedOperation[] {
  interface Documented {
    requestBody?: { content: Record<string, { schema: Schema }> }
  }
  const { paths } = app.swagger() as { paths: Record<string, Record<string, Documented>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const body = requestBody?.content['application/json']?.schema
      return body ? [{ method: method.toUpperCase(), path, body }] : []
    }),
  )
}

/** A value that fits a schema. */
export function sampleOf(schema: Schema): unknown {
  const {
    type,
    const: only,
    enum: words,
    properties = {},
    required = [],
    anyOf,
    oneOf,
    format,
  } = schema as Schema & {
    format?: string
  }
  const branch = (anyOf ?? oneOf)?.[0]
  if (only !== undefined) return only
  if (words) return words[0]
  if (branch) return { ...(sampleOf(branch) as object) }
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'array') return []
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]))
  return format === 'email' ? 'a@shop.example' : format === 'uuid' ? '0198c301-0000-7000-8000-000000000001' : 'text'
}
