import { partsOf } from './body-names.ts'
import type { Document, JsonObject, Parameter, Response } from './document.ts'
import { operationsOf } from './document.ts'
import { members, parameters } from './member-words.ts'
import { singular } from './operation-ids.ts'
import { isObject, mapChildren } from './schema-walk.ts'
import { tags } from './tags.ts'

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
  const { verb, noun } = partsOf(id)
  if (verb === 'list') return `the ${spaced(noun.replace(/ByQuery$/, ''))}`
  if (['get', 'create', 'update', 'patch', 'duplicate', 'replace', 'put'].includes(verb)) return `the ${spaced(noun)}`
  return `what came of it: ${summary}`
}

/** What a part of a path names, from the word before it. */
function pathWords(path: string, name: string): string {
  const before = path.split(`{${name}}`)[0]!.replace(/\/$/, '').split('/').at(-1)!
  const of = spaced(singular(capital(before.replace(/[{}]/g, ''))))
  return /^[a-z]*id$|^uuid$/i.test(name) ? `id of the ${of}` : `the ${spaced(capital(name))} of the ${of}`
}

/** Adds to the members of a schema what a table says of their names. `holder`: the member that holds the schema. */
function wordMembers(schema: JsonObject, holder = ''): JsonObject {
  const result = mapChildren(schema, (child, { keyword, at = '' }) => {
    const isMember = keyword === 'properties'
    const inner = wordMembers(child, isMember ? at : holder)
    const isSilent = isMember && inner.description === undefined
    const words = isSilent ? (members[`${holder}.${at}`] ?? members[at]) : undefined
    return words === undefined || '$ref' in inner ? inner : { ...inner, description: words }
  })
  return isObject(result) ? result : schema
}

/** Says in words what tags, parameters, members and answers are, where their schemas do not. */
export function addWords(document: Document): void {
  const used = new Set(operationsOf(document).flatMap(({ operation }) => operation.tags ?? []))
  document.tags = Object.entries(tags)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
  for (const { path, operation } of operationsOf(document)) {
    const { operationId = '', summary = '' } = operation
    for (const parameter of (operation.parameters ?? []) as Parameter[])
      parameter.description ??=
        parameter.in === 'path'
          ? pathWords(path, parameter.name)
          : (parameters[parameter.name] ?? members[parameter.name])
    for (const [status, response] of Object.entries(operation.responses) as [string, Response][]) {
      if (response.description === 'Default Response') response.description = answerWords(operationId, status, summary)
      wordContent(response.content)
    }
    wordContent(operation.requestBody?.content)
  }
  for (const [name, schema] of Object.entries(document.components.schemas))
    document.components.schemas[name] = wordMembers(schema)
}

function wordContent(content: Response['content']): void {
  for (const media of Object.values(content ?? {})) if (media.schema) media.schema = wordMembers(media.schema)
}
