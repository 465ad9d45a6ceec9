import { listOpenApiOperations, type OpenApiDocument } from './document.ts'

/** Words of paths that say where a resource stands, not what it is. */
const locationWords = new Set(['channel', 'parameters', 'scripting', 'marketing'])

/** Words of paths that are more than one word, or have a plural of their own. */
const wordSpellings: Record<string, string> = {
  deadletters: 'DeadLetters',
  optouts: 'OptOuts',
  people: 'People',
  redlist: 'RedList',
}

const singularForms: Record<string, string> = {
  People: 'Person',
  Media: 'Media',
  Settings: 'Settings',
  Rcs: 'Rcs',
  Sms: 'Sms',
}

/** The name of a method on a path that ends in a command. `{}` is a placeholder for the resource before it. */
const commandNames: Record<string, Record<string, string>> = {
  activation: { post: 'activate{}', delete: 'deactivate{}' },
  audience: { post: 'preview{}Audience' },
  check: { post: 'check{}' },
  decision: { post: 'decide{}' },
  duplication: { post: 'duplicate{}' },
  execution: { post: 'execute{}' },
  executions: { post: 'execute{}Batch' },
  normalization: { post: 'normalize{}' },
  pause: { post: 'pause{}', delete: 'resume{}' },
  preview: { post: 'preview{}' },
  proof: { post: 'prove{}' },
  render: { post: 'render{}' },
  renders: { post: 'render{}Batch' },
  replay: { post: 'replay{}' },
  retry: { post: 'retry{}' },
  secret: { post: 'renew{}Secret' },
  simulation: { post: 'simulate{}' },
  test: { post: 'test{}' },
  token: { post: 'renew{}Token' },
  validation: { post: 'validate{}', delete: 'unvalidate{}' },
}

const methodVerbs: Record<string, string> = {
  get: 'get',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
  post: 'create',
}

const isPathParameter = (segment: string): boolean => segment.startsWith('{')

function toPascalWord(word: string): string {
  return (
    wordSpellings[word] ?? word.replace(/(?:^|[^A-Za-z0-9])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  )
}

/** The name of one thing, of the name of many: `Fields` is `Field`, `Categories` is `Category`. */
export function singularizeName(name: string): string {
  const irregularSingular = singularForms[name]
  if (irregularSingular !== undefined) return irregularSingular
  return name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
}

function buildNoun(segments: readonly string[], isMany: boolean): string {
  const words = segments.filter((segment) => !isPathParameter(segment)).map(toPascalWord)
  return words.map((word, at) => (at === words.length - 1 && isMany ? word : singularizeName(word))).join('')
}

/** `hits/open` of a history is `OpenHit`: what is narrower stands before. */
function buildHistoryKind(segments: readonly string[]): string {
  return segments
    .map((segment) => singularizeName(toPascalWord(segment)))
    .reverse()
    .join('')
}

/** A history: `listActionOpenHitEvents`; of everything sent `listAllActionOpenHitEvents`. A contact may be named by the query instead. */
function buildHistoryId(segments: readonly string[], at: number): string {
  const ownerSegments = segments.slice(0, at)
  const name = `${buildNoun(ownerSegments, false)}${buildHistoryKind(segments.slice(at + 1))}${toPascalWord(segments[at]!)}`
  if (ownerSegments.some(isPathParameter)) return `list${name}`
  return ownerSegments[0] === 'targets' ? `list${name}ByQuery` : `listAll${name}`
}

/**
 * The stable name of an operation, a verb and a noun, by its method (lower case) and path. `isList`: it answers an array.
 * A route whose name the rule would make badly has its own in its schema.
 */
export function buildOperationId(method: string, path: string, isList: boolean): string {
  const segments = path.split('/').slice(1)
  if (locationWords.has(segments[0]!)) segments.shift()
  const lastSegment = segments.at(-1) ?? ''
  const historyIndex = segments.findIndex((segment) => segment === 'events' || segment === 'reactivities')
  if (method === 'get' && historyIndex > 0) return buildHistoryId(segments, historyIndex)
  const commandName = commandNames[lastSegment]?.[method]
  if (commandName !== undefined) return commandName.replace('{}', buildNoun(segments.slice(0, -1), false))
  if (method === 'get' && isList && !isPathParameter(lastSegment)) return `list${buildNoun(segments, true)}`
  const isWholeResource = method === 'put' || method === 'delete' || method === 'patch' || method === 'get'
  return `${methodVerbs[method]}${buildNoun(segments, isWholeResource && !isPathParameter(lastSegment))}`
}

/** Operations whose names differ in two descriptions: clients that were generated from the first one call them by the old names. */
export function listRenamedOperations(before: OpenApiDocument, after: OpenApiDocument): string[] {
  return listOpenApiOperations(after).flatMap(({ method, path, operation: { operationId } }) => {
    const oldId = before.paths[path]?.[method]?.operationId
    return oldId === undefined || oldId === operationId
      ? []
      : [`${method.toUpperCase()} ${path}: ${oldId} became ${operationId}`]
  })
}
