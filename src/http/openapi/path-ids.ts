import { MAX_INT32 } from '../../lib/int32.ts'
import {
  listOpenApiOperations,
  type OpenApiDocument,
  type OpenApiObject,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
} from './document.ts'
import { isOpenApiObject } from './schema-walk.ts'

/** The schema of the JSON answer of an operation. */
function getAnswerSchema(operation: OpenApiOperation | undefined, status: string): OpenApiObject | undefined {
  const response = operation?.responses[status] as OpenApiResponse | undefined
  return response?.content?.['application/json']?.schema
}

/** Tells whether the answers of a collection give the things in it integer ids. */
function hasIntegerIds({ paths }: OpenApiDocument, collection: string, parameter: string): boolean {
  const item = paths[`${collection}/{${parameter}}`]
  const list = getAnswerSchema(paths[collection]?.['get'], '200')
  const answers = [
    getAnswerSchema(item?.['get'], '200'),
    getAnswerSchema(item?.['put'], '200'),
    getAnswerSchema(paths[collection]?.['post'], '201'),
    isOpenApiObject(list?.items) ? list.items : undefined,
  ]
  for (const answer of answers) {
    const properties = answer?.properties
    if (!isOpenApiObject(properties)) continue
    const id = properties[parameter] ?? properties['id']
    if (isOpenApiObject(id) && [id.type].flat().includes('integer')) return true
  }
  return false
}

/** The collection that a parameter such as `segmentId` selects from, wherever it stands. */
function findCollection({ paths }: OpenApiDocument, parameter: string): string | undefined {
  const noun = parameter.endsWith('Id') ? parameter.slice(0, -'Id'.length) : ''
  const itemPath = Object.keys(paths).find((path) => noun && path.endsWith(`/${noun}s/{id}`))
  return itemPath?.slice(0, -'/{id}'.length)
}

/**
 * Describes an id in a path with the type that it has in answers, so that generated clients can pass on what they read. Requests are
 * validated by the schemas of their routes, which take any text.
 */
export function typePathIds(document: OpenApiDocument): void {
  for (const { path, operation } of listOpenApiOperations(document))
    for (const parameter of (operation.parameters ?? []) as OpenApiParameter[]) {
      if (parameter.in !== 'path' || parameter.schema.type !== 'string') continue
      const collection = findCollection(document, parameter.name) ?? path.split(`/{${parameter.name}}`)[0]!
      if (hasIntegerIds(document, collection, parameter.name))
        parameter.schema = { type: 'integer', minimum: 0, maximum: MAX_INT32 }
    }
}
