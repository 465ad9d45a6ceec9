import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2'
import { reasonOf } from '../../lib/errors/reason.ts'
import { type Answer, NoAnswer } from '../../lib/net/guarded-client.ts'
import { type TransportRequest, Unanswered, Unprocessed } from './request.ts'
import type { Session } from './session.ts'

const { NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants

/** What an answer that did not come, or not whole, means. */
function failureOf({ lastStream }: Session, { id, rstCode }: ClientHttp2Stream, error: unknown): Error {
  // Before it has a number nothing of a request has left.
  if (id === undefined) return new Unprocessed('the connection was closed')
  if (rstCode === NGHTTP2_REFUSED_STREAM || id > lastStream) return new Unprocessed('the far side goes away')
  return new Unanswered(error === undefined ? 'the connection was closed' : reasonOf(error), true)
}

/** The whole answer to a request. Throws Unprocessed and Unanswered. */
function answerOf(session: Session, stream: ClientHttp2Stream, maxBytes: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let headers: (IncomingHttpHeaders & { ':status'?: number }) | undefined
    const chunks: Buffer[] = []
    let bytes = 0
    let isWhole = false
    let fault: unknown
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
      fault = error
    })
    // An answer that was cut off ends like a whole one: only how the stream was closed tells them apart.
    stream.once('close', () => {
      if (headers !== undefined && isWhole && !stream.aborted && stream.rstCode === NGHTTP2_NO_ERROR)
        resolve({ status: headers[':status'] ?? 0, headers, body: Buffer.concat(chunks) })
      else reject(failureOf(session, stream, fault))
    })
  })
}

function begin(session: Session, url: URL, { method, headers, body }: TransportRequest): ClientHttp2Stream {
  const hasBody = body !== undefined
  try {
    const path = `${url.pathname}${url.search}`
    const stream = session.http2.request({ ...headers, ':method': method, ':path': path }, { endStream: !hasBody })
    if (hasBody) stream.end(body)
    return stream
  } catch {
    throw new Unprocessed('the connection was closed')
  }
}

/**
 * Makes one request over HTTP/2. A connection on which no answer came in time is not used for others. Throws Unprocessed
 * and Unanswered.
 */
export async function callHttp2(session: Session, url: URL, request: TransportRequest): Promise<Answer> {
  const { timeoutMs, maxBytes } = request
  const stream = begin(session, url, request)
  const late = setTimeout(() => {
    session.retire()
    stream.destroy(new Error(`no answer within ${timeoutMs / 1000} s`))
  }, timeoutMs)
  try {
    return await answerOf(session, stream, maxBytes)
  } finally {
    clearTimeout(late)
  }
}
