import { listOperationBodies, type OperationBody, type SchemaNameCandidate } from './body-names.ts'
import type { OpenApiDocument, OpenApiObject } from './document.ts'
import { listOpenApiOperations, openApiSchemaRef } from './document.ts'
import { singularizeName } from './operation-ids.ts'
import { isOpenApiObject, mapChildSchemas, type SchemaStep, visitChildSchemas } from './schema-walk.ts'
import { toPascalCase } from './shared-parts.ts'

/** Characters of a schema from which it is shared, where it stands in more than one place. */
const MIN_SHARED_LENGTH = 140

/** A schema, once, wherever it stands. */
interface SchemaNode {
  schema: OpenApiObject
  /** Its positions: the parent schema and the step to it. A body has no parent. */
  places: Map<string, { parent: SchemaNode | undefined; step: SchemaStep }>
  descriptions: Map<string, number>
  candidates: SchemaNameCandidate[]
  name?: string
}

/** Names of members that say too little to name what they hold. */
const vagueMembers = new Set(
  'batch body card content context data event feature features file from goal informations items kind map metric mp of options period plan report result results segments settings statistics targets task text totals type value values who within'.split(
    ' ',
  ),
)

/** Names that a generated client could not use because its language has them, or that count where they should say something. */
const replacedNames: Readonly<Record<string, string>> = {
  Error: 'RunError',
  Event: 'ContactEvent',
  Headers: 'EmailHeaders',
  Notification: 'PushNotification',
  Position: 'ScriptPosition',
  Report: 'MessageReport',
  Request: 'LoggedRequest',
  ExecuteWorkflowResultErrorValueShape7: 'SimulatedNodeError',
  RenderNotificationRequestReceiver: 'OptionalPushReceiver',
  OptionalPushReceiver2: 'PushReceiver',
}

/** The key of a schema, without the description of its purpose in one position. */
function buildSchemaKey({ description: _, ...schema }: OpenApiObject): string {
  return JSON.stringify(schema)
}

/** All schemas of a document, each once. */
function collectSchemas(roots: readonly OpenApiObject[]): Map<string, SchemaNode> {
  const nodes = new Map<string, SchemaNode>()
  const visit = (schema: OpenApiObject, parent: SchemaNode | undefined, step: SchemaStep): void => {
    const key = buildSchemaKey(schema)
    const knownNode = nodes.get(key)
    const node = knownNode ?? { schema, places: new Map(), descriptions: new Map(), candidates: [] }
    if (!knownNode) nodes.set(key, node)
    const placeKey = parent ? `${buildSchemaKey(parent.schema)} ${step.keyword} ${step.at ?? ''}` : `body ${step.at}`
    node.places.set(placeKey, { parent, step })
    const text = String(schema.description ?? '')
    node.descriptions.set(text, (node.descriptions.get(text) ?? 0) + 1)
    if (!knownNode) visitChildSchemas(schema, (child, childStep) => visit(child, node, childStep))
  }
  for (const [rootIndex, root] of roots.entries()) visit(root, undefined, { keyword: 'body', at: String(rootIndex) })
  return nodes
}

/** The name that distinguishes one of several shapes from the others: its type. */
function getShapeName(schema: OpenApiObject, at: string): string {
  const properties = isOpenApiObject(schema.properties) ? schema.properties : {}
  for (const member of ['type', 'kind', 'version', 'op', 'state']) {
    const memberSchema = properties[member]
    if (!isOpenApiObject(memberSchema)) continue
    const word =
      memberSchema.const ??
      (Array.isArray(memberSchema.enum) && memberSchema.enum.length === 1 ? memberSchema.enum[0] : undefined)
    if (typeof word === 'string' || typeof word === 'number') return toPascalCase(String(word))
  }
  if (schema.type === 'array') return 'List'
  if (schema.type === 'string') return 'Text'
  return at === '0' ? 'Shape' : `Shape${Number(at) + 1}`
}

/** The name of a schema within a named one, by the way from that. */
function buildInnerName(outer: string, node: SchemaNode, { keyword, at = '' }: SchemaStep): string {
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
      const isOnlyShape = (countOuterShapes(node) ?? 2) < 2
      return isOnlyShape ? outer : `${outer}${getShapeName(node.schema, at)}`
    }
    default:
      return `${outer}${toPascalCase(keyword)}`
  }
}

/** The number of shapes other than null that the parent schema allows, if it is the same everywhere. */
function countOuterShapes(node: SchemaNode): number | undefined {
  const [place] = node.places.values()
  const options = place?.parent?.schema[place.step.keyword]
  if (!Array.isArray(options)) return undefined
  return options.filter((option) => !(isOpenApiObject(option) && option.type === 'null')).length
}

/** The one member that holds a schema wherever it stands. */
function findOnlyMember(node: SchemaNode): string | undefined {
  const members = new Set<string>()
  for (const { parent, step } of node.places.values()) {
    let [enclosingNode, pathStep] = [parent, step]
    // Of an array or a choice the name is that of the member that holds it.
    while (enclosingNode && pathStep.keyword !== 'properties') {
      const [nextPlace] = enclosingNode.places.values()
      if (!nextPlace) return undefined
      ;[enclosingNode, pathStep] = [nextPlace.parent, nextPlace.step]
    }
    if (!enclosingNode || pathStep.at === undefined) return undefined
    members.add(step.keyword === 'items' ? singularizeName(pathStep.at) : pathStep.at)
  }
  const [member] = members
  return members.size === 1 && !vagueMembers.has(member!) ? member : undefined
}

const isShareable = ({ schema }: SchemaNode): boolean =>
  schema.$ref === undefined &&
  (schema.properties || schema.anyOf || schema.oneOf || schema.enum || schema.type === 'object')
    ? buildSchemaKey(schema).length >= MIN_SHARED_LENGTH
    : false

/** Names of bodies: of a request that both makes and changes it is that of writing. */
function addBodyCandidates(nodes: Map<string, SchemaNode>, bodies: readonly OperationBody[]): void {
  const nounsByNode = new Map<SchemaNode, Map<string, Set<string>>>()
  for (const { schema, rank, name, writes } of bodies) {
    const node = nodes.get(buildSchemaKey(schema))
    if (!node) continue
    node.candidates.push({ rank, name })
    if (writes === undefined) continue
    const nouns = nounsByNode.get(node) ?? new Map<string, Set<string>>()
    nounsByNode.set(node, nouns.set(writes, (nouns.get(writes) ?? new Set()).add(name)))
  }
  for (const [node, nouns] of nounsByNode)
    for (const [noun, names] of nouns) if (names.size > 1) node.candidates.push({ rank: 3, name: `${noun}Write` })
}

const isNamedBody = (node: SchemaNode): boolean =>
  node.candidates.length > 0 && buildSchemaKey(node.schema).length >= 60

const compareCandidates = (a: SchemaNameCandidate, b: SchemaNameCandidate): number =>
  a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1)

/** Gives each schema that becomes a component its name: bodies first, then what stands within them. */
function assignNames(nodes: Map<string, SchemaNode>, usedNames: Set<string>): void {
  const assignName = (node: SchemaNode, names: readonly string[]): void => {
    const replace = (name: string): string => replacedNames[name] ?? name
    const freeName = names.map(replace).find((name) => !usedNames.has(name))
    const lastName = replace(names.at(-1)!)
    let name = freeName ?? lastName
    for (let suffix = 2; usedNames.has(name); suffix++) name = replace(`${lastName}${suffix}`)
    usedNames.add(name)
    node.name = name
  }
  const bodies = [...nodes.values()].filter((node) => !node.name && isNamedBody(node) && isNamable(node))
  for (const node of bodies) node.candidates.sort(compareCandidates)
  bodies.sort((a, b) => compareCandidates(a.candidates[0]!, b.candidates[0]!))
  for (const node of bodies) assignName(node, listBodyNames(node))
  const sharedNodes = [...nodes.values()].filter((node) => !node.name && node.places.size > 1 && isShareable(node))
  for (const node of sharedNodes) {
    const member = findOnlyMember(node)
    assignName(node, [...(member ? [toPascalCase(member)] : []), buildPathName(node)])
  }
}

const isNamable = ({ schema }: SchemaNode): boolean =>
  schema.$ref === undefined && Boolean(schema.properties || schema.anyOf || schema.oneOf || schema.type === 'object')

/** Names a body may have, best first: what a list alone answers is an item of it where the thing itself has the name. */
function listBodyNames({ candidates }: SchemaNode): string[] {
  return candidates.flatMap(({ rank, name }) => (rank === 2 ? [name, `${name}Item`] : [name]))
}

/** The name by the shortest way from a named schema. */
function buildPathName(node: SchemaNode): string {
  const [place] = [...node.places.values()].filter(({ parent }) => parent !== undefined)
  if (!place?.parent) return 'Part'
  const outerName = place.parent.name ?? buildPathName(place.parent)
  return buildInnerName(outerName, node, place.step)
}

function findMostFrequent(descriptions: Map<string, number>): string {
  return [...descriptions].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
}

/** Makes components of the schemas of bodies and of those that stand in several places, and refers to them. */
export function shareSchemas(document: OpenApiDocument): void {
  const { schemas } = document.components
  const namedSchemas = Object.entries(schemas)
  const roots = namedSchemas.map(([, schema]) => schema)
  for (const { operation } of listOpenApiOperations(document)) {
    for (const parameter of operation.parameters ?? []) if ('schema' in parameter) roots.push(parameter.schema)
    for (const media of listMediaTypes(operation)) roots.push(media.schema!)
  }
  const nodes = collectSchemas(roots)
  for (const [name, schema] of namedSchemas) nodes.get(buildSchemaKey(schema))!.name = name
  const originalNames = new Set(namedSchemas.map(([name]) => name))
  /** A component says what it was given to say, else what most of its places do. */
  const getComponentDescription = ({ name = '', schema, descriptions }: SchemaNode): string =>
    originalNames.has(name) ? String(schema.description ?? '') : findMostFrequent(descriptions)
  addBodyCandidates(nodes, listOperationBodies(document))
  assignNames(nodes, new Set(originalNames))

  const replaceChildren = (schema: OpenApiObject): OpenApiObject => mapChildSchemas(schema, (child) => referring(child))
  const referring = (schema: OpenApiObject): OpenApiObject => {
    const node = nodes.get(buildSchemaKey(schema))
    const { description } = schema
    const isDifferentComponent =
      node?.name !== undefined && originalNames.has(node.name) && description !== node.schema.description
    if (!node?.name || isDifferentComponent) return replaceChildren(schema)
    const hasOwnDescription = description !== undefined && description !== getComponentDescription(node)
    return { ...openApiSchemaRef(node.name), ...(hasOwnDescription && { description }) }
  }
  const componentNodes = [...nodes.values()].filter((node) => node.name !== undefined)
  document.components.schemas = Object.fromEntries(
    componentNodes
      .sort((a, b) => (a.name! < b.name! ? -1 : 1))
      .map((node) => [node.name!, setDescription(replaceChildren(node.schema), getComponentDescription(node))]),
  )
  for (const { operation } of listOpenApiOperations(document)) {
    for (const parameter of operation.parameters ?? [])
      if ('schema' in parameter) parameter.schema = referring(parameter.schema)
    for (const media of listMediaTypes(operation)) media.schema = referring(media.schema!)
  }
}

function setDescription({ description: _, ...schema }: OpenApiObject, description: string): OpenApiObject {
  return description === '' ? schema : { ...schema, description }
}

function listMediaTypes({
  requestBody,
  responses,
}: ReturnType<typeof listOpenApiOperations>[number]['operation']): { schema?: OpenApiObject }[] {
  const contents = [
    requestBody?.content,
    ...Object.values(responses).map((responseOrRef) => ('content' in responseOrRef ? responseOrRef.content : {})),
  ]
  return contents.flatMap((content) => Object.values(content ?? {})).filter(({ schema }) => schema !== undefined)
}
