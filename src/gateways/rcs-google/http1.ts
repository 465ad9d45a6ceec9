import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { type Answer, lookupFor, NoAnswer } from '../../lib/guarded-client.ts'
import type { TransportContext, TransportRequest } from './transport-request.ts'

export type Http1Agent = HttpAgent | HttpsAgent

/** Shorter than servers keep idle connections, so that one they are about to close is not used. */
const IDLE_MS = 4000

/** Connections to one origin over HTTP/1.1. */
export function openHttp1(origin: URL, { reach, ca, concurrency }: TransportContext): Http1Agent {
  const options = { keepAlive: true, maxSockets: concurrency, timeout: IDLE_MS, lookup: lookupFor(origin, reach) }
  return origin.protocol === 'https:'
    ? new HttpsAgent({ ...options, ...(ca !== undefined && { ca }), minVersion: 'TLSv1.2' })
    : new HttpAgent(options)
}

/** Reads a body to its end. Throws NoAnswer when it is too long. */
export async function readBody(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const kept: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new NoAnswer(`the answer has more than ${maxBytes} bytes`)
    kept.push(chunk)
  }
  return Buffer.concat(kept)
}

/** Makes one request over HTTP/1.1. Throws what the connection says. */
export async function callHttp1(
  agent: Http1Agent,
  url: URL,
  { method, headers, body, maxBytes }: TransportRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const send = agent instanceof HttpsAgent ? httpsRequest : httpRequest
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    send(url, { method, headers: { ...headers }, agent, signal }, resolve)
      .on('error', reject)
      .end(body)
  })
  try {
    const whole = await readBody(response, maxBytes)
    return { status: response.statusCode ?? 0, headers: response.headers, body: whole }
  } catch (error) {
    response.destroy()
    throw error
  }
}
