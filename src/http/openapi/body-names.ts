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
  /** The noun of the resource that a request creates or changes. */
  writes?: string
}

const verbNames: Record<string, string> = {
  create: 'Create',
  update: 'Update',
  put: 'Update',
  patch: 'Patch',
  replace: 'Update',
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The verb and the noun of the name of an operation. */
export function splitOperationId(id: string): { verb: string; noun: string } {
  const verbLength = id.search(/[A-Z]/)
  return verbLength < 0
    ? { verb: id, noun: capitalize(id) }
    : { verb: id.slice(0, verbLength), noun: id.slice(verbLength) }
}

function getItemName(noun: string): string {
  return singularizeName(noun.replace(/^All(?=[A-Z])/, '').replace(/ByQuery$/, ''))
}

function describeAnswerBody(id: string, schema: OpenApiObject, answerName?: string): OperationBody | undefined {
  const { verb, noun } = splitOperationId(id)
  if (schema.type === 'array') {
    const { items } = schema
    if (!isOpenApiObject(items)) return undefined
    return verb === 'list'
      ? { schema: items, rank: 2, name: answerName ?? getItemName(noun) }
      : { schema: items, rank: 4, name: `${capitalize(id)}ResultItem` }
  }
  if (verb === 'get') return { schema, rank: 1, name: answerName ?? noun }
  return { schema, rank: 4, name: `${capitalize(id)}Result` }
}

function describeRequestBody(id: string, schema: OpenApiObject): OperationBody {
  const { verb, noun } = splitOperationId(id)
  const verbName = verbNames[verb]
  if (verbName === undefined) return { schema, rank: 5, name: `${capitalize(id)}Request` }
  return { schema, rank: 5, name: `${noun}${verbName}`, writes: noun }
}

const listSchemas = (content: OpenApiOperation['requestBody']): OpenApiObject[] =>
  Object.values(content?.content ?? {}).flatMap(({ schema }) => (schema === undefined ? [] : [schema]))

/** Every body of every operation that succeeds, with the name it could have. */
export function listOperationBodies(document: OpenApiDocument): OperationBody[] {
  return listOpenApiOperations(document).flatMap(({ operation }) => {
    const id = operation.operationId!
    const answers = Object.entries(operation.responses).flatMap(([status, response]) =>
      status.startsWith('2') ? listSchemas(response as OpenApiResponse as OpenApiOperation['requestBody']) : [],
    )
    return [
      ...answers.flatMap((schema) => describeAnswerBody(id, schema, operation['x-route']?.answerName) ?? []),
      ...listSchemas(operation.requestBody).map((schema) => describeRequestBody(id, schema)),
    ].map((body) => (typeof body.schema.title === 'string' ? { ...body, rank: 0, name: body.schema.title } : body))
  })
}
