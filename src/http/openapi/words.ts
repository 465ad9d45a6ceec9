import { splitOperationId } from './body-names.ts'
import type { OpenApiDocument, OpenApiObject, OpenApiParameter, OpenApiResponse } from './document.ts'
import { listOpenApiOperations } from './document.ts'
import { memberDescriptions, parameterDescriptions } from './member-words.ts'
import { singularizeName } from './operation-ids.ts'
import { isOpenApiObject, mapChildSchemas } from './schema-walk.ts'
import { tagDescriptions } from './tags.ts'

/** `listActionOpenHitEvents`, in words. */
const spaced = (name: string): string =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/\b(rcs|sms|csv)\b/g, (word) => word.toUpperCase())

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What a good answer is, in words, where its route does not say. */
function answerWords(id: string, status: string, summary: string): string {
  if (status === '204') return 'done; there is no body'
  if (status === '202') return 'a job that goes on: `Location` says where to read it'
  const { verb, noun } = splitOperationId(id)
  if (verb === 'list') return `the ${spaced(noun.replace(/ByQuery$/, ''))}`
  if (['get', 'create', 'update', 'patch', 'duplicate', 'replace', 'put'].includes(verb)) return `the ${spaced(noun)}`
  return `what came of it: ${summary}`
}

/** What a part of a path names, from the word before it. */
function pathWords(path: string, name: string): string {
  const before = path.split(`{${name}}`)[0]!.replace(/\/$/, '').split('/').at(-1)!
  const of = spaced(singularizeName(capital(before.replace(/[{}]/g, ''))))
  return /^[a-z]*id$|^uuid$/i.test(name) ? `id of the ${of}` : `the ${spaced(capital(name))} of the ${of}`
}

/** Adds to the members of a schema what a table says of their names. `holder`: the member that holds the schema. */
function wordMembers(schema: OpenApiObject, holder = ''): OpenApiObject {
  const result = mapChildSchemas(schema, (child, { keyword, at = '' }) => {
    const isMember = keyword === 'properties'
    const inner = wordMembers(child, isMember ? at : holder)
    const isSilent = isMember && inner.description === undefined
    const words = isSilent ? (memberDescriptions[`${holder}.${at}`] ?? memberDescriptions[at]) : undefined
    return words === undefined || '$ref' in inner ? inner : { ...inner, description: words }
  })
  return isOpenApiObject(result) ? result : schema
}

/** Says in words what tags, parameters, members and answers are, where their schemas do not. */
export function addDescriptions(document: OpenApiDocument): void {
  const used = new Set(listOpenApiOperations(document).flatMap(({ operation }) => operation.tags ?? []))
  document.tags = Object.entries(tagDescriptions)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
  for (const { path, operation } of listOpenApiOperations(document)) {
    const { operationId = '', summary = '' } = operation
    for (const parameter of (operation.parameters ?? []) as OpenApiParameter[])
      parameter.description ??=
        parameter.in === 'path'
          ? pathWords(path, parameter.name)
          : (parameterDescriptions[parameter.name] ?? memberDescriptions[parameter.name])
    for (const [status, response] of Object.entries(operation.responses) as [string, OpenApiResponse][]) {
      if (response.description === 'Default Response') response.description = answerWords(operationId, status, summary)
      wordContent(response.content)
    }
    wordContent(operation.requestBody?.content)
  }
  for (const [name, schema] of Object.entries(document.components.schemas))
    document.components.schemas[name] = wordMembers(schema)
}

function wordContent(content: OpenApiResponse['content']): void {
  for (const media of Object.values(content ?? {})) if (media.schema) media.schema = wordMembers(media.schema)
}
