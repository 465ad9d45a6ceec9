/** One fault of a request: a pointer (RFC 6901) into the body, or the name of a parameter. */
export interface RequestFault {
  pointer: string
  detail: string
}

/** An answer that is a problem (RFC 9457), as the interface makes them. */
export class ApiRefusal extends Error {
  readonly status: number
  /** The last part of its type, such as `not-found`; stable. */
  readonly kind: string
  readonly detail: string
  readonly errors: readonly RequestFault[]
  readonly requestId: string | null
  /** Members in addition to those of RFC 9457. */
  readonly extras: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | null

  constructor(status: number, body: Record<string, unknown>, headers: Headers) {
    const { type, title, detail, errors, instance, status: _, ...extras } = body
    super(String(detail ?? title ?? status))
    this.name = 'Refusal'
    this.status = status
    this.kind = String(type ?? '').replace(/^.*[:/]/, '')
    this.detail = String(detail ?? title ?? '')
    this.errors = Array.isArray(errors) ? errors : []
    this.requestId = headers.get('x-request-id') ?? (typeof instance === 'string' ? instance : null)
    this.extras = extras
    this.retryAfterSeconds = Number(headers.get('retry-after')) || null
  }
}

/** The service did not answer at all. */
export class UnreachableError extends Error {
  constructor(cause: unknown) {
    super('unreachable', { cause })
    this.name = 'Unreachable'
  }
}

/** The problem that an answer holds. */
export async function parseRefusal(response: Response): Promise<ApiRefusal> {
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  const body: unknown = isJson ? await response.json().catch(() => ({})) : {}
  return new ApiRefusal(response.status, body !== null && typeof body === 'object' ? { ...body } : {}, response.headers)
}

/** True if an error is a refusal of this kind. */
export function isApiRefusal(error: unknown, kind?: string): error is ApiRefusal {
  return error instanceof ApiRefusal && (kind === undefined || error.kind === kind)
}
