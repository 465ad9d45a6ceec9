import type { OpenApiJson, OpenApiObject } from './document.ts'

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const single = ['items', 'additionalProperties', 'not', 'propertyNames', 'contains', 'if', 'then', 'else'] as const
const listed = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const named = ['properties', 'patternProperties'] as const

/** Where a schema stands in the one around it: the keyword, and the name or number under it. */
export interface SchemaStep {
  keyword: string
  at?: string
}

export const isOpenApiObject = (value: unknown): value is OpenApiObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy of a schema in which each schema right within it is what `change` makes of it. */
export function mapChildSchemas(
  schema: OpenApiObject,
  change: (child: OpenApiObject, step: SchemaStep) => OpenApiJson,
): OpenApiObject {
  const result: OpenApiObject = { ...schema }
  for (const keyword of single) {
    const child = schema[keyword]
    if (isOpenApiObject(child)) result[keyword] = change(child, { keyword })
  }
  for (const keyword of listed) {
    const children = schema[keyword]
    if (Array.isArray(children))
      result[keyword] = children.map((child, at) =>
        isOpenApiObject(child) ? change(child, { keyword, at: String(at) }) : child,
      )
  }
  for (const keyword of named) {
    const children = schema[keyword]
    if (!isOpenApiObject(children)) continue
    result[keyword] = Object.fromEntries(
      Object.entries(children).map(([at, child]) => [
        at,
        isOpenApiObject(child) ? change(child, { keyword, at }) : child,
      ]),
    )
  }
  return result
}

/** Calls `visit` with each schema right within one. */
export function visitChildSchemas(
  schema: OpenApiObject,
  visit: (child: OpenApiObject, step: SchemaStep) => void,
): void {
  mapChildSchemas(schema, (child, step) => {
    visit(child, step)
    return child
  })
}

/** `anyOf` of one simple schema and null, said shorter: null is one of its types. Anything else is as it was. */
function withNull(schema: OpenApiObject): OpenApiObject {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [value, none] = anyOf
  if (!isOpenApiObject(value) || !isOpenApiObject(none) || none.type !== 'null' || Object.keys(none).length !== 1)
    return schema
  if (value.anyOf || value.$ref || value.const !== undefined || value.properties) return schema
  if (Array.isArray(value.enum))
    return {
      ...value,
      ...rest,
      ...(value.type !== undefined && { type: [value.type, 'null'] }),
      enum: [...value.enum, null],
    }
  return typeof value.type === 'string' ? { ...value, ...rest, type: [value.type, 'null'] } : schema
}

/**
 * Shapes that a member tells apart: each says itself what the member is, so that nothing has to be said around them. A discriminator is
 * for shapes that have the names of its values.
 */
function withoutDiscriminator(schema: OpenApiObject): OpenApiObject {
  if (!schema.discriminator || !schema.oneOf) return schema
  const { discriminator: _, type: _type, required: _required, properties: _properties, ...rest } = schema
  return rest
}

/** A tuple, said as JSON Schema 2020-12 does. */
function withPrefix(schema: OpenApiObject): OpenApiObject {
  if (!Array.isArray(schema.items)) return schema
  const { items, additionalItems, ...rest } = schema
  return { ...rest, prefixItems: items, items: additionalItems ?? false }
}

/** A schema in fewer words that admits the same. */
export function simplifySchema(schema: OpenApiObject): OpenApiObject {
  return withNull(withoutDiscriminator(mapChildSchemas(withPrefix(schema), simplifySchema)))
}
