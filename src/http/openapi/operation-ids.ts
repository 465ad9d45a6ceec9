import { operationIdExceptions } from './operation-id-exceptions.ts'

/** Words of paths that say where a resource stands, not what it is. */
const places = new Set(['channel', 'parameters', 'scripting', 'marketing'])

/** Words of paths that are more than one word, or have a plural of their own. */
const written: Record<string, string> = {
  deadletters: 'DeadLetters',
  optouts: 'OptOuts',
  people: 'People',
  redlist: 'RedList',
}

const singulars: Record<string, string> = {
  People: 'Person',
  Media: 'Media',
  Settings: 'Settings',
  Rcs: 'Rcs',
  Sms: 'Sms',
}

/** What a method is called where a path ends in a command. `{}` stands for the resource before it. */
const commands: Record<string, Record<string, string>> = {
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

const verbs: Record<string, string> = { get: 'get', put: 'update', patch: 'patch', delete: 'delete', post: 'create' }

const isParameter = (segment: string): boolean => segment.startsWith('{')

function pascal(word: string): string {
  return written[word] ?? word.replace(/(?:^|[^A-Za-z0-9])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** The name of one thing, of the name of many: `Fields` is `Field`, `Categories` is `Category`. */
export function singularizeName(name: string): string {
  const known = singulars[name]
  if (known !== undefined) return known
  return name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
}

function nounOf(segments: readonly string[], isMany: boolean): string {
  const words = segments.filter((segment) => !isParameter(segment)).map(pascal)
  return words.map((word, at) => (at === words.length - 1 && isMany ? word : singularizeName(word))).join('')
}

/** `hits/open` of a history is `OpenHit`: what is narrower stands before. */
function kindOf(segments: readonly string[]): string {
  return segments
    .map((segment) => singularizeName(pascal(segment)))
    .reverse()
    .join('')
}

/** A history: `listActionOpenHitEvents`; of everything sent `listAllActionOpenHitEvents`. A contact may be named by the query instead. */
function historyId(segments: readonly string[], at: number): string {
  const owner = segments.slice(0, at)
  const name = `${nounOf(owner, false)}${kindOf(segments.slice(at + 1))}${pascal(segments[at]!)}`
  if (owner.some(isParameter)) return `list${name}`
  return owner[0] === 'targets' ? `list${name}ByQuery` : `listAll${name}`
}

/**
 * The stable name of an operation, a verb and a noun, by its method (lower case) and path. `isList`: it answers an array.
 * What the rule would name badly has its name in `operationIdExceptions`.
 */
export function buildOperationId(method: string, path: string, isList: boolean): string {
  const exception = operationIdExceptions[`${method.toUpperCase()} ${path}`]
  if (exception !== undefined) return exception
  const segments = path.split('/').slice(1)
  if (places.has(segments[0]!)) segments.shift()
  const last = segments.at(-1) ?? ''
  const history = segments.findIndex((segment) => segment === 'events' || segment === 'reactivities')
  if (method === 'get' && history > 0) return historyId(segments, history)
  const command = commands[last]?.[method]
  if (command !== undefined) return command.replace('{}', nounOf(segments.slice(0, -1), false))
  if (method === 'get' && isList && !isParameter(last)) return `list${nounOf(segments, true)}`
  const isWhole = method === 'put' || method === 'delete' || method === 'patch' || method === 'get'
  return `${verbs[method]}${nounOf(segments, isWhole && !isParameter(last))}`
}
