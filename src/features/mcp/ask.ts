import { notFoundProblem, Problem, type ProblemFault } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { wrapUntrusted } from './untrusted.ts'

/** A request of the interface, made as the caller. */
export interface McpApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Undefined members are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export interface McpApiResponse {
  status: number
  body: unknown
  etag: string | undefined
}

/** Asks the interface with the caller's own identity: rights, limits, masks and the audit are those of the operation asked. */
export type McpApiCaller = (question: McpApiRequest) => Promise<McpApiResponse>

/** Parts of a path that lead to another one: none, as of a list, `.` and `..`, also between slashes. No object has such an id. */
const UNSAFE_PATH_PART = /^[./\\]*$/

/** A path whose parts are encoded. Throws notFound for a part that would lead to another path. */
export function buildApiPath(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const elsewhere = values.find((value) => UNSAFE_PATH_PART.test(String(value)))
  if (elsewhere !== undefined) throw notFoundProblem('object', elsewhere)
  return String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)))
}

const PROBLEM_TYPE_PREFIX = /^urn:stentor:problem:/

/** The problem that a refusal is. */
export function toApiProblem({ status, body }: McpApiResponse): Problem {
  const { type, title, detail, errors, status: _, instance, ...otherMembers } = isJsonObject(body) ? body : {}
  const problemType =
    typeof type === 'string' ? type.replace(PROBLEM_TYPE_PREFIX, '') : status === 404 ? 'not-found' : 'refused'
  return new Problem(status, problemType, typeof detail === 'string' ? detail : `The service answered ${status}.`, {
    ...(Array.isArray(errors) && { errors: errors as ProblemFault[] }),
    // Flaws and the like, which quote what is stored.
    ...(Object.keys(otherMembers).length > 0 && { extras: { more: wrapUntrusted(otherMembers) } }),
  })
}

/** The same for a problem of this process: its further members quote what is stored. */
export function wrapProblemExtras(problem: Problem): Problem {
  const { status, kind, detail, errors, extras } = problem
  const more = Object.keys(extras).length > 0 && { extras: { more: wrapUntrusted(extras) } }
  return new Problem(status, kind, detail, { ...(errors && { errors }), ...more, cause: problem })
}

/** The answer with its entity tag. Throws the problem that the interface answers. */
async function requestReply(ask: McpApiCaller, question: McpApiRequest): Promise<McpApiResponse> {
  const apiReply = await ask(question)
  if (apiReply.status >= 400) throw toApiProblem(apiReply)
  return apiReply
}

/** The body of an answer. Throws the problem that the interface answers. */
export async function requestApiBody<Answer = unknown>(ask: McpApiCaller, question: McpApiRequest): Promise<Answer> {
  return (await requestReply(ask, question)).body as Answer
}

/** Reads what a path shows. Throws the problem that the interface answers. */
export function readApiResource<Answer = unknown>(
  ask: McpApiCaller,
  path: string,
  query?: McpApiRequest['query'],
): Promise<Answer> {
  return requestApiBody<Answer>(ask, { method: 'GET', path, ...(query && { query }) })
}

/** The same with its entity tag. */
export async function readTaggedResource<Answer = unknown>(
  ask: McpApiCaller,
  path: string,
): Promise<{ body: Answer; etag: string | undefined }> {
  const { body, etag } = await requestReply(ask, { method: 'GET', path })
  return { body: body as Answer, etag }
}

/** The header that lets a change happen to this representation alone. */
export function ifMatchHeader(etag: string | undefined): Record<string, string> {
  return etag === undefined ? {} : { 'if-match': etag }
}

/** Writes members over a resource as it is now. Throws the problem that the interface answers. */
export async function updateApiResource(ask: McpApiCaller, path: string, body: object): Promise<void> {
  const { etag } = await readTaggedResource(ask, path)
  await requestApiBody(ask, { method: 'PUT', path, body, headers: ifMatchHeader(etag) })
}
