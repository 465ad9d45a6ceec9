import { listOperationBodies, type OperationBody, type SchemaNameCandidate } from './body-names.ts'
import type { OpenApiDocument, OpenApiObject } from './document.ts'
import { listOpenApiOperations } from './document.ts'
import { singularizeName } from './operation-ids.ts'
import { isOpenApiObject, mapChildSchemas, type SchemaStep, visitChildSchemas } from './schema-walk.ts'
import { toPascalCase } from './shared-parts.ts'

/** Characters of a schema from which it is shared, where it stands in more than one place. */
const LEAST = 140

/** A schema, once, wherever it stands. */
interface Node {
  schema: OpenApiObject
  /** Places where it stands: the schema around it and the way there; a body has none around it. */
  places: Map<string, { parent: Node | undefined; step: SchemaStep }>
  descriptions: Map<string, number>
  candidates: SchemaNameCandidate[]
  name?: string
}

/** Names of members that say too little to name what they hold. */
const vague = new Set(
  'batch body card content context data event feature features file from goal informations items kind map metric mp of options period plan report result results segments settings statistics targets task text totals type value values who within'.split(
    ' ',
  ),
)

/** What a schema is, without what it is for in one place. */
function keyOf({ description: _, ...schema }: OpenApiObject): string {
  return JSON.stringify(schema)
}

/** All schemas of a document, each once. */
function collect(roots: readonly OpenApiObject[]): Map<string, Node> {
  const nodes = new Map<string, Node>()
  const visit = (schema: OpenApiObject, parent: Node | undefined, step: SchemaStep): void => {
    const key = keyOf(schema)
    const known = nodes.get(key)
    const node = known ?? { schema, places: new Map(), descriptions: new Map(), candidates: [] }
    if (!known) nodes.set(key, node)
    const place = parent ? `${keyOf(parent.schema)} ${step.keyword} ${step.at ?? ''}` : `body ${step.at}`
    node.places.set(place, { parent, step })
    const text = String(schema.description ?? '')
    node.descriptions.set(text, (node.descriptions.get(text) ?? 0) + 1)
    if (!known) visitChildSchemas(schema, (child, childStep) => visit(child, node, childStep))
  }
  for (const [at, root] of roots.entries()) visit(root, undefined, { keyword: 'body', at: String(at) })
  return nodes
}

/** What tells one of several shapes from the others: its type. */
function shapeName(schema: OpenApiObject, at: string): string {
  const properties = isOpenApiObject(schema.properties) ? schema.properties : {}
  for (const member of ['type', 'kind', 'version', 'op', 'state']) {
    const told = properties[member]
    if (!isOpenApiObject(told)) continue
    const word = told.const ?? (Array.isArray(told.enum) && told.enum.length === 1 ? told.enum[0] : undefined)
    if (typeof word === 'string' || typeof word === 'number') return toPascalCase(String(word))
  }
  if (schema.type === 'array') return 'List'
  if (schema.type === 'string') return 'Text'
  return at === '0' ? 'Shape' : `Shape${Number(at) + 1}`
}

/** The name of a schema within a named one, by the way from that. */
function innerName(outer: string, node: Node, { keyword, at = '' }: SchemaStep): string {
  switch (keyword) {
    case 'properties':
      return `${outer}${toPascalCase(at)}`
    case 'items':
      return singularizeName(outer) === outer ? `${outer}Item` : singularizeName(outer)
    case 'additionalProperties':
    case 'patternProperties':
      return `${outer}Value`
    case 'anyOf':
    case 'oneOf': {
      const isOnly = (outerOptions(node) ?? 2) < 2
      return isOnly ? outer : `${outer}${shapeName(node.schema, at)}`
    }
    default:
      return `${outer}${toPascalCase(keyword)}`
  }
}

/** How many shapes beside null the schema around one allows, where that is the same everywhere. */
function outerOptions(node: Node): number | undefined {
  const [place] = node.places.values()
  const options = place?.parent?.schema[place.step.keyword]
  if (!Array.isArray(options)) return undefined
  return options.filter((option) => !(isOpenApiObject(option) && option.type === 'null')).length
}

/** The one member that holds a schema wherever it stands. */
function onlyMember(node: Node): string | undefined {
  const members = new Set<string>()
  for (const { parent, step } of node.places.values()) {
    let [around, way] = [parent, step]
    // Of an array or a choice the name is that of the member that holds it.
    while (around && way.keyword !== 'properties') {
      const [next] = around.places.values()
      if (!next) return undefined
      ;[around, way] = [next.parent, next.step]
    }
    if (!around || way.at === undefined) return undefined
    members.add(step.keyword === 'items' ? singularizeName(way.at) : way.at)
  }
  const [member] = members
  return members.size === 1 && !vague.has(member!) ? member : undefined
}

const isShareable = ({ schema }: Node): boolean =>
  schema.$ref === undefined &&
  (schema.properties || schema.anyOf || schema.oneOf || schema.enum || schema.type === 'object')
    ? keyOf(schema).length >= LEAST
    : false

/** Names of bodies: of a request that both makes and changes it is that of writing. */
function addBodyNames(nodes: Map<string, Node>, bodies: readonly OperationBody[]): void {
  const written = new Map<Node, Map<string, Set<string>>>()
  for (const { schema, rank, name, writes } of bodies) {
    const node = nodes.get(keyOf(schema))
    if (!node) continue
    node.candidates.push({ rank, name })
    if (writes === undefined) continue
    const nouns = written.get(node) ?? new Map<string, Set<string>>()
    written.set(node, nouns.set(writes, (nouns.get(writes) ?? new Set()).add(name)))
  }
  for (const [node, nouns] of written)
    for (const [noun, names] of nouns) if (names.size > 1) node.candidates.push({ rank: 3, name: `${noun}Write` })
}

const isBody = (node: Node): boolean => node.candidates.length > 0 && keyOf(node.schema).length >= 60

const better = (a: SchemaNameCandidate, b: SchemaNameCandidate): number =>
  a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1)

/** Gives each schema that becomes a component its name: bodies first, then what stands within them. */
function nameAll(nodes: Map<string, Node>, taken: Set<string>): void {
  const take = (node: Node, names: readonly string[]): void => {
    const free = names.find((name) => !taken.has(name))
    let name = free ?? names.at(-1)!
    for (let number = 2; taken.has(name); number++) name = `${names.at(-1)}${number}`
    taken.add(name)
    node.name = name
  }
  const bodies = [...nodes.values()].filter((node) => !node.name && isBody(node) && isNamable(node))
  for (const node of bodies) node.candidates.sort(better)
  bodies.sort((a, b) => better(a.candidates[0]!, b.candidates[0]!))
  for (const node of bodies) take(node, bodyNames(node))
  const within = [...nodes.values()].filter((node) => !node.name && node.places.size > 1 && isShareable(node))
  for (const node of within) {
    const member = onlyMember(node)
    take(node, [...(member ? [toPascalCase(member)] : []), wayName(node)])
  }
}

const isNamable = ({ schema }: Node): boolean =>
  schema.$ref === undefined && Boolean(schema.properties || schema.anyOf || schema.oneOf || schema.type === 'object')

/** Names a body may have, best first: what a list alone answers is an item of it where the thing itself has the name. */
function bodyNames({ candidates }: Node): string[] {
  return candidates.flatMap(({ rank, name }) => (rank === 2 ? [name, `${name}Item`] : [name]))
}

/** The name by the shortest way from a named schema. */
function wayName(node: Node): string {
  const [place] = [...node.places.values()].filter(({ parent }) => parent !== undefined)
  if (!place?.parent) return 'Part'
  const outer = place.parent.name ?? wayName(place.parent)
  return innerName(outer, node, place.step)
}

function mostOf(descriptions: Map<string, number>): string {
  return [...descriptions].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
}

/** Makes components of the schemas of bodies and of those that stand in several places, and refers to them. */
export function shareSchemas(document: OpenApiDocument): void {
  const { schemas } = document.components
  const given = Object.entries(schemas)
  const roots = given.map(([, schema]) => schema)
  for (const { operation } of listOpenApiOperations(document)) {
    for (const parameter of operation.parameters ?? []) if ('schema' in parameter) roots.push(parameter.schema)
    for (const media of mediaOf(operation)) roots.push(media.schema!)
  }
  const nodes = collect(roots)
  for (const [name, schema] of given) nodes.get(keyOf(schema))!.name = name
  const isGiven = new Set(given.map(([name]) => name))
  /** A component says what it was given to say, else what most of its places do. */
  const wordsOf = ({ name = '', schema, descriptions }: Node): string =>
    isGiven.has(name) ? String(schema.description ?? '') : mostOf(descriptions)
  addBodyNames(nodes, listOperationBodies(document))
  nameAll(nodes, new Set(isGiven))

  const inner = (schema: OpenApiObject): OpenApiObject => mapChildSchemas(schema, (child) => referring(child))
  const referring = (schema: OpenApiObject): OpenApiObject => {
    const node = nodes.get(keyOf(schema))
    const { description } = schema
    const isOther = node?.name !== undefined && isGiven.has(node.name) && description !== node.schema.description
    if (!node?.name || isOther) return inner(schema)
    const differs = description !== undefined && description !== wordsOf(node)
    return { $ref: `#/components/schemas/${node.name}`, ...(differs && { description }) }
  }
  const named = [...nodes.values()].filter((node) => node.name !== undefined)
  document.components.schemas = Object.fromEntries(
    named
      .sort((a, b) => (a.name! < b.name! ? -1 : 1))
      .map((node) => [node.name!, withDescription(inner(node.schema), wordsOf(node))]),
  )
  for (const { operation } of listOpenApiOperations(document)) {
    for (const parameter of operation.parameters ?? [])
      if ('schema' in parameter) parameter.schema = referring(parameter.schema)
    for (const media of mediaOf(operation)) media.schema = referring(media.schema!)
  }
}

function withDescription({ description: _, ...schema }: OpenApiObject, description: string): OpenApiObject {
  return description === '' ? schema : { ...schema, description }
}

function mediaOf({
  requestBody,
  responses,
}: ReturnType<typeof listOpenApiOperations>[number]['operation']): { schema?: OpenApiObject }[] {
  const contents = [
    requestBody?.content,
    ...Object.values(responses).map((one) => ('content' in one ? one.content : {})),
  ]
  return contents.flatMap((content) => Object.values(content ?? {})).filter(({ schema }) => schema !== undefined)
}
