import { splitOperationId } from './body-names.ts'
import type { OpenApiDocument, OpenApiParameter, OpenApiResponse } from './document.ts'
import { listOpenApiOperations } from './document.ts'
import { singularizeName } from './operation-ids.ts'
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

/** Describes tags, and path parameters and answers whose routes do not. */
export function addDescriptions(document: OpenApiDocument): void {
  const usedTags = new Set(listOpenApiOperations(document).flatMap(({ operation }) => operation.tags ?? []))
  document.tags = Object.entries(tagDescriptions)
    .filter(([name]) => usedTags.has(name))
    .map(([name, description]) => ({ name, description }))
  for (const { path, operation } of listOpenApiOperations(document)) {
    const { operationId = '', summary = '' } = operation
    for (const parameter of (operation.parameters ?? []) as OpenApiParameter[])
      if (parameter.in === 'path') parameter.description ??= describePathParameter(path, parameter.name)
    for (const [status, response] of Object.entries(operation.responses) as [string, OpenApiResponse][])
      if (response.description === 'Default Response')
        response.description = describeAnswer(operationId, status, summary)
  }
}
