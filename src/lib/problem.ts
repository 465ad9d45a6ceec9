/** One fault of a request: an RFC 6901 pointer into the body (or a parameter's name) and what to change there. */
export interface Fault {
  pointer: string
  detail: string
}

/** Members beside those of RFC 9457, shown to the caller as they are. */
export type ProblemExtras = Record<string, unknown>

/**
 * The only error a caller sees (RFC 9457). `kind` becomes the last part of `type`; `detail` says what to change.
 * Whatever is thrown besides it is answered as 500 and only logged.
 */
export class Problem extends Error {
  readonly status: number
  readonly kind: string
  readonly detail: string
  readonly errors: Fault[] | undefined
  readonly extras: ProblemExtras
  readonly headers: Record<string, string>

  constructor(
    status: number,
    kind: string,
    detail: string,
    more: { errors?: Fault[]; extras?: ProblemExtras; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause })
    this.name = 'Problem'
    this.status = status
    this.kind = kind
    this.detail = detail
    this.errors = more.errors
    this.extras = more.extras ?? {}
    this.headers = more.headers ?? {}
  }
}

/** 400 with one entry per fault. The detail repeats the first one, so that a log line or a glance is enough. */
export function invalid(errors: Fault[]): Problem {
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new Problem(
    400,
    'invalid-request',
    first ? `${first.pointer || 'body'}: ${first.detail}${more}` : 'invalid request',
    { errors },
  )
}

/** 400 for one fault. */
export function badRequest(pointer: string, detail: string): Problem {
  return invalid([{ pointer, detail }])
}

/** 404, the same whether the thing never existed or belongs to another account; `pointer`: where a body names it. */
export function notFound(what: string, id: string | number | bigint, pointer?: string): Problem {
  const errors = pointer === undefined ? undefined : [{ pointer, detail: `must be the id of a ${what}` }]
  return new Problem(404, 'not-found', `There is no ${what} ${id}.`, errors && { errors })
}

/** 409: `kind` is a stable word such as `segment-linked`. */
export function conflict(kind: string, detail: string, extras: ProblemExtras = {}): Problem {
  return new Problem(409, kind, detail, { extras })
}

/** 410: the resource was there and has been deleted. */
export function gone(what: string, id: string | number): Problem {
  return new Problem(410, 'gone', `The ${what} ${id} was deleted.`)
}
