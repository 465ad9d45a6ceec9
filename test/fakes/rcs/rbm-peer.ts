import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { type ApiRequest, type Behaviour, createBook, isWhole, type RbmBook } from './rbm-peer-api.ts'
import { makeServiceAccount, openTokenEndpoint, type ServiceAccountFile, type TokenEndpoint } from './rbm-peer-oauth.ts'

/** A peer that checks strictly what it is asked, and fails as it is told. Loopback only. */
export interface RbmPeer {
  /** Of the interface; `${url}/token` is the token endpoint. */
  url: string
  /** As the list of open hosts names it. */
  host: string
  account: ServiceAccountFile
  tokens: TokenEndpoint
  book: RbmBook
  /** The version of HTTP of every request, and the number of its connection. */
  seen: { version: string; connection: number }[]
  /** Most requests that were there at once. */
  most: number
  /** Tells every HTTP/2 connection to go away, once what is under way is answered. */
  goAway(): void
  close(): Promise<void>
}

export interface PeerOptions {
  /** A key and its certificate: it is reached by https then, over HTTP/2 or HTTP/1.1. */
  tls?: { key: string; cert: string }
  /** Whether it has HTTP/2; by default it has. */
  http2?: boolean
  account?: ServiceAccountFile
  /** The clock that its tokens go by, in milliseconds. */
  now?: () => number
}

type AnyRequest = Pick<Http2ServerRequest, 'method' | 'url' | 'httpVersion' | 'socket' | 'stream'> & {
  headers: IncomingHttpHeaders
} & AsyncIterable<Buffer>

type AnyResponse = Pick<Http2ServerResponse, 'writeHead' | 'end' | 'write'>

/** Ends the connection of a request without a word. */
function drop({ httpVersion, stream, socket }: AnyRequest): void {
  if (httpVersion === '2.0') stream.session?.destroy()
  else socket.destroy()
}

/** Connections that were told to go away: a second word with a higher number would break the protocol. */
const leaving = new WeakSet<object>()

function goAwayBefore({ stream }: AnyRequest, isProcessed: boolean): void {
  if (stream.session === undefined || leaving.has(stream.session)) return
  leaving.add(stream.session)
  // What has a higher number than the one told was not processed.
  const last = isProcessed ? (stream.id ?? 0) : Math.max(0, (stream.id ?? 0) - 2)
  stream.session.goaway(0, last)
}

function fulfil(request: AnyRequest, response: AnyResponse, behaviour: Behaviour): void {
  const { status = 200, headers = {}, body = '{}', how } = behaviour
  if (how === 'stall') return
  if (how === 'drop') {
    drop(request)
    return
  }
  if (how === 'goaway') goAwayBefore(request, true)
  if (how === 'goaway unprocessed') {
    goAwayBefore(request, false)
    return
  }
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers })
  if (how !== 'drop in the body') {
    response.end(body)
    return
  }
  response.write('{')
  setImmediate(drop, request)
}

async function bodyOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function openServer(
  { tls, http2 }: Pick<PeerOptions, 'tls' | 'http2'>,
  handle: (request: unknown, response: unknown) => void,
) {
  if (tls === undefined) return createServer(handle)
  return http2 ? createSecureServer({ ...tls, allowHTTP1: true }, handle) : createTlsServer(tls, handle)
}

/** Starts a peer. It is RBM and the token endpoint in one. */
export async function startRbmPeer({
  tls,
  http2 = true,
  account = makeServiceAccount(),
  now = Date.now,
}: PeerOptions = {}): Promise<RbmPeer> {
  const connections = new Map<Socket, number>()
  const sessions = new Set<{ goaway(): void; destroy(): void }>()
  let open = 0
  const book = createBook()

  async function serve(request: AnyRequest, response: AnyResponse): Promise<void> {
    peer.most = Math.max(peer.most, ++open)
    const body = await bodyOf(request)
    const { method = '', url = '', headers, httpVersion } = request
    // The socket of HTTP/2 is a proxy of the true one.
    const socket = (httpVersion === '2.0' ? request.stream.session?.socket : request.socket) as Socket | undefined
    const name = `${socket?.remotePort}`
    const known = [...connections].find(([one]) => `${one.remotePort}` === name)
    peer.seen.push({ version: httpVersion, connection: known?.[1] ?? 0 })
    const asked: ApiRequest = { method, url, headers, body, isSignedIn: peer.tokens.isValid(headers.authorization) }
    const isToken = url === '/token' && method === 'POST'
    const behaviour = isToken ? tokenBehaviour(body, headers['content-type']) : book.answer(asked)
    await behaviour.until
    const finish = () => {
      open--
      fulfil(request, response, behaviour)
    }
    if (behaviour.afterMs === undefined) finish()
    else setTimeout(finish, behaviour.afterMs)
  }

  function tokenBehaviour(body: string, type: string | undefined): Behaviour {
    const planned = book.planned('token')
    if (planned !== undefined && isWhole(planned)) return planned
    const { status, body: said } = peer.tokens.answer(body, type)
    return { status, body: JSON.stringify(said), ...planned }
  }

  const handle = (request: unknown, response: unknown) => {
    serve(request as AnyRequest, response as AnyResponse).catch(() => undefined)
  }
  const server = openServer({ tls, http2 }, handle)
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, connections.size + 1)
  })
  server.on('session', (session: { goaway(): void; destroy(): void; once(event: 'close', does: () => void): void }) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const host = `${tls ? 'localhost' : '127.0.0.1'}:${port}`
  const url = `${tls ? 'https' : 'http'}://${host}`
  const peer: RbmPeer = {
    url,
    host,
    account,
    tokens: openTokenEndpoint(account, () => `${url}/token`, undefined, now),
    book,
    seen: [],
    most: 0,
    goAway() {
      for (const session of sessions) session.goaway()
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const session of sessions) session.destroy()
      for (const socket of connections.keys()) socket.destroy()
      await closed
    },
  }
  return peer
}
