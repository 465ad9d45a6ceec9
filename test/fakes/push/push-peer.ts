import {
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { connect, createServer, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** One request, whole. */
export interface PushRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** Whether the client showed a certificate that the authority of the peer signed. */
  hasCertificate: boolean
  /** Number of the connection, from 1 on. */
  connection: number
}

/** An answer, or how there is none. */
export interface PushAnswer {
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Answers so much later. */
  afterMs?: number
  /**
   * `stall`: never an answer. `reset`: the stream ends after the body. `refuse`: the stream is refused, and was not acted on.
   * `drop`: the connection ends. `cut`: half an answer. `goaway`: the connection ends after this answer. `goaway unprocessed`:
   * it ends, and this request was not acted on. `dead`: nothing comes any more on this connection.
   */
  how?: 'stall' | 'reset' | 'refuse' | 'drop' | 'cut' | 'goaway' | 'goaway unprocessed' | 'dead'
}

export interface PushPeer {
  url: string
  /** As the list of open hosts names it. */
  host: string
  /** Every push that was acted on, in order. */
  requests: PushRequest[]
  /** What was wrong with requests, for the one who reads a failed test. */
  faults: string[]
  /** What the next requests get, one after the other, before what the service itself answers. */
  plan: PushAnswer[]
  /** What every other request gets, beside what the service itself answers; called when it was acted on. */
  also?: (request: PushRequest) => PushAnswer | undefined
  connections: number
  /** Most requests that were there at once, and on one connection. */
  most: number
  mostOnOne: number
  goAway(): void
  close(): Promise<void>
}

export interface PushPeerOptions {
  tls: { key: string; cert: string }
  /** Asks for a certificate of this authority (PEM). */
  clientAuthority?: string
  maxStreams?: number
  /** What the service answers; faults are added to the list. */
  answer(request: PushRequest, fault: (text: string) => PushAnswer): PushAnswer
}

async function bodyOf(stream: ServerHttp2Stream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Answers by which the far side says that the request was not acted on. */
const UNPROCESSED = ['refuse', 'goaway unprocessed']

/** A connection as the peer sees it. */
interface Connection {
  number: number
  open: number
  /** The highest stream that was acted on, and the last one that is, once it goes away. */
  highest: number
  last: number
  /** Passes no octet any more. */
  freeze(): void
}

/** Says that no stream is acted on after the last one that was, or after this one. */
function goAwayAfter(session: ServerHttp2Session, connection: Connection, stream: number): void {
  if (connection.last !== Number.POSITIVE_INFINITY) return
  connection.last = Math.max(connection.highest, stream)
  session.goaway(constants.NGHTTP2_NO_ERROR, connection.last)
}

function endOf(stream: ServerHttp2Stream, connection: Connection, planned: PushAnswer): void {
  const { how, status = 200, headers = {}, body = '' } = planned
  const { session, id = 0 } = stream
  if (how === 'stall' || stream.destroyed || session === undefined) return
  if (how === 'dead') connection.freeze()
  else if (how === 'reset') stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  else if (how === 'refuse') stream.close(constants.NGHTTP2_REFUSED_STREAM)
  else if (how === 'drop') session.destroy()
  else if (how === 'goaway unprocessed') {
    // Nothing below a stream that was acted on may be said not to have been: then it alone is refused.
    if (connection.highest > id || connection.last >= id) stream.close(constants.NGHTTP2_REFUSED_STREAM)
    goAwayAfter(session as ServerHttp2Session, connection, Math.max(0, id - 2))
  } else {
    if (how === 'goaway') goAwayAfter(session as ServerHttp2Session, connection, id)
    stream.respond({ ':status': status, ...headers })
    if (how !== 'cut') stream.end(body)
    else stream.write('{', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR))
  }
}

/** Passes octets to a port, on connections that can be frozen by the port they come from. */
async function startFront(port: number) {
  const frozen = new Map<number, () => void>()
  const sockets = new Set<Socket>()
  const front = createServer((client) => {
    const inner = connect(port, '127.0.0.1')
    for (const socket of [client, inner]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        inner.destroy()
      })
    }
    inner.once('connect', () => {
      frozen.set(inner.localPort ?? 0, () => {
        client.unpipe(inner)
        inner.unpipe(client)
        // What comes is thrown away, as by a link that is dead.
        client.resume()
        inner.resume()
      })
      client.pipe(inner)
      inner.pipe(client)
    })
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const address = front.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    freeze: (from: number) => frozen.get(from)?.(),
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => front.close(() => resolve()))
    },
  }
}

/** Starts a push service over HTTP/2 and TLS. Loopback only. */
export async function startPushPeer({ tls, clientAuthority, maxStreams, answer }: PushPeerOptions): Promise<PushPeer> {
  const connections = new Map<ServerHttp2Session, Connection>()
  let open = 0
  const server = createSecureServer({
    ...tls,
    settings: maxStreams === undefined ? {} : { maxConcurrentStreams: maxStreams },
    ...(clientAuthority && { ca: clientAuthority, requestCert: true, rejectUnauthorized: false }),
  })
  server.on('session', (session) => {
    const from = session.socket.remotePort ?? 0
    const freeze = () => front.freeze(from)
    const last = Number.POSITIVE_INFINITY
    connections.set(session, { number: ++peer.connections, open: 0, highest: 0, last, freeze })
    session.on('error', () => undefined)
    session.once('close', () => connections.delete(session))
  })
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const connection = connections.get(stream.session as ServerHttp2Session)
    stream.on('error', () => undefined)
    if (connection !== undefined) void serve(stream, headers, connection).catch(() => undefined)
  })

  function count(stream: ServerHttp2Stream, connection: Connection): void {
    peer.most = Math.max(peer.most, ++open)
    peer.mostOnOne = Math.max(peer.mostOnOne, ++connection.open)
    stream.once('close', () => {
      open--
      connection.open--
    })
  }

  async function serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: Connection): Promise<void> {
    count(stream, connection)
    const body = await bodyOf(stream)
    const { id = 0, session } = stream
    if (id > connection.last || stream.aborted || session === undefined) return
    const request: PushRequest = {
      method: String(headers[':method']),
      path: String(headers[':path']),
      headers,
      body,
      hasCertificate: (session.socket as TLSSocket).authorized === true,
      connection: connection.number,
    }
    const isPush = request.method === 'POST' && request.path !== '/token'
    const planned = isPush ? peer.plan.shift() : undefined
    if (!UNPROCESSED.includes(planned?.how ?? '')) {
      connection.highest = Math.max(connection.highest, id)
      if (isPush) peer.requests.push(request)
    }
    const own = answer(request, (text) => {
      peer.faults.push(text)
      return { status: 400, body: JSON.stringify({ error: text }) }
    })
    const given = { ...own, ...(planned ?? (isPush ? peer.also?.(request) : undefined)) }
    if (given.afterMs === undefined) endOf(stream, connection, given)
    else setTimeout(() => endOf(stream, connection, given), given.afterMs)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const front = await startFront(typeof address === 'object' && address !== null ? address.port : 0)
  const host = `localhost:${front.port}`
  const peer: PushPeer = {
    url: `https://${host}`,
    host,
    requests: [],
    faults: [],
    plan: [],
    connections: 0,
    most: 0,
    mostOnOne: 0,
    goAway() {
      for (const [session, connection] of connections) goAwayAfter(session, connection, 0)
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const session of connections.keys()) session.destroy()
      await front.close()
      await closed
    },
  }
  return peer
}
