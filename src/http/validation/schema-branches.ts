/** The keywords of a JSON Schema that are read here. */
export interface ValidationSchema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, ValidationSchema>
  required?: string[]
  items?: ValidationSchema
  additionalProperties?: boolean | ValidationSchema
  patternProperties?: Record<string, ValidationSchema>
  anyOf?: ValidationSchema[]
  oneOf?: ValidationSchema[]
  allOf?: ValidationSchema[]
}

const expandedBranches = new WeakMap<ValidationSchema, readonly ValidationSchema[]>()

function expandBranches(schema: ValidationSchema): readonly ValidationSchema[] {
  const childBranches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [schema, ...childBranches.flatMap(listSchemaBranches)]
}

/** A schema and all its alternatives. */
export function listSchemaBranches(schema: ValidationSchema): readonly ValidationSchema[] {
  const branches = expandedBranches.get(schema) ?? expandBranches(schema)
  expandedBranches.set(schema, branches)
  return branches
}

/** The branches of the items that any of these accepts. */
export function listItemBranches(branches: readonly ValidationSchema[]): readonly ValidationSchema[] {
  const items = branches.flatMap((branch) => (branch.items ? [branch.items] : []))
  return items.length === 1 ? listSchemaBranches(items[0]!) : items.flatMap(listSchemaBranches)
}

/** The branches of a member that any of these has. */
export function listMemberBranches(branches: readonly ValidationSchema[], name: string): readonly ValidationSchema[] {
  const memberSchemas = branches.flatMap(({ properties }) =>
    properties && Object.hasOwn(properties, name) ? [properties[name]!] : [],
  )
  return memberSchemas.length === 1 ? listSchemaBranches(memberSchemas[0]!) : memberSchemas.flatMap(listSchemaBranches)
}

/** Returns true if any branch below accepts objects with declared members; otherwise items need not be searched. */
export function hasDeclaredMembers(branches: readonly ValidationSchema[]): boolean {
  return branches.some(
    ({ properties, items }) => properties !== undefined || (items && hasDeclaredMembers(listSchemaBranches(items))),
  )
}
