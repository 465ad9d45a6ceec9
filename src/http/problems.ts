import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import router from 'find-my-way'
import { isDatabaseUnavailable, isUnknownTimeZoneError, isUnstorableTextError } from '../database/errors.ts'
import { Problem, toProblemTypeUri } from '../lib/errors/problem.ts'
import { toLoggableError } from '../lib/errors/safe-error.ts'
import type { HttpApp } from './app-type.ts'
import { createRefusalCounter } from './middleware/refusals.ts'
import { toRequestFaults } from './validation/validation.ts'

const STATUS_TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** Seconds after which a request that was refused with 503 may succeed, where nothing else is known. */
const DEFAULT_RETRY_SECONDS = 5

/** Headers of every answer: browsers must not guess its type. */
export const COMMON_ANSWER_HEADERS = { 'x-content-type-options': 'nosniff' } as const

/** The body of RFC 9457 for a problem, with the request's id as its instance. */
export function buildProblemBody(problem: Problem, requestId: string): Record<string, unknown> {
  return {
    type: toProblemTypeUri(problem.kind),
    title: STATUS_TITLES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.detail,
    instance: requestId,
    ...(problem.errors && { errors: problem.errors }),
    ...problem.extras,
  }
}

/** Problems for errors of Fastify itself, by the start of their code. */
function toFrameworkProblem(error: FastifyError): Problem | undefined {
  if (error.validation) return new Problem(400, 'invalid-request', ...buildValidationDetail(error))
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
      return new Problem(413, 'body-too-large', 'The body is larger than this operation accepts.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem(
        415,
        'unsupported-media-type',
        'This operation does not accept that Content-Type. Send application/json.',
      )
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem(400, 'malformed-body', 'Content-Length does not match the body.')
    default:
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? new Problem(error.statusCode, 'invalid-request', error.message)
        : undefined
  }
}

function buildValidationDetail(error: FastifyError): [string, { errors: ReturnType<typeof toRequestFaults> }] {
  const errors = toRequestFaults(error.validation ?? [], error.validationContext)
  const [firstFault] = errors
  return [
    firstFault ? `${firstFault.pointer.slice(0, 200) || 'body'}: ${firstFault.detail}` : error.message,
    { errors },
  ]
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isDatabaseUnavailable(error)) {
    return new Problem(
      503,
      'unavailable',
      'The database cannot be reached or does not accept changes at the moment. Try again.',
      {
        headers: { 'retry-after': '5' },
        cause: error,
      },
    )
  }
  if (isUnknownTimeZoneError(error)) {
    return new Problem(
      503,
      'unavailable',
      'The database does not know the time zone. Choose another name for it, such as America/New_York, or update the time zones of PostgreSQL.',
    )
  }
  if (isUnstorableTextError(error)) {
    return new Problem(
      400,
      'invalid-request',
      'A text contains a character that cannot be stored: NUL, or half a surrogate pair.',
    )
  }
  const frameworkProblem = error instanceof Error ? toFrameworkProblem(error as FastifyError) : undefined
  return (
    frameworkProblem ??
    new Problem(500, 'internal', 'An unexpected error occurred. The log has the cause under this instance.', {
      cause: error,
    })
  )
}

/** Returns true if the client disconnected before its request was complete. */
function hasDisconnected({ raw }: FastifyRequest): boolean {
  // Not known of an injected request.
  return raw.complete === false && raw.destroyed
}

/** Bytes of a refused body that are still taken in, so that its sender reads the answer. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/**
 * Keeps the connection of a body that is refused before all of it came, if the rest is not long: it is discarded. A connection that is
 * closed while a proxy sends is an error to it (502), and the answer is lost.
 */
function keepConnectionOpen(request: FastifyRequest, reply: FastifyReply): void {
  if (Number(request.headers['content-length']) <= MAX_DISCARDED_BYTES) reply.removeHeader('connection')
}

/** The answer to an aborted request, whose client is gone. It is 5xx so that it is not stored for an `Idempotency-Key`. */
const ABORTED_PROBLEM = new Problem(503, 'unavailable', 'The request was interrupted. Send it again.')

/** The cause of a problem in words, without a stack, which shows nothing when there are too many requests. */
function describeCause(problem: Problem): string | undefined {
  const error = toLoggableError(problem.cause ?? problem)
  return typeof error === 'object' ? error.message || String(error['code'] ?? error.type) : error
}

/** Answers a request with the problem for an error. `refuse` is called for 503. */
function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  refuse?: (problem: Problem) => void,
): FastifyReply {
  const isAborted = hasDisconnected(request)
  const problem = isAborted ? ABORTED_PROBLEM : toProblem(error)
  if (isAborted) request.log.info({ kind: 'broken-off' }, 'the client disconnected before its request was complete')
  else if (problem.status === 413) keepConnectionOpen(request, reply)
  else if (problem.status === 503) refuse?.(problem)
  else if (problem.status >= 500)
    request.log.error({ err: problem.cause ?? problem, kind: problem.kind }, 'request failed')
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/problem+json')
    .send(JSON.stringify(buildProblemBody(problem, request.id)))
}

/** Answers a request whose path no route can have: one that cannot be decoded, or with too long a part. */
export function answerInvalidPath(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'x-request-id': request.id, ...COMMON_ANSWER_HEADERS })
  sendProblem(new Problem(404, 'not-found', 'Unknown path.'), request, reply)
}

/** Answers to connections without a readable request, by the code of the error; they are closed after it. */
const CONNECTION_PROBLEMS: Record<string, Problem> = {
  ERR_HTTP_REQUEST_TIMEOUT: new Problem(408, 'request-timeout', 'The request did not arrive in time. Send it again.'),
  HPE_HEADER_OVERFLOW: new Problem(431, 'headers-too-large', 'The headers of the request are too large.'),
}
const MALFORMED_PROBLEM = new Problem(400, 'malformed-request', 'This is not an HTTP request.')

/** Answers bytes that are no request, and closes the connection: the start of a next request cannot be found. */
export function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const problem = CONNECTION_PROBLEMS[error.code ?? ''] ?? MALFORMED_PROBLEM
  const id = randomUUID()
  const body = JSON.stringify(buildProblemBody(problem, id))
  const headers = [
    `HTTP/1.1 ${problem.status} ${STATUS_TITLES[problem.status]}`,
    `x-request-id: ${id}`,
    ...Object.entries(COMMON_ANSWER_HEADERS).map((header) => header.join(': ')),
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  if (socket.writable) socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}

/** A control character of a path (C0, DEL, C1), as it is encoded in UTF-8: no id or word has one. */
const ENCODED_CONTROL = /%(?:[01][\da-f]|7f|c2%[89][\da-f])/i

/** Refuses paths with control characters before anything reads them: the database, the audit and logs take none. Throws 400. */
async function rejectControlCharacters({ url }: FastifyRequest): Promise<void> {
  const [path = ''] = url.split('?', 1)
  if (ENCODED_CONTROL.test(path))
    throw new Problem(400, 'invalid-request', 'The path contains a control character. Remove it.')
}

/** Renders every error in one place, and distinguishes an unknown path (404) from a wrong method (405 with Allow). */
export function registerProblemHandlers(app: HttpApp): void {
  const pathRouter = router({ ignoreTrailingSlash: true, caseSensitive: false })
  const registeredMethods = new Set<string>()
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) {
      registeredMethods.add(name)
      if (!pathRouter.hasRoute(name as 'GET', url)) pathRouter.on(name as 'GET', url, () => undefined)
    }
  })
  const count = createRefusalCounter()
  app.setErrorHandler((error, request, reply) =>
    sendProblem(error, request, reply, (problem) => {
      const { kind } = problem
      const requestCount = count(kind, performance.now())
      if (requestCount !== undefined)
        request.log.warn({ kind, reason: describeCause(problem), requests: requestCount }, 'requests refused for now')
    }),
  )
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', DEFAULT_RETRY_SECONDS)
  })
  app.addHook('onRequest', rejectControlCharacters)
  const refuseStray = (request: FastifyRequest, reply: FastifyReply): never => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const allowedMethods = [...registeredMethods].filter((method) => pathRouter.find(method as 'GET', path) !== null)
    if (allowedMethods.length === 0) throw new Problem(404, 'not-found', 'Unknown path.')
    reply.header('allow', allowedMethods.sort().join(', '))
    throw new Problem(
      405,
      'method-not-allowed',
      `${request.method} is not supported here; use ${allowedMethods.join(', ')}.`,
    )
  }
  app.setNotFoundHandler(refuseStray)
  // Before the body is read: its type is checked only where a route accepts one.
  app.addHook('preParsing', async (request, reply, payload) => (request.is404 ? refuseStray(request, reply) : payload))
}
