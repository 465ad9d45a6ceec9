import { notFoundProblem, Problem, type ProblemFault } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { wrapUntrusted } from './untrusted.ts'

/** A request of the interface, made as the caller. */
export interface McpApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** What is undefined is left out. */
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
const LEADS_ELSEWHERE = /^[./\\]*$/

/** A path whose parts are encoded. Throws notFound for a part that would lead to another path. */
export function buildApiPath(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const elsewhere = values.find((value) => LEADS_ELSEWHERE.test(String(value)))
  if (elsewhere !== undefined) throw notFoundProblem('object', elsewhere)
  return String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)))
}

const WORD = /^urn:stentor:problem:/

/** The problem that a refusal is. */
export function toApiProblem({ status, body }: McpApiResponse): Problem {
  const { type, title, detail, errors, status: _, instance, ...more } = isJsonObject(body) ? body : {}
  const kind = typeof type === 'string' ? type.replace(WORD, '') : status === 404 ? 'not-found' : 'refused'
  return new Problem(status, kind, typeof detail === 'string' ? detail : `The service answered ${status}.`, {
    ...(Array.isArray(errors) && { errors: errors as ProblemFault[] }),
    // Flaws and the like, which quote what is stored.
    ...(Object.keys(more).length > 0 && { extras: { more: wrapUntrusted(more) } }),
  })
}

/** The answer with its entity tag. Throws the problem that the interface answers. */
async function replyTo(ask: McpApiCaller, question: McpApiRequest): Promise<McpApiResponse> {
  const reply = await ask(question)
  if (reply.status >= 400) throw toApiProblem(reply)
  return reply
}

/** The body of an answer. Throws the problem that the interface answers. */
export async function requestApiBody<Answer = unknown>(ask: McpApiCaller, question: McpApiRequest): Promise<Answer> {
  return (await replyTo(ask, question)).body as Answer
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
  const { body, etag } = await replyTo(ask, { method: 'GET', path })
  return { body: body as Answer, etag }
}

/** The header that lets a change happen to this representation alone. */
export function ifMatchHeader(etag: string | undefined): Record<string, string> {
  return etag === undefined ? {} : { 'if-match': etag }
}
