import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { createOutboundLookup, NoAnswerError, type OutboundAnswer } from '../../lib/net/guarded-client.ts'
import { describeSocketError } from '../socket.ts'
import { type TransportContext, type TransportRequest, UnansweredRequest } from './request.ts'

export type Http1Agent = HttpAgent | HttpsAgent

/** Shorter than servers keep idle connections, so that one they are about to close is not used. */
const IDLE_MS = 4000
const CONNECT_MS = 10_000

/** Connections to one origin over HTTP/1.1. */
export function openHttp1Agent(origin: URL, { reach, ca, identity, concurrency }: TransportContext): Http1Agent {
  const options = {
    keepAlive: true,
    maxSockets: concurrency,
    timeout: IDLE_MS,
    lookup: createOutboundLookup(origin, reach),
  }
  return origin.protocol === 'https:'
    ? new HttpsAgent({ ...options, ...(ca !== undefined && { ca }), ...identity, minVersion: 'TLSv1.2' })
    : new HttpAgent(options)
}

/** Resolves when the connection is there, before the request is sent. */
function waitUntilConnected(request: ClientRequest, isTls: boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  request.once('error', reject)
  request.once('close', () => reject(new Error('the connection was closed')))
  request.once('socket', (socket) => {
    if (request.reusedSocket || (!socket.connecting && !isTls)) {
      resolve()
      return
    }
    const onTimeout = () => request.destroy(new Error(`no connection within ${CONNECT_MS / 1000} s`))
    const timer = setTimeout(onTimeout, CONNECT_MS)
    request.once('close', () => clearTimeout(timer))
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  return promise
}

/** Reads a body to its end. Throws NoAnswerError when it is too long. */
async function readBody(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const bodyChunks: Buffer[] = []
  let receivedBytes = 0
  for await (const chunk of chunks) {
    receivedBytes += chunk.length
    if (receivedBytes > maxBytes) throw new NoAnswerError(`the answer has more than ${maxBytes} bytes`)
    bodyChunks.push(chunk)
  }
  return Buffer.concat(bodyChunks)
}

/** The whole answer to a request that was sent. */
async function readAnswer(request: ClientRequest, { timeoutMs, maxBytes }: TransportRequest): Promise<OutboundAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request.once('response', resolve)
  request.once('error', reject)
  request.once('close', () => reject(new Error('the connection was closed')))
  const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
  try {
    const response = await promise
    const body = await readBody(response, maxBytes)
    return { status: response.statusCode ?? 0, headers: response.headers, body }
  } finally {
    clearTimeout(timer)
  }
}

/** Makes one request over HTTP/1.1. Throws Unanswered, and what `beforeWrite` throws. */
export async function requestOverHttp1(
  agent: Http1Agent,
  url: URL,
  transportRequest: TransportRequest,
  { beforeWrite, signal }: { beforeWrite: () => Promise<void>; signal: AbortSignal },
): Promise<OutboundAnswer> {
  const { method, headers, body } = transportRequest
  const isTls = agent instanceof HttpsAgent
  const request = (isTls ? httpsRequest : httpRequest)(url, { method, headers: { ...headers }, agent, signal })
  // Errors after the exchange has ended are of no interest.
  request.on('error', () => undefined)
  let stage: 'connecting' | 'announcing' | 'ready' | 'written' = 'connecting'
  try {
    await waitUntilConnected(request, isTls)
    stage = 'announcing'
    await beforeWrite()
    stage = 'ready'
    if (request.destroyed) throw new Error('the connection was closed')
    stage = 'written'
    const answer = readAnswer(request, transportRequest)
    request.end(body)
    return await answer
  } catch (error) {
    request.destroy()
    if ((stage as string) === 'announcing') throw error
    const reason = error instanceof Error ? describeSocketError(error) : 'the connection failed'
    throw new UnansweredRequest(reason, (stage as string) === 'written')
  }
}
