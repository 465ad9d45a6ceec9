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
    .replace(/\btarget(s?)\b/g, 'contact$1')
    .replace(/\bred list\b/g, 'suppression list')
    .replace(/^me$/, 'caller')

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The description of a successful answer if its route declares none. */
function describeAnswer(id: string, status: string): string {
  if (status === '204') return 'Done. The response has no body.'
  if (status === '202') return 'Accepted. The job continues; `Location` has its address.'
  if (status === '302') return 'Redirect to the address in `Location`.'
  const { verb, noun } = splitOperationId(id)
  if (verb === 'list') return `The ${toWords(noun.replace(/ByQuery$/, ''))}.`
  if (['get', 'create', 'update', 'patch', 'duplicate', 'replace', 'put'].includes(verb)) return `The ${toWords(noun)}.`
  return 'Result of the request.'
}

/** Path parameters that the word before them does not describe, by their names, or by that word and their names. */
const pathParameterTexts: Record<string, string> = {
  agency: 'Agency of the account, four characters.',
  contact: 'ID of the contact.',
  customer: 'Customer of the account, three characters.',
  destination: 'Destination of the queue.',
  execution: 'ID of the execution.',
  fieldId: 'ID of the field.',
  firing: 'ID of the execution of the task.',
  hash: 'Hash of the content of the file.',
  'hash/name': 'Name of the file.',
  item: 'ID of the item.',
  message: 'Message that the link belongs to.',
  node: 'ID of the node.',
  run: 'ID of the run.',
  's/code': 'Code of the short link.',
  target: 'ID of the contact.',
  'captured/id': 'ID of the captured message.',
  'media/id': 'ID of the media file.',
  'profiles/id': 'ID of the RCS profile.',
  'stamp/id': 'ID of the message.',
  token: 'Token of the link.',
  version: 'ID or number of the version.',
}

/** The description of a path parameter, derived from its name and the word before it. */
function describePathParameter(path: string, name: string): string {
  const precedingSegment = path.split(`{${name}}`)[0]!.replace(/\/$/, '').split('/').at(-1)!
  const ownText = pathParameterTexts[`${precedingSegment.replace(/[{}]/g, '')}/${name}`] ?? pathParameterTexts[name]
  if (ownText !== undefined) return ownText
  const resourceWords = toWords(singularizeName(capitalize(precedingSegment.replace(/[{}]/g, ''))))
  return /^[a-z]*id$|^uuid$/i.test(name)
    ? `ID of the ${resourceWords}.`
    : `${capitalize(toWords(name))} of the ${resourceWords}.`
}

/** Describes tags, and path parameters and answers whose routes do not. */
export function addDescriptions(document: OpenApiDocument): void {
  const usedTags = new Set(listOpenApiOperations(document).flatMap(({ operation }) => operation.tags ?? []))
  document.tags = Object.entries(tagDescriptions)
    .filter(([name]) => usedTags.has(name))
    .map(([name, description]) => ({ name, description }))
  for (const { path, operation } of listOpenApiOperations(document)) {
    const { operationId = '' } = operation
    for (const parameter of (operation.parameters ?? []) as OpenApiParameter[])
      if (parameter.in === 'path') parameter.description ??= describePathParameter(path, parameter.name)
    for (const [status, response] of Object.entries(operation.responses) as [string, OpenApiResponse][])
      if (response.description === 'Default Response') response.description = describeAnswer(operationId, status)
  }
}
