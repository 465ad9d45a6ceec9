/** One fault of a request: an RFC 6901 pointer into the body (or a parameter's name) and what to change there. */
export interface ProblemFault {
  pointer: string
  detail: string
}

/** Faults of one request that are listed; `errorCount` gives the total. */
export const MAX_PROBLEM_FAULTS = 100

/** Characters of a pointer that an answer repeats: it holds names that the caller sent. */
const MAX_POINTER_LENGTH = 1000

/** A pointer (RFC 6901) to a member or an item of what `base` points to. */
export function appendJsonPointer(base: string, name: string | number): string {
  return `${base}/${typeof name === 'number' ? name : name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The URI of a problem type; `docs/reference/problems.md` explains the kinds. The last part of the URI is stable. */
export const toProblemTypeUri = (kind: string): string => `urn:stentor:problem:${kind}`

/** Members in addition to those of RFC 9457, shown to the caller unchanged. */
export type ProblemExtras = Record<string, unknown>

function toShownFault(fault: ProblemFault): ProblemFault {
  const { pointer, detail } = fault
  return pointer.length <= MAX_POINTER_LENGTH ? fault : { pointer: `${pointer.slice(0, MAX_POINTER_LENGTH)}…`, detail }
}

/**
 * The only error a caller sees (RFC 9457). `kind` becomes the last part of `type`; `detail` says what to change.
 * Any other error is answered as 500 and logged. Of more than `MAX_PROBLEM_FAULTS` errors the first are
 * listed, and `errorCount` says how many there are.
 */
export class Problem extends Error {
  readonly status: number
  readonly kind: string
  readonly detail: string
  readonly errors: ProblemFault[] | undefined
  readonly extras: ProblemExtras
  readonly headers: Record<string, string>

  constructor(
    status: number,
    kind: string,
    detail: string,
    problemOptions: {
      errors?: ProblemFault[]
      /** The number of faults, if `errors` holds only the first of them. */
      errorCount?: number
      extras?: ProblemExtras
      headers?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(detail, { cause: problemOptions.cause })
    this.name = 'Problem'
    this.status = status
    this.kind = kind
    this.detail = detail
    const { errors, errorCount = errors?.length ?? 0, extras = {} } = problemOptions
    this.errors = errors?.slice(0, MAX_PROBLEM_FAULTS).map(toShownFault)
    this.extras = errorCount > MAX_PROBLEM_FAULTS ? { ...extras, errorCount } : extras
    this.headers = problemOptions.headers ?? {}
  }
}

/**
 * 400 with one entry per fault. The detail repeats the first one, so that a log line or a glance is enough.
 * `errorCount`: how many faults there are, where `errors` holds only the first of them.
 */
export function invalidRequestProblem(errors: ProblemFault[], errorCount = errors.length): Problem {
  const firstFault = errors[0] && toShownFault(errors[0])
  const suffix = errorCount > 1 ? ` (and ${errorCount - 1} more)` : ''
  return new Problem(
    400,
    'invalid-request',
    firstFault ? `${firstFault.pointer || 'body'}: ${firstFault.detail}${suffix}` : 'invalid request',
    { errors, errorCount },
  )
}

/** 400 for one fault. */
export function badRequestProblem(pointer: string, detail: string): Problem {
  return invalidRequestProblem([{ pointer, detail }])
}

/** 404, the same for an id that never existed and one of another account; `pointer`: where a body names it. */
export function notFoundProblem(objectName: string, id: string | number | bigint, pointer?: string): Problem {
  const errors = pointer === undefined ? undefined : [{ pointer, detail: `must be the id of a ${objectName}` }]
  return new Problem(404, 'not-found', `There is no ${objectName} ${id}.`, errors && { errors })
}

/** 409: `kind` is a stable word such as `segment-linked`. */
export function conflictProblem(kind: string, detail: string, extras: ProblemExtras = {}): Problem {
  return new Problem(409, kind, detail, { extras })
}

/** 410: the resource was there and has been deleted. */
export function goneProblem(objectName: string, id: string | number): Problem {
  return new Problem(410, 'gone', `The ${objectName} ${id} was deleted.`)
}

/** A problem as a part of an answer. */
export function renderProblem({ kind, status, detail, errors, extras }: Problem): Record<string, unknown> {
  return { type: toProblemTypeUri(kind), status, detail, ...(errors && { errors }), ...extras }
}

/** 503 for what has no place now and may have one in a moment. */
export function overloadedProblem(detail: string): Problem {
  return new Problem(503, 'overloaded', detail, { headers: { 'Retry-After': '1' } })
}

/** Throws 429 with Retry-After for a request that comes `waitMs` milliseconds too early. */
export function assertNotTooEarly(waitMs: number): void {
  if (waitMs <= 0) return
  throw new Problem(429, 'too-many-requests', 'Too many requests. Try again later.', {
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  })
}

/** The result of some work, or the problem that it throws. */
export function catchProblem<T>(work: () => T): T | Problem {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** As catchProblem, for work that waits for something. */
export function catchProblemAsync<T>(work: () => Promise<T>): Promise<T | Problem> {
  return work().catch((error: unknown) => {
    if (error instanceof Problem) return error
    throw error
  })
}
