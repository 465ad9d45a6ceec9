import type { OpenApiDocument, OpenApiParameter, OpenApiReference, OpenApiResponse } from './document.ts'
import { listOpenApiOperations } from './document.ts'
import { singularizeName } from './operation-ids.ts'

/** Something that stands in several operations: how often, and what it could be called, best first. */
export interface SharedComponent<Part> {
  part: Part
  times: number
  names: string[]
}

/** Characters from which an answer is shared. */
const LEAST = 90

/** A word, or several, in PascalCase. */
export const toPascalCase = (word: string): string =>
  word.replace(/(?:^|(?<![^A-Za-z0-9])[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Adds a place of `part`, and what it could be called from there. */
export function countSharedPart<Part>(all: Map<string, SharedComponent<Part>>, part: Part, names: string[]): void {
  const key = JSON.stringify(part)
  const known = all.get(key)
  if (known) known.times += 1
  else all.set(key, { part, times: 1, names })
}

/** Components of what stands in several places; the most frequent has the first choice of a name. */
export function nameSharedComponents<Part>(all: Map<string, SharedComponent<Part>>, least = 0): Map<string, string> {
  const taken = new Set<string>()
  const result = new Map<string, string>()
  const frequent = [...all].filter(([key, { times }]) => times > 1 && key.length >= least)
  frequent.sort(([a, one], [b, other]) => other.times - one.times || (a < b ? -1 : 1))
  for (const [key, { names }] of frequent) {
    const last = names.at(-1)!
    let name = names.find((one) => !taken.has(one)) ?? last
    for (let number = 2; taken.has(name); number++) name = `${last}${number}`
    taken.add(name)
    result.set(key, name)
  }
  return result
}

/** The components of what was named, by their names. */
export const sortNamedComponents = <Part>(names: Map<string, string>): Record<string, Part> =>
  Object.fromEntries(
    [...names].map(([key, name]) => [name, JSON.parse(key) as Part] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** What a parameter of a path belongs to: `Action` of `/actions/{id}`. */
function ownerOf(path: string, name: string): string {
  const before = path.split(`/{${name}}`)[0]!.split('/').at(-1)!
  return singularizeName(toPascalCase(before.replace(/[{}]/g, '')))
}

/** Makes components of the parameters that several operations have. */
export function shareParameters(document: OpenApiDocument): void {
  const all = new Map<string, SharedComponent<OpenApiParameter>>()
  for (const { path, operation } of listOpenApiOperations(document))
    for (const parameter of (operation.parameters ?? []) as OpenApiParameter[]) {
      const name = toPascalCase(parameter.name)
      const tag = toPascalCase(operation.tags?.[0] ?? '')
      countSharedPart(
        all,
        parameter,
        parameter.in === 'path'
          ? [`${ownerOf(path, parameter.name)}${name}`, `${tag}${name}`]
          : [name, `${tag}${name}`],
      )
    }
  const names = nameSharedComponents(all)
  for (const { operation } of listOpenApiOperations(document))
    operation.parameters = operation.parameters?.map((parameter) =>
      toComponentReference('parameters', names, parameter),
    )
  document.components.parameters = sortNamedComponents(names)
}

/** What stands in a place of `part`: the part itself, where it has no name. */
export function toComponentReference<Part extends object>(
  kind: string,
  names: Map<string, string>,
  part: Part,
): Part | OpenApiReference {
  const name = names.get(JSON.stringify(part))
  return name === undefined ? part : { $ref: `#/components/${kind}/${name}` }
}

/** What an answer is called: by what it holds. */
function answerNames(status: string, response: OpenApiResponse): string[] {
  if (status === '204') return ['NoContent']
  if (response.content?.['text/html'] && Object.keys(response.content).length === 1) return [`Page${status}`]
  const schema = response.content?.['application/json']?.schema ?? Object.values(response.content ?? {})[0]?.schema
  const items = schema?.items as Partial<OpenApiReference> | undefined
  const of = ((schema?.$ref as string | undefined) ?? items?.$ref)?.split('/').at(-1) ?? `Answer${status}`
  return items?.$ref === undefined ? [of, `${of}Answer`] : [`${of}List`]
}

/** Makes components of the answers that several operations give. */
export function shareResponses(document: OpenApiDocument): void {
  const all = new Map<string, SharedComponent<OpenApiResponse>>()
  for (const { operation } of listOpenApiOperations(document))
    for (const [status, response] of Object.entries(operation.responses))
      if (!('$ref' in response)) countSharedPart(all, response, answerNames(status, response))
  const names = nameSharedComponents(all, LEAST)
  for (const { operation } of listOpenApiOperations(document))
    for (const [status, response] of Object.entries(operation.responses))
      operation.responses[status] = toComponentReference('responses', names, response as OpenApiResponse)
  document.components.responses = { ...document.components.responses, ...sortNamedComponents<OpenApiResponse>(names) }
}
