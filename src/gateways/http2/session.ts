import { type ClientHttp2Session, connect } from 'node:http2'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { createOutboundLookup } from '../../lib/net/guarded-client.ts'
import { waitForSocketEvent } from '../socket.ts'
import type { TransportContext } from './request.ts'

/** One connection with its requests. */
export interface Http2Session {
  http2: ClientHttp2Session
  /** Requests under way, and those that are about to begin. */
  underWay: number
  /** The last stream that the remote side processed, according to its GOAWAY; infinite before one. */
  lastStream: number
  /** True if it does not accept any more requests. */
  isOver(): boolean
  /** Number of further requests that it accepts at once. */
  room(): number
  /** Takes no more requests; those under way go on for a while. */
  retire(): void
}

const CONNECT_MS = 10_000
/** Shorter than Google keeps idle connections (4 minutes). */
const IDLE_MS = 60_000
const PING_MS = 30_000
const PING_ANSWER_MS = 10_000
/** Time limit for requests under way on a connection that does not accept new ones. */
const RETIREMENT_MS = 15_000
/** Megabytes that wait on one connection: the bodies of all requests at once. */
const SESSION_MEMORY_MB = 128

async function connectSocket(origin: URL, { reach, ca, identity }: TransportContext): Promise<TLSSocket> {
  const host = origin.hostname.replace(/^\[|\]$/g, '')
  const isName = /[^0-9.:]/.test(host) && !host.includes(':')
  const socket = connectTls({
    host,
    port: Number(origin.port || 443),
    servername: isName ? host : '',
    ALPNProtocols: ['h2', 'http/1.1'],
    lookup: createOutboundLookup(origin, reach),
    minVersion: 'TLSv1.2',
    ...(ca !== undefined && { ca }),
    ...identity,
  })
  await waitForSocketEvent(socket, 'secureConnect', CONNECT_MS)
  return socket
}

/** Resolves with the settings of the far side, which say how many requests it takes at once. */
function waitForSettings(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => session.destroy(new Error('no settings received')), CONNECT_MS)
    session.once('remoteSettings', () => {
      clearTimeout(timer)
      resolve()
    })
    session.once('error', reject)
    session.once('close', () => {
      clearTimeout(timer)
      reject(new Error('the connection was closed'))
    })
  })
}

/** Asks at times whether the connection still works, and ends it when there is no answer. */
function monitorSession(
  session: Http2Session,
  { pingMs = PING_MS, pingAnswerMs = PING_ANSWER_MS, idleMs }: TransportContext,
): void {
  const { http2 } = session
  let usedAt = performance.now()
  const pingTimers = new Set<NodeJS.Timeout>()
  const pingInterval = setInterval(() => {
    const now = performance.now()
    if (session.underWay > 0) usedAt = now
    if (now - usedAt >= (idleMs ?? IDLE_MS)) session.retire()
    if (http2.destroyed) return
    const pingTimer = setTimeout(() => http2.destroy(new Error('a ping was not answered')), pingAnswerMs)
    pingTimers.add(pingTimer)
    http2.ping(() => {
      clearTimeout(pingTimer)
      pingTimers.delete(pingTimer)
    })
  }, pingMs)
  http2.once('close', () => {
    clearInterval(pingInterval)
    for (const pingTimer of pingTimers) clearTimeout(pingTimer)
  })
}

function createSession(http2: ClientHttp2Session): Http2Session {
  let isRetired = false
  const session: Http2Session = {
    http2,
    underWay: 0,
    lastStream: Number.POSITIVE_INFINITY,
    isOver: () => isRetired || http2.closed || http2.destroyed,
    room: () => (http2.remoteSettings.maxConcurrentStreams ?? Number.POSITIVE_INFINITY) - session.underWay,
    retire() {
      if (isRetired) return
      isRetired = true
      http2.close()
      setTimeout(() => http2.destroy(), RETIREMENT_MS).unref()
    },
  }
  http2.on('goaway', (_code, lastStream) => {
    session.lastStream = Math.min(session.lastStream, lastStream)
    session.retire()
  })
  return session
}

/**
 * Connects by TLS and negotiates HTTP/2 (ALPN); `undefined` if the origin does not support it. `onChange` is called whenever the session
 * may accept more requests, or stops accepting them. Throws an Error with a one-line message.
 */
export async function openHttp2Session(
  origin: URL,
  context: TransportContext,
  onChange: () => void,
): Promise<Http2Session | undefined> {
  const socket = await connectSocket(origin, context)
  if (socket.alpnProtocol !== 'h2') {
    socket.destroy()
    return undefined
  }
  const options = { createConnection: () => socket, maxSessionMemory: SESSION_MEMORY_MB }
  const http2 = connect(origin.origin, { ...options, settings: { enablePush: false } })
  // Errors are reported by the requests.
  http2.on('error', () => undefined)
  const session = createSession(http2)
  await waitForSettings(http2)
  monitorSession(session, context)
  for (const event of ['goaway', 'close', 'remoteSettings'] as const) http2.on(event, onChange)
  return session
}
