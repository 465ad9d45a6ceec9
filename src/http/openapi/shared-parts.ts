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
const MIN_SHARED_LENGTH = 90

/** A word, or several, in PascalCase. */
export const toPascalCase = (word: string): string =>
  word.replace(/(?:^|(?<![^A-Za-z0-9])[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Adds a place of `part`, and what it could be called from there. */
export function countSharedPart<Part>(
  componentsByKey: Map<string, SharedComponent<Part>>,
  part: Part,
  names: string[],
): void {
  const key = JSON.stringify(part)
  const sharedComponent = componentsByKey.get(key)
  if (sharedComponent) sharedComponent.times += 1
  else componentsByKey.set(key, { part, times: 1, names })
}

/** Components of what stands in several places; the most frequent has the first choice of a name. */
export function nameSharedComponents<Part>(
  componentsByKey: Map<string, SharedComponent<Part>>,
  least = 0,
): Map<string, string> {
  const usedNames = new Set<string>()
  const result = new Map<string, string>()
  const frequentComponents = [...componentsByKey].filter(([key, { times }]) => times > 1 && key.length >= least)
  frequentComponents.sort(
    ([a, candidate], [b, otherCandidate]) => otherCandidate.times - candidate.times || (a < b ? -1 : 1),
  )
  for (const [key, { names }] of frequentComponents) {
    const fallbackName = names.at(-1)!
    let name = names.find((candidate) => !usedNames.has(candidate)) ?? fallbackName
    for (let suffix = 2; usedNames.has(name); suffix++) name = `${fallbackName}${suffix}`
    usedNames.add(name)
    result.set(key, name)
  }
  return result
}

/** The components of what was named, by their names. */
export const sortNamedComponents = <Part>(names: Map<string, string>): Record<string, Part> =>
  Object.fromEntries(
    [...names].map(([key, name]) => [name, JSON.parse(key) as Part] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** The owner of a path parameter: `Action` for `/actions/{id}`. */
function getParameterOwner(path: string, name: string): string {
  const precedingSegment = path.split(`/{${name}}`)[0]!.split('/').at(-1)!
  return singularizeName(toPascalCase(precedingSegment.replace(/[{}]/g, '')))
}

/** Makes components of the parameters that several operations have. */
export function shareParameters(document: OpenApiDocument): void {
  const sharedParameters = new Map<string, SharedComponent<OpenApiParameter>>()
  for (const { path, operation } of listOpenApiOperations(document))
    for (const parameter of (operation.parameters ?? []) as OpenApiParameter[]) {
      const name = toPascalCase(parameter.name)
      const tag = toPascalCase(operation.tags?.[0] ?? '')
      const owner = getParameterOwner(path, parameter.name)
      countSharedPart(
        sharedParameters,
        parameter,
        parameter.in === 'path'
          ? [name.startsWith(owner) ? name : `${owner}${name}`, `${tag}${name}`]
          : [name, `${tag}${name}`],
      )
    }
  const componentNames = nameSharedComponents(sharedParameters)
  for (const { operation } of listOpenApiOperations(document))
    operation.parameters = operation.parameters?.map((parameter) =>
      toComponentReference('parameters', componentNames, parameter),
    )
  document.components.parameters = {
    ...document.components.parameters,
    ...sortNamedComponents<OpenApiParameter>(componentNames),
  }
}

/** The reference that replaces `part`, or the part itself if it has no name. */
export function toComponentReference<Part extends object>(
  kind: string,
  names: Map<string, string>,
  part: Part,
): Part | OpenApiReference {
  const name = names.get(JSON.stringify(part))
  return name === undefined ? part : { $ref: `#/components/${kind}/${name}` }
}

/** Candidate names of an answer, derived from its content. */
function listAnswerNames(status: string, response: OpenApiResponse): string[] {
  if (status === '204') return ['NoContent']
  if (response.content?.['text/html'] && Object.keys(response.content).length === 1) return [`Page${status}`]
  const schema = response.content?.['application/json']?.schema ?? Object.values(response.content ?? {})[0]?.schema
  const items = schema?.items as Partial<OpenApiReference> | undefined
  const contentName = ((schema?.$ref as string | undefined) ?? items?.$ref)?.split('/').at(-1) ?? `Answer${status}`
  return items?.$ref === undefined ? [contentName, `${contentName}Answer`] : [`${contentName}List`]
}

/** Makes components of the answers that several operations give. */
export function shareResponses(document: OpenApiDocument): void {
  const sharedResponses = new Map<string, SharedComponent<OpenApiResponse>>()
  for (const { operation } of listOpenApiOperations(document))
    for (const [status, response] of Object.entries(operation.responses))
      if (!('$ref' in response)) countSharedPart(sharedResponses, response, listAnswerNames(status, response))
  const componentNames = nameSharedComponents(sharedResponses, MIN_SHARED_LENGTH)
  for (const { operation } of listOpenApiOperations(document))
    for (const [status, response] of Object.entries(operation.responses))
      operation.responses[status] = toComponentReference('responses', componentNames, response as OpenApiResponse)
  document.components.responses = {
    ...document.components.responses,
    ...sortNamedComponents<OpenApiResponse>(componentNames),
  }
}
