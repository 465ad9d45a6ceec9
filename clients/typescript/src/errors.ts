/** One fault of a request: a JSON pointer (RFC 6901) into its body, or the name of a parameter. */
export interface Fault {
  pointer: string
  detail: string
}

/** The members of a problem (RFC 9457), and those that some kinds have beside them, such as `links`. */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  /** The id of the request, which the log of the service has too. */
  instance?: string
  errors?: Fault[]
  [member: string]: unknown
}

const PREFIX = 'urn:stentor:problem:'

/** What the service refused, and why. Failures of the network are not answers: they are thrown as `fetch` throws them. */
export class StentorError extends Error {
  readonly status: number
  /** A URI, the same for every problem of a kind. */
  readonly type: string
  /** The last part of the type: `segment-linked`. */
  readonly kind: string
  readonly title: string
  /** What to change. */
  readonly detail: string
  readonly errors: readonly Fault[]
  readonly instance: string | undefined
  /** The whole problem. */
  readonly problem: Problem
  /** After how long the service may be asked again, when it says so. */
  readonly retryAfterMs: number | undefined

  constructor(problem: Problem, retryAfterMs?: number) {
    super(`${problem.status} ${problem.title}: ${problem.detail}`)
    this.name = 'StentorError'
    this.problem = problem
    this.status = problem.status
    this.type = problem.type
    this.kind = problem.type.startsWith(PREFIX) ? problem.type.slice(PREFIX.length) : problem.type
    this.title = problem.title
    this.detail = problem.detail
    this.errors = problem.errors ?? []
    this.instance = problem.instance
    this.retryAfterMs = retryAfterMs
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'type' in body && 'status' in body
}

/** The error of an answer with this body: what is no problem, such as the page of a proxy, becomes one of type `about:blank`. */
export function errorOf(response: Response, body: unknown): StentorError {
  const retryAfterMs = retryAfterOf(response)
  if (isProblem(body)) return new StentorError(body, retryAfterMs)
  const { status, statusText, headers } = response
  const title = statusText || 'Refused'
  const detail = typeof body === 'string' && body !== '' ? body.slice(0, 200) : title
  const instance = headers.get('x-request-id') ?? undefined
  return new StentorError({ type: 'about:blank', title, status, detail, ...(instance && { instance }) }, retryAfterMs)
}

/** The milliseconds that `Retry-After` asks for, of seconds or of a date (RFC 9110, 10.2.3). */
export function retryAfterOf({ headers }: Response): number | undefined {
  const given = headers.get('retry-after')
  if (given === null) return undefined
  if (/^\d+$/.test(given)) return Number(given) * 1000
  const at = Date.parse(given)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}
