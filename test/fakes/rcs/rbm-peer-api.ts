import type { IncomingHttpHeaders } from 'node:http'
import { zoneRegion } from './rbm-peer-region.ts'
import { checkAgentMessage, Malformed } from './rbm-peer-schema.ts'

export interface ApiRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  /** Whether it has a token that is good. */
  isSignedIn: boolean
}

/** How a request is answered. `goaway unprocessed`: the connection goes away, and says that it did nothing with it. */
export interface Behaviour {
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Nothing is answered before that. */
  until?: Promise<unknown>
  afterMs?: number
  how?: 'drop' | 'drop in the body' | 'stall' | 'goaway' | 'goaway unprocessed'
}

export interface TakenMessage {
  phone: string
  agent: string
  messageId: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of a message.
  body: any
}

/** What happens to a request, and what it asks for. */
type Asked =
  | { kind: 'message'; phone: string; agent: string; messageId: string }
  | { kind: 'revocation'; phone: string; agent: string; messageId: string }
  | { kind: 'capabilities'; phone: string; agent: string }
  | { kind: 'users' }
  | { kind: 'root' }

/** The memory of a peer, and what it was told to do. */
export interface RbmBook {
  /** Messages it took, each once. */
  taken: TakenMessage[]
  revoked: { phone: string; agent: string; messageId: string }[]
  /** Every attempt at a message, also those that were refused or dropped. */
  attempts: { phone: string; messageId: string; at: number }[]
  lookups: { phone: string; agent: string }[]
  bulk: { region: string; phones: readonly string[] }[]
  /** What it found wrong. A test that does not want any compares it with []. */
  faults: string[]
  /** Phones that cannot be reached. */
  unreachable: Set<string>
  features: string[]
  /** Whether a repeated messageId is answered 409, or 200 as if it were new. */
  repeats: 409 | 200
  /** The next requests for a phone, for any (`*`), for bulk look-ups (`users`) or for tokens (`token`) are answered so. */
  plan(what: string, ...behaviours: Behaviour[]): void
  /** Takes the next one that is planned. */
  planned(...whats: string[]): Behaviour | undefined
  answer(request: ApiRequest): Behaviour
}

const WORDS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

/** An error as the interface gives it. */
export function rbmError(status: number, message = 'refused', headers: Record<string, string> = {}): Behaviour {
  const error = { code: status, message, status: WORDS[status] ?? 'UNKNOWN' }
  return { status, body: JSON.stringify({ error }), headers }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** Takes exactly these parameters. Throws Malformed. */
function parametersOf(url: URL, ...names: string[]): string[] {
  const given = [...url.searchParams.keys()]
  for (const name of given) if (!names.includes(name)) throw new Malformed(`unknown parameter "${name}"`)
  return names.map((name) => {
    const values = url.searchParams.getAll(name)
    if (values.length !== 1 || values[0] === '') throw new Malformed(`the parameter "${name}" must be there once`)
    return values[0] ?? ''
  })
}

function readAsked({ method, url: text }: ApiRequest): Asked | undefined {
  const url = new URL(text, 'http://peer')
  const path = decodeURIComponent(url.pathname)
  const [, phone = '', rest = ''] = /^\/v1\/phones\/(\+[1-9]\d{4,14})\/(.+)$/.exec(path) ?? []
  if (method === 'GET' && path === '/') return { kind: 'root' }
  if (method === 'POST' && path === '/v1/users:batchGet') return { kind: 'users' }
  if (method === 'GET' && rest === 'capabilities') {
    const [requestId = '', agent = ''] = parametersOf(url, 'requestId', 'agentId')
    if (!UUID.test(requestId)) throw new Malformed('requestId must be a UUID')
    return { kind: 'capabilities', phone, agent }
  }
  if (method === 'POST' && rest === 'agentMessages') {
    const [messageId = '', agent = ''] = parametersOf(url, 'messageId', 'agentId')
    if (!UUID.test(messageId)) throw new Malformed('messageId must be a UUID')
    return { kind: 'message', phone, agent, messageId }
  }
  const [, messageId = ''] = /^agentMessages\/([^/]+)$/.exec(rest) ?? []
  if (method !== 'DELETE' || messageId === '') return undefined
  const [agent = ''] = parametersOf(url, 'agentId')
  return { kind: 'revocation', phone, agent, messageId }
}

function parseBody({ headers, body }: ApiRequest): unknown {
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) throw new Malformed('the body must be JSON')
  try {
    return JSON.parse(body)
  } catch {
    throw new Malformed('the body is no JSON')
  }
}

function takeMessage(book: RbmBook, asked: Extract<Asked, { kind: 'message' }>, request: ApiRequest): Behaviour {
  const { phone, agent, messageId } = asked
  const body = parseBody(request)
  checkAgentMessage(body)
  const name = `phones/${phone}/agentMessages/${messageId}`
  const answer = { status: 200, body: JSON.stringify({ name, sendTime: new Date().toISOString() }) }
  if (book.taken.some((one) => one.agent === agent && one.messageId === messageId))
    return book.repeats === 409 ? rbmError(409, 'Requested entity already exists') : answer
  if (book.unreachable.has(phone)) return rbmError(404, 'Requested entity was not found.')
  book.taken.push({ phone, agent, messageId, body })
  return answer
}

function lookUpUsers(book: RbmBook, request: ApiRequest): Behaviour {
  const body = parseBody(request) as { users?: unknown; agentId?: unknown }
  const { users, agentId, ...others } = body
  if (typeof agentId !== 'string' || agentId === '' || Object.keys(others).length > 0)
    throw new Malformed('a look-up has users and agentId')
  if (!Array.isArray(users) || users.length < 500 || users.length > 10_000)
    throw new Malformed('a look-up has 500 to 10000 users')
  const phones = users.map(String)
  if (phones.some((phone) => !/^\+[1-9]\d{4,14}$/.test(phone)) || new Set(phones).size !== phones.length)
    throw new Malformed('users must be E.164, each once')
  const [region, ...mixed] = [...new Set(phones.map(zoneRegion))]
  if (region === undefined || mixed.length > 0) throw new Malformed('users of mixed regions')
  book.bulk.push({ region, phones })
  const reachable = phones.filter((phone) => !book.unreachable.has(phone))
  const sampled = Math.floor(phones.length * 0.75)
  const counts = {
    totalRandomSampleUserCount: sampled,
    reachableRandomSampleUserCount: Math.min(sampled, reachable.length),
  }
  return { status: 200, body: JSON.stringify({ reachableUsers: reachable, ...counts }) }
}

function revoke(book: RbmBook, { phone, agent, messageId }: Extract<Asked, { kind: 'revocation' }>): Behaviour {
  const isThere = book.taken.some((one) => one.phone === phone && one.agent === agent && one.messageId === messageId)
  if (!isThere) return rbmError(404, 'Requested entity was not found.')
  book.revoked.push({ phone, agent, messageId })
  return { status: 200, body: '{}' }
}

function serve(book: RbmBook, asked: Asked, request: ApiRequest): Behaviour {
  switch (asked.kind) {
    case 'root':
      return { status: 404, headers: { 'content-type': 'text/html' }, body: '<!DOCTYPE html>' }
    case 'message':
      return takeMessage(book, asked, request)
    case 'revocation':
      return revoke(book, asked)
    case 'users':
      return lookUpUsers(book, request)
    case 'capabilities': {
      if (request.body !== '') throw new Malformed('the body must be empty')
      book.lookups.push({ phone: asked.phone, agent: asked.agent })
      if (book.unreachable.has(asked.phone)) return rbmError(404, 'Requested entity was not found.')
      return { status: 200, body: JSON.stringify({ features: book.features }) }
    }
  }
}

/** Whether a planned answer says all there is, so that the request is not looked at. */
export function isWhole({ status, how }: Behaviour): boolean {
  return status !== undefined || how === 'goaway unprocessed'
}

function answer(book: RbmBook, request: ApiRequest): Behaviour {
  const asked = readAsked(request)
  if (asked === undefined) throw new Malformed(`no such method: ${request.method} ${request.url.split('?')[0]}`)
  if (asked.kind === 'message')
    book.attempts.push({ phone: asked.phone, messageId: asked.messageId, at: performance.now() })
  const planned = book.planned(
    ...('phone' in asked ? [asked.phone] : []),
    ...(asked.kind === 'users' ? ['users'] : ['*']),
  )
  // What is read and dropped, or answered late, was processed all the same.
  if (planned !== undefined && isWhole(planned)) return planned
  if (!request.isSignedIn) return { ...rbmError(401, 'Request had invalid authentication credentials.'), ...planned }
  return { ...serve(book, asked, request), ...planned }
}

/** A memory that is empty. */
export function createBook(): RbmBook {
  const plans = new Map<string, Behaviour[]>()
  const book: RbmBook = {
    taken: [],
    revoked: [],
    attempts: [],
    lookups: [],
    bulk: [],
    faults: [],
    unreachable: new Set(),
    features: ['RICHCARD_STANDALONE', 'RICHCARD_CAROUSEL', 'ACTION_OPEN_URL', 'ACTION_DIAL'],
    repeats: 409,
    plan(what, ...behaviours) {
      plans.set(what, [...(plans.get(what) ?? []), ...behaviours])
    },
    planned: (...whats) => plans.get(whats.find((what) => (plans.get(what)?.length ?? 0) > 0) ?? '')?.shift(),
    answer(request) {
      try {
        return answer(book, request)
      } catch (error) {
        if (!(error instanceof Malformed)) throw error
        book.faults.push(error.message)
        return rbmError(400, error.message)
      }
    },
  }
  return book
}
