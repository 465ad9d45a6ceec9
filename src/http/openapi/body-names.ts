import type { OpenApiDocument, OpenApiObject, OpenApiOperation, OpenApiResponse } from './document.ts'
import { listOpenApiOperations } from './document.ts'
import { singularizeName } from './operation-ids.ts'
import { isOpenApiObject } from './schema-walk.ts'

/** A name that a schema could have, and how well it fits: the least is taken. */
export interface SchemaNameCandidate {
  rank: number
  name: string
}

/** A body of an operation: the schema, and what it could be called. */
export interface OperationBody extends SchemaNameCandidate {
  schema: OpenApiObject
  /** Of a request that makes or changes a resource: its noun. */
  writes?: string
}

/** Answers that the rule would give the name of something else. */
const renamed: Record<string, string> = {
  getDesign: 'StoredDesign',
  listDesigns: 'StoredDesign',
}

const writing: Record<string, string> = {
  create: 'Create',
  update: 'Update',
  put: 'Update',
  patch: 'Patch',
  replace: 'Update',
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The verb and the noun of the name of an operation. */
export function splitOperationId(id: string): { verb: string; noun: string } {
  const at = id.search(/[A-Z]/)
  return at < 0 ? { verb: id, noun: capital(id) } : { verb: id.slice(0, at), noun: id.slice(at) }
}

function itemName(id: string, noun: string): string {
  return renamed[id] ?? singularizeName(noun.replace(/^All(?=[A-Z])/, '').replace(/ByQuery$/, ''))
}

function answerOf(id: string, schema: OpenApiObject): OperationBody | undefined {
  const { verb, noun } = splitOperationId(id)
  if (schema.type === 'array') {
    const { items } = schema
    if (!isOpenApiObject(items)) return undefined
    return verb === 'list'
      ? { schema: items, rank: 2, name: itemName(id, noun) }
      : { schema: items, rank: 4, name: `${capital(id)}ResultItem` }
  }
  if (verb === 'get') return { schema, rank: 1, name: renamed[id] ?? noun }
  return { schema, rank: 4, name: `${capital(id)}Result` }
}

function requestOf(id: string, schema: OpenApiObject): OperationBody {
  const { verb, noun } = splitOperationId(id)
  const how = writing[verb]
  if (how === undefined) return { schema, rank: 5, name: `${capital(id)}Request` }
  return { schema, rank: 5, name: `${noun}${how}`, writes: noun }
}

const contents = (content: OpenApiOperation['requestBody']): OpenApiObject[] =>
  Object.values(content?.content ?? {}).flatMap(({ schema }) => (schema === undefined ? [] : [schema]))

/** Every body of every operation that succeeds, with the name it could have. */
export function listOperationBodies(document: OpenApiDocument): OperationBody[] {
  return listOpenApiOperations(document).flatMap(({ operation }) => {
    const id = operation.operationId!
    const answers = Object.entries(operation.responses).flatMap(([status, response]) =>
      status.startsWith('2') ? contents(response as OpenApiResponse as OpenApiOperation['requestBody']) : [],
    )
    return [
      ...answers.flatMap((schema) => answerOf(id, schema) ?? []),
      ...contents(operation.requestBody).map((schema) => requestOf(id, schema)),
    ].map((body) => (typeof body.schema.title === 'string' ? { ...body, rank: 0, name: body.schema.title } : body))
  })
}
