import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import {
  createOutboundLookup,
  NoAnswerError,
  type OutboundPolicy,
  RefusedAddressError,
} from '../../lib/net/guarded-client.ts'
import { requireAllowedAddress } from './allow-list.ts'
import { parseFetchRequest, type ScriptFetchRequest } from './request.ts'

/** Hosts that a script may call, and its secrets. */
export interface ScriptFetchPolicy {
  account: number
  /** Entries of `environment.http.allow`. */
  allow: readonly string[]
  secrets: ReadonlyMap<string, string>
  /** Carried by every call of a workflow's node. */
  idempotencyKey?: string
}

/** The answer as scripts see it. */
export interface ScriptFetchAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export interface ScriptFetcher {
  /**
   * Calls an address that a script gave. Throws RefusedAddressError for what may not be called, UnknownSecretError, and NoAnswerError
   * when no whole answer came in time.
   */
  fetch(url: string, options: unknown, policy: ScriptFetchPolicy, signal: AbortSignal): Promise<ScriptFetchAnswer>
}

const MAX_ANSWER_BYTES = 1024 * 1024
const MAX_REDIRECTS = 3
const MAX_PARALLEL_CALLS = 20
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

const bodyDecoders: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

async function readBody(message: IncomingMessage): Promise<string> {
  const decoder = bodyDecoders[message.headers['content-encoding']?.trim().toLowerCase() ?? '']?.()
  if (decoder) message.on('error', (error) => decoder.emit('error', error)).pipe(decoder)
  const chunks: Buffer[] = []
  let byteCount = 0
  try {
    for await (const chunk of decoder ?? message) {
      byteCount += chunk.length
      if (byteCount > MAX_ANSWER_BYTES) throw new NoAnswerError(`the answer has more than ${MAX_ANSWER_BYTES} bytes`)
      chunks.push(chunk)
    }
  } finally {
    decoder?.destroy()
  }
  return Buffer.concat(chunks).toString()
}

function sendRequest(
  url: URL,
  request: ScriptFetchRequest,
  reach: OutboundPolicy,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const requestFunction = url.protocol === 'https:' ? httpsRequest : httpRequest
  const { method, headers, body } = request
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    // Without an agent no connection is kept, and no proxy of the environment is asked.
    const options = {
      method,
      headers: { ...headers, ...length },
      agent: false,
      signal,
      lookup: createOutboundLookup(url, reach),
    }
    requestFunction(url, options, resolve).on('error', reject).end(body)
  })
}

interface FetchCall {
  url: URL
  request: ScriptFetchRequest
}

/** The call that follows a redirect: a new one, without what belongs to the first host when it is another. */
function buildRedirectCall({ url, request }: FetchCall, status: number, next: URL): FetchCall {
  const isSameOrigin = next.origin === url.origin
  const becomesGet = status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST'
  const body = becomesGet ? undefined : request.body
  if (!isSameOrigin && body !== undefined && request.isBodySecret)
    throw new RefusedAddressError('redirects a body with a secret to another host')
  const mustSendHeader = (name: string) =>
    (isSameOrigin || !request.credentials.has(name)) && !(becomesGet && name.startsWith('content-'))
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => mustSendHeader(name)))
  return { url: next, request: { ...request, method: becomesGet ? 'GET' : request.method, headers, body } }
}

function toTextHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}

async function followRedirects(
  first: FetchCall,
  policy: ScriptFetchPolicy,
  reach: OutboundPolicy,
  signal: AbortSignal,
): Promise<ScriptFetchAnswer> {
  let currentCall = first
  for (let remainingRedirects = MAX_REDIRECTS; ; remainingRedirects--) {
    const message = await sendRequest(currentCall.url, currentCall.request, reach, signal)
    try {
      const status = message.statusCode ?? 0
      const { location } = message.headers
      if (!REDIRECT_STATUSES.has(status) || location === undefined)
        return { status, headers: toTextHeaders(message), body: await readBody(message) }
      if (remainingRedirects === 0) throw new NoAnswerError('too many redirects')
      const next = URL.parse(location, currentCall.url)
      if (next === null) throw new NoAnswerError('a redirect leads to an invalid address')
      currentCall = buildRedirectCall(currentCall, status, requireAllowedAddress(next.href, policy.allow))
    } finally {
      message.destroy()
    }
  }
}

/** Lets some calls of an account go at a time; the others wait. */
function createTurnQueue() {
  const accounts = new Map<number, { active: number; waiting: (() => void)[] }>()
  return async <T>(account: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const accountTurns = accounts.get(account) ?? { active: 0, waiting: [] }
    accounts.set(account, accountTurns)
    if (accountTurns.active < MAX_PARALLEL_CALLS) accountTurns.active++
    else
      await new Promise<void>((resolve, reject) => {
        accountTurns.waiting.push(resolve)
        const leaveQueue = () => {
          accountTurns.waiting = accountTurns.waiting.filter((waitingResolve) => waitingResolve !== resolve)
          reject(signal.reason)
        }
        signal.addEventListener('abort', leaveQueue, { once: true })
      })
    try {
      return await work()
    } finally {
      const next = accountTurns.waiting.shift()
      if (next) next()
      else if (--accountTurns.active === 0) accounts.delete(account)
    }
  }
}

const OWN_HEADERS = { 'user-agent': 'Stentor-Scripts/1', accept: '*/*', 'accept-encoding': 'gzip, deflate, br' }

/** Calls for scripts: to listed hosts whose every address is public, and to the very address that was checked. */
export function createScriptFetcher(reach: OutboundPolicy): ScriptFetcher {
  const runInTurn = createTurnQueue()
  return {
    async fetch(text, options, policy, signal) {
      const request = parseFetchRequest(options, policy.secrets)
      const url = requireAllowedAddress(text, policy.allow)
      const { idempotencyKey } = policy
      const headers = {
        ...OWN_HEADERS,
        ...request.headers,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      }
      const timeout = AbortSignal.timeout(request.timeoutMs)
      const abortSignal = AbortSignal.any([timeout, signal])
      try {
        return await runInTurn(policy.account, abortSignal, () =>
          followRedirects({ url, request: { ...request, headers } }, policy, reach, abortSignal),
        )
      } catch (error) {
        if (error instanceof RefusedAddressError || error instanceof NoAnswerError) throw error
        const reason = timeout.aborted ? `no answer within ${request.timeoutMs} ms` : 'the connection failed'
        throw new NoAnswerError(reason, { cause: error })
      }
    },
  }
}
