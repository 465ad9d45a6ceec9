import type { HttpApp } from '../../../src/http/app-type.ts'
import { listOpenApiOperations, type OpenApiDocument } from '../../../src/http/openapi/document.ts'
import type { ValidationSchema } from '../../../src/http/validation/schema-branches.ts'
import type { Stage } from '../stages/stage.ts'

/** An operation that takes JSON, as it documents itself. */
export interface DocumentedOperation {
  method: string
  path: string
  body: ValidationSchema
}

/** Every operation that takes a JSON body. */
export function documentedOperations(app: HttpApp): DocumentedOperation[] {
  return listOpenApiOperations(app.swagger() as unknown as OpenApiDocument).flatMap(({ method, path, operation }) => {
    const body = operation.requestBody?.content['application/json']?.schema
    return body ? [{ method: method.toUpperCase(), path, body: body as ValidationSchema }] : []
  })
}

/** Makes one object of each common kind, so that operations do what they do; gives their ids by the part of the path before them. */
export async function makeObjects({
  call,
  contact,
  segment,
  action,
}: Pick<Stage, 'call' | 'contact' | 'segment' | 'action'>): Promise<Record<string, string | number>> {
  const bodies = {
    fields: { type: 'textField' },
    valueLists: { values: [] },
    categories: {},
    campaigns: {},
    imports: {},
    forms: {},
    'display/campaign': {},
    'display/placement': {},
  }
  const ids: Record<string, string | number> = {
    targets: await contact('one@shop.example'),
    segments: await segment([]),
    actions: await action(),
  }
  for (const [path, body] of Object.entries(bodies))
    ids[path] = (await call('POST', `/${path}`, { body: { name: 'One', ...body } })).body.id
  return ids
}

/** A path with the ids of what was made in it, and 1 in the place of others. */
export function filledPath(path: string, ids: Readonly<Record<string, string | number>>): string {
  return path
    .replace(/^\/(.*?)\/\{[^}]+\}/, (_, folder) => `/${folder}/${ids[folder] ?? 1}`)
    .replaceAll(/\{[^}]+\}/g, '1')
}

/** A value that fits a schema. */
export function sampleOf(schema: ValidationSchema): unknown {
  const {
    type,
    const: only,
    enum: words,
    properties = {},
    required = [],
    anyOf,
    oneOf,
    format,
  } = schema as ValidationSchema & {
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
