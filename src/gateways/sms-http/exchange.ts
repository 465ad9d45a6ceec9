import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { OutboundHostGuard, OutboundTarget } from '../../lib/net/guarded-client.ts'
import { describeSocketError } from '../socket.ts'
import type { SmsHttpAnswer } from './answer.ts'
import type { SmsHttpSettings } from './settings.ts'

/** One request, ready for the wire. */
export interface SmsHttpRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

/**
 * The result of a request. `unreached`: no connection, nothing sent. `unsent`: `beforeBody` threw, nothing sent.
 * `broken`: sent, and no complete answer came.
 */
export type SmsHttpExchange =
  | { kind: 'answered'; answer: SmsHttpAnswer }
  | { kind: 'unreached' | 'unsent' | 'broken'; reason: string }

const MAX_BODY_BYTES = 64 * 1024

/** Shorter than servers keep idle connections, so that one they are about to close is not used. */
const IDLE_MS = 4000

export type SmsHttpAgent = HttpAgent | HttpsAgent

export function openSmsHttpAgent({ url, concurrency, verify, ca }: SmsHttpSettings): SmsHttpAgent {
  const options = { keepAlive: true, maxSockets: concurrency, timeout: IDLE_MS }
  return url.startsWith('https:')
    ? new HttpsAgent({ ...options, rejectUnauthorized: verify, ca, minVersion: 'TLSv1.2' })
    : new HttpAgent(options)
}

/** Returns the host and port that a request connects to. */
export function getSmsHttpTarget({ hostname, port, protocol }: URL): OutboundTarget {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}

/** Resolves when the connection is open, before the request is sent. Rejects when it is not in time. */
function waitUntilConnected(request: ClientRequest, isTls: boolean, connectMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no connection within ${connectMs / 1000} s`)), connectMs)
    const resolveConnection = () => {
      clearTimeout(timer)
      resolve()
    }
    request.once('error', (error) => {
      clearTimeout(timer)
      reject(new Error(describeSocketError(error)))
    })
    request.once('socket', (socket) => {
      if (request.reusedSocket || (!socket.connecting && !isTls)) resolveConnection()
      else socket.once(isTls ? 'secureConnect' : 'connect', resolveConnection)
    })
  })
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bodyBytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bodyBytes < MAX_BODY_BYTES) chunks.push(chunk)
    bodyBytes += chunk.length
  }
  return Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('utf8')
}

async function readAnswer(request: ClientRequest, answerMs: number): Promise<SmsHttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request.once('response', resolve)
  request.on('error', (error) => reject(new Error(describeSocketError(error))))
  request.once('close', () => reject(new Error('the connection was closed')))
  const timer = setTimeout(() => request.destroy(new Error(`no answer within ${answerMs / 1000} s`)), answerMs)
  try {
    const response = await promise
    const body = await readBody(response)
    return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body }
  } finally {
    clearTimeout(timer)
  }
}

export interface SmsHttpExchangeOptions {
  agent: SmsHttpAgent
  signal: AbortSignal
  beforeBody: () => void
  guard?: OutboundHostGuard | undefined
}

/**
 * Makes one request and answers its result; never throws. `beforeBody` is called when the connection is open, before the
 * first octet is sent. Redirects are answers like others. `signal` aborts it, at any time; `guard` checks the addresses
 * behind the host when a connection is made.
 */
export async function sendSmsHttpRequest(
  { method, url, headers, body }: SmsHttpRequest,
  { connectMs, answerMs }: Pick<SmsHttpSettings, 'connectMs' | 'answerMs'>,
  { agent, guard, signal, beforeBody }: SmsHttpExchangeOptions,
): Promise<SmsHttpExchange> {
  const isTls = agent instanceof HttpsAgent
  let failureKind: 'unreached' | 'unsent' | 'broken' = 'unreached'
  let request: ClientRequest | undefined
  try {
    request = (isTls ? httpsRequest : httpRequest)(url, {
      method,
      headers,
      agent,
      signal,
      ...guard?.(getSmsHttpTarget(new URL(url))),
    })
    // Errors after the exchange has ended are of no interest.
    request.on('error', () => {})
    await waitUntilConnected(request, isTls, connectMs)
    failureKind = 'unsent'
    beforeBody()
    failureKind = 'broken'
    request.end(body)
    return { kind: 'answered', answer: await readAnswer(request, answerMs) }
  } catch (error) {
    request?.destroy()
    return { kind: failureKind, reason: formatErrorReason(error) }
  }
}
