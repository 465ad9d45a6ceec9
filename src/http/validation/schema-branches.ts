/** The keywords of a JSON Schema that are read here. */
export interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

const known = new WeakMap<Schema, readonly Schema[]>()

function expand(schema: Schema): readonly Schema[] {
  const below = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [schema, ...below.flatMap(branchesOf)]
}

/** A schema and all its alternatives. */
export function branchesOf(schema: Schema): readonly Schema[] {
  const branches = known.get(schema) ?? expand(schema)
  known.set(schema, branches)
  return branches
}

/** The branches of the items that any of these accepts. */
export function itemsOf(branches: readonly Schema[]): readonly Schema[] {
  const items = branches.flatMap((branch) => (branch.items ? [branch.items] : []))
  return items.length === 1 ? branchesOf(items[0]!) : items.flatMap(branchesOf)
}

/** The branches of a member that any of these has. */
export function memberOf(branches: readonly Schema[], name: string): readonly Schema[] {
  const schemas = branches.flatMap(({ properties }) =>
    properties && Object.hasOwn(properties, name) ? [properties[name]!] : [],
  )
  return schemas.length === 1 ? branchesOf(schemas[0]!) : schemas.flatMap(branchesOf)
}

/** Whether anything below accepts objects with declared members: if not, items need not be searched. */
export function hasMembers(branches: readonly Schema[]): boolean {
  return branches.some(({ properties, items }) => properties !== undefined || (items && hasMembers(branchesOf(items))))
}
