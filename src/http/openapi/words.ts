import { splitOperationId } from './body-names.ts'
import type { OpenApiDocument, OpenApiObject, OpenApiParameter, OpenApiResponse } from './document.ts'
import { listOpenApiOperations } from './document.ts'
import { memberDescriptions, parameterDescriptions } from './member-words.ts'
import { singularizeName } from './operation-ids.ts'
import { isOpenApiObject, mapChildSchemas } from './schema-walk.ts'
import { tagDescriptions } from './tags.ts'

/** `listActionOpenHitEvents`, in words. */
const toWords = (name: string): string =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/\b(rcs|sms|csv)\b/g, (word) => word.toUpperCase())

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The description of a successful answer if its route declares none. */
function describeAnswer(id: string, status: string, summary: string): string {
  if (status === '204') return 'done; there is no body'
  if (status === '202') return 'a job that goes on: `Location` says where to read it'
  const { verb, noun } = splitOperationId(id)
  if (verb === 'list') return `the ${toWords(noun.replace(/ByQuery$/, ''))}`
  if (['get', 'create', 'update', 'patch', 'duplicate', 'replace', 'put'].includes(verb)) return `the ${toWords(noun)}`
  return `what came of it: ${summary}`
}

/** The description of a path parameter, derived from the word before it. */
function describePathParameter(path: string, name: string): string {
  const precedingSegment = path.split(`{${name}}`)[0]!.replace(/\/$/, '').split('/').at(-1)!
  const resourceWords = toWords(singularizeName(capitalize(precedingSegment.replace(/[{}]/g, ''))))
  return /^[a-z]*id$|^uuid$/i.test(name)
    ? `id of the ${resourceWords}`
    : `the ${toWords(capitalize(name))} of the ${resourceWords}`
}

/** Adds to the members of a schema what a table says of their names. `holder`: the member that holds the schema. */
function describeMembers(schema: OpenApiObject, holder = ''): OpenApiObject {
  const result = mapChildSchemas(schema, (child, { keyword, at = '' }) => {
    const isMember = keyword === 'properties'
    const describedChild = describeMembers(child, isMember ? at : holder)
    const isUndescribed = isMember && describedChild.description === undefined
    const memberText = isUndescribed ? (memberDescriptions[`${holder}.${at}`] ?? memberDescriptions[at]) : undefined
    return memberText === undefined || '$ref' in describedChild
      ? describedChild
      : { ...describedChild, description: memberText }
  })
  return isOpenApiObject(result) ? result : schema
}

/** Says in words what tags, parameters, members and answers are, where their schemas do not. */
export function addDescriptions(document: OpenApiDocument): void {
  const usedTags = new Set(listOpenApiOperations(document).flatMap(({ operation }) => operation.tags ?? []))
  document.tags = Object.entries(tagDescriptions)
    .filter(([name]) => usedTags.has(name))
    .map(([name, description]) => ({ name, description }))
  for (const { path, operation } of listOpenApiOperations(document)) {
    const { operationId = '', summary = '' } = operation
    for (const parameter of (operation.parameters ?? []) as OpenApiParameter[])
      parameter.description ??=
        parameter.in === 'path'
          ? describePathParameter(path, parameter.name)
          : (parameterDescriptions[parameter.name] ?? memberDescriptions[parameter.name])
    for (const [status, response] of Object.entries(operation.responses) as [string, OpenApiResponse][]) {
      if (response.description === 'Default Response')
        response.description = describeAnswer(operationId, status, summary)
      describeContent(response.content)
    }
    describeContent(operation.requestBody?.content)
  }
  for (const [name, schema] of Object.entries(document.components.schemas))
    document.components.schemas[name] = describeMembers(schema)
}

function describeContent(content: OpenApiResponse['content']): void {
  for (const media of Object.values(content ?? {})) if (media.schema) media.schema = describeMembers(media.schema)
}
