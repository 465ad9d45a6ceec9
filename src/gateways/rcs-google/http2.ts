import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2'
import { connect as connectTls } from 'node:tls'
import { type Answer, lookupFor, NoAnswer } from '../../lib/guarded-client.ts'
import { established } from '../socket.ts'
import type { TransportContext, TransportRequest } from './transport-request.ts'

/** The far side did not process the request: it may be sent again on another connection. */
export class RefusedStream extends Error {}

/** One connection with its requests. */
export interface Http2Connection {
  session: ClientHttp2Session
  /** Whether it takes no more requests. */
  isOver(): boolean
  /** Takes no more requests; those under way go on for a while. */
  retire(): void
  destroy(): void
}

const CONNECT_MS = 10_000
/** Shorter than Google keeps idle connections (4 minutes). */
const IDLE_MS = 60_000
/** How long requests under way may take on a connection that takes no more. */
const RETIRING_MS = 15_000
/** Megabytes that wait on one connection: the bodies of all requests at once. */
const SESSION_MEMORY_MB = 128

const { NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants

function connectionOf(session: ClientHttp2Session): Http2Connection {
  let isRetired = false
  function retire(): void {
    if (isRetired) return
    isRetired = true
    session.close()
    setTimeout(() => session.destroy(), RETIRING_MS).unref()
  }
  // What went wrong is told by the requests.
  session.on('error', () => undefined)
  session.once('goaway', retire)
  session.setTimeout(IDLE_MS, retire)
  return {
    session,
    isOver: () => isRetired || session.closed || session.destroyed,
    retire,
    destroy: () => session.destroy(),
  }
}

/** Connects by TLS and asks for HTTP/2 (ALPN); undefined when the origin has none. Throws Error with a line of text. */
export async function openHttp2(origin: URL, { reach, ca }: TransportContext): Promise<Http2Connection | undefined> {
  const host = origin.hostname.replace(/^\[|\]$/g, '')
  const isName = /[^0-9.:]/.test(host) && !host.includes(':')
  const socket = connectTls({
    host,
    port: Number(origin.port || 443),
    servername: isName ? host : '',
    ALPNProtocols: ['h2', 'http/1.1'],
    lookup: lookupFor(origin, reach),
    minVersion: 'TLSv1.2',
    ...(ca !== undefined && { ca }),
  })
  await established(socket, 'secureConnect', CONNECT_MS)
  if (socket.alpnProtocol !== 'h2') {
    socket.destroy()
    return undefined
  }
  const options = { createConnection: () => socket, maxSessionMemory: SESSION_MEMORY_MB }
  return connectionOf(connect(origin.origin, options))
}

/** The whole answer to a request. Throws RefusedStream, NoAnswer, and what the connection says. */
function answerOf(stream: ClientHttp2Stream, maxBytes: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let headers: (IncomingHttpHeaders & { ':status'?: number }) | undefined
    const chunks: Buffer[] = []
    let bytes = 0
    let isWhole = false
    stream.once('response', (received) => {
      headers = received
    })
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) stream.destroy(new NoAnswer(`the answer has more than ${maxBytes} bytes`))
      else chunks.push(chunk)
    })
    stream.once('end', () => {
      isWhole = true
    })
    stream.once('error', (error) => {
      const isRefused = stream.rstCode === NGHTTP2_REFUSED_STREAM
      reject(isRefused ? new RefusedStream('the far side goes away') : error)
    })
    // An answer that was cut off ends like a whole one: only how the stream was closed tells them apart.
    stream.once('close', () => {
      if (headers !== undefined && isWhole && !stream.aborted && stream.rstCode === NGHTTP2_NO_ERROR)
        resolve({ status: headers[':status'] ?? 0, headers, body: Buffer.concat(chunks) })
      else if (stream.rstCode === NGHTTP2_REFUSED_STREAM) reject(new RefusedStream('the far side goes away'))
      else reject(new Error('the connection was closed'))
    })
  })
}

/** Makes one request over HTTP/2. A connection on which no answer came in time is not used for others. */
export async function callHttp2(
  connection: Http2Connection,
  url: URL,
  { method, headers, body, maxBytes }: TransportRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const hasBody = body !== undefined
  const stream = connection.session.request(
    { ...headers, ':method': method, ':path': `${url.pathname}${url.search}` },
    { endStream: !hasBody, signal },
  )
  if (hasBody) stream.end(body)
  try {
    return await answerOf(stream, maxBytes)
  } catch (error) {
    if (signal.aborted) connection.retire()
    throw error
  }
}
