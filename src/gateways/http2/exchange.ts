import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import { NoAnswerError, type OutboundAnswer } from '../../lib/net/guarded-client.ts'
import { type TransportRequest, UnansweredRequest, UnprocessedRequest } from './request.ts'
import type { Http2Session } from './session.ts'

const { NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants

/** Classifies an answer that is missing or incomplete. */
function classifyFailure({ lastStream }: Http2Session, { id, rstCode }: ClientHttp2Stream, error: unknown): Error {
  // Before it has a number nothing of a request has left.
  if (id === undefined) return new UnprocessedRequest('the connection was closed')
  if (rstCode === NGHTTP2_REFUSED_STREAM || id > lastStream)
    return new UnprocessedRequest('the remote side is closing the connection')
  return new UnansweredRequest(error === undefined ? 'the connection was closed' : formatErrorReason(error), true)
}

/** The whole answer to a request. Throws Unprocessed and Unanswered. */
function readAnswer(session: Http2Session, stream: ClientHttp2Stream, maxBytes: number): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    let headers: (IncomingHttpHeaders & { ':status'?: number }) | undefined
    const chunks: Buffer[] = []
    let receivedBytes = 0
    let isWhole = false
    let streamError: unknown
    stream.once('response', (received) => {
      headers = received
    })
    stream.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length
      if (receivedBytes > maxBytes) stream.destroy(new NoAnswerError(`the answer has more than ${maxBytes} bytes`))
      else chunks.push(chunk)
    })
    stream.once('end', () => {
      isWhole = true
    })
    stream.once('error', (error) => {
      streamError = error
    })
    // A truncated answer ends like a complete one. Only the way the stream was closed distinguishes them.
    stream.once('close', () => {
      if (headers !== undefined && isWhole && !stream.aborted && stream.rstCode === NGHTTP2_NO_ERROR)
        resolve({ status: headers[':status'] ?? 0, headers, body: Buffer.concat(chunks) })
      else reject(classifyFailure(session, stream, streamError))
    })
  })
}

function openStream(session: Http2Session, url: URL, { method, headers, body }: TransportRequest): ClientHttp2Stream {
  const hasBody = body !== undefined
  try {
    const path = `${url.pathname}${url.search}`
    const stream = session.http2.request({ ...headers, ':method': method, ':path': path }, { endStream: !hasBody })
    if (hasBody) stream.end(body)
    return stream
  } catch {
    throw new UnprocessedRequest('the connection was closed')
  }
}

/**
 * Makes one request over HTTP/2. A connection on which no answer came in time is not used for others. Throws Unprocessed
 * and Unanswered.
 */
export async function requestOverHttp2(
  session: Http2Session,
  url: URL,
  request: TransportRequest,
): Promise<OutboundAnswer> {
  const { timeoutMs, maxBytes } = request
  const stream = openStream(session, url, request)
  const answerTimer = setTimeout(() => {
    session.retire()
    stream.destroy(new Error(`no answer within ${timeoutMs / 1000} s`))
  }, timeoutMs)
  try {
    return await readAnswer(session, stream, maxBytes)
  } finally {
    clearTimeout(answerTimer)
  }
}
