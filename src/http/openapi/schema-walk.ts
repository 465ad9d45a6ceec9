import type { OpenApiJson, OpenApiObject } from './document.ts'

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const singleSchemaKeywords = [
  'items',
  'additionalProperties',
  'not',
  'propertyNames',
  'contains',
  'if',
  'then',
  'else',
] as const
const schemaListKeywords = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const schemaMapKeywords = ['properties', 'patternProperties'] as const

/** The position of a schema in its parent: the keyword, and the name or number under it. */
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
  for (const keyword of singleSchemaKeywords) {
    const child = schema[keyword]
    if (isOpenApiObject(child)) result[keyword] = change(child, { keyword })
  }
  for (const keyword of schemaListKeywords) {
    const children = schema[keyword]
    if (Array.isArray(children))
      result[keyword] = children.map((child, at) =>
        isOpenApiObject(child) ? change(child, { keyword, at: String(at) }) : child,
      )
  }
  for (const keyword of schemaMapKeywords) {
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
function simplifyNullable(schema: OpenApiObject): OpenApiObject {
  const { anyOf, ...otherKeywords } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [value, nullSchema] = anyOf
  if (
    !isOpenApiObject(value) ||
    !isOpenApiObject(nullSchema) ||
    nullSchema.type !== 'null' ||
    Object.keys(nullSchema).length !== 1
  )
    return schema
  if (value.anyOf || value.$ref || value.const !== undefined || value.properties) return schema
  if (Array.isArray(value.enum))
    return {
      ...value,
      ...otherKeywords,
      ...(value.type !== undefined && { type: [value.type, 'null'] }),
      enum: [...value.enum, null],
    }
  return typeof value.type === 'string' ? { ...value, ...otherKeywords, type: [value.type, 'null'] } : schema
}

/**
 * Removes the discriminator of shapes that a member distinguishes: each shape already declares the member, so the schema around them needs
 * nothing more. A discriminator is for shapes that have the names of its values.
 */
function removeDiscriminator(schema: OpenApiObject): OpenApiObject {
  if (!schema.discriminator || !schema.oneOf) return schema
  const { discriminator: _, type: _type, required: _required, properties: _properties, ...otherKeywords } = schema
  return otherKeywords
}

/** Words and numbers of one enumeration as words or any number: generated clients name values, and would give two the same name. */
function splitMixedEnum(schema: OpenApiObject): OpenApiObject {
  const { enum: values, type: _, ...otherKeywords } = schema
  if (!Array.isArray(values)) return schema
  const words = values.filter((value) => typeof value === 'string')
  const isMixed = words.length > 0 && values.some((value) => typeof value === 'number')
  if (!isMixed || values.includes(null)) return schema
  return { ...otherKeywords, anyOf: [{ type: 'string', enum: words }, { type: 'number' }] }
}

/** A tuple, said as JSON Schema 2020-12 does. */
function toPrefixItems(schema: OpenApiObject): OpenApiObject {
  if (!Array.isArray(schema.items)) return schema
  const { items, additionalItems: _, ...otherKeywords } = schema
  return { ...otherKeywords, prefixItems: items, items: {}, maxItems: items.length }
}

/** A schema in fewer words that admits the same. */
export function simplifySchema(schema: OpenApiObject): OpenApiObject {
  return splitMixedEnum(simplifyNullable(removeDiscriminator(mapChildSchemas(toPrefixItems(schema), simplifySchema))))
}
