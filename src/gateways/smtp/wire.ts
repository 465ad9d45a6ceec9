import { connect as connectTcp, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { reasonOf } from '../reason.ts'
import { describeError, established } from '../socket.ts'
import { createReplyReader, diagnostic, type Reply } from './reply.ts'

/** How a connection failed. `tls`: it stands, but cannot be made private. */
export type FaultKind = 'connect' | 'closed' | 'timeout' | 'protocol' | 'tls'

/** A connection that cannot be used any more, or was never there. Stays inside the gateway. */
export class WireFault extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

export interface WireTarget {
  host: string
  port: number
  connectMs: number
  /** Cuts the connection, at any time. */
  signal: AbortSignal
  /** Present: TLS from the first byte. */
  tls?: WireTls
}

export interface WireTls {
  options: ConnectionOptions
  handshakeMs: number
  /** Called with every session the peer offers for resumption. */
  onTicket(ticket: Buffer): void
}

/**
 * One connection: commands out, replies in, in order. Every command says how many replies it will be answered with, so
 * that a reply nobody asked for is seen as such and never taken for the answer to the next command.
 */
export interface Wire {
  /** What ended the connection; undefined while it stands. */
  fault: WireFault | undefined
  tls: TLSSocket | undefined
  readonly tcp: Socket
  /** Either of the two: where to write. */
  socket: Socket
  /** Replies that came before they were waited for. */
  ready: Reply[]
  /** Replies that are still to come. */
  due: number
  waiter: Waiter | undefined
  /** Called once when the connection ends, whoever ends it. */
  onEnd: () => void
}

interface Waiter {
  resolve(reply: Reply): void
  reject(fault: WireFault): void
  timer: NodeJS.Timeout
}

const seconds = (ms: number): string => `${ms / 1000} s`

/** The socket stands, or a WireFault of this kind says why not. */
async function stand(socket: Socket, event: 'connect' | 'secureConnect', kind: FaultKind, timeoutMs: number) {
  try {
    await established(socket, event, timeoutMs)
  } catch (error) {
    throw new WireFault(kind, reasonOf(error))
  }
}

function fail(wire: Wire, kind: FaultKind, message: string): void {
  if (wire.fault !== undefined) return
  wire.fault = new WireFault(kind, message)
  wire.socket.destroy()
  wire.tcp.destroy()
  const { waiter } = wire
  wire.waiter = undefined
  clearTimeout(waiter?.timer)
  waiter?.reject(wire.fault)
  wire.onEnd()
}

/** A reply that is not due ends the connection: from then on it is not sure which command a reply belongs to. */
function accept(wire: Wire, reply: Reply): void {
  if (wire.due === 0) {
    fail(wire, reply.code === 421 ? 'closed' : 'protocol', `unasked for: ${diagnostic(reply)}`)
    return
  }
  wire.due--
  const { waiter } = wire
  wire.waiter = undefined
  clearTimeout(waiter?.timer)
  if (waiter === undefined) wire.ready.push(reply)
  else waiter.resolve(reply)
}

function listen(wire: Wire): void {
  const { socket } = wire
  const read = createReplyReader((reply) => accept(wire, reply))
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    if (wire.fault !== undefined) return
    const wrong = read(chunk)
    if (wrong !== undefined) fail(wire, 'protocol', wrong)
  })
  socket.on('error', (error) => fail(wire, 'closed', describeError(error)))
  socket.on('close', () => fail(wire, 'closed', 'the connection was closed'))
}

/** Connects; the greeting is due. Throws WireFault `connect` or `tls`. */
export async function openWire(target: WireTarget, onEnd: () => void): Promise<Wire> {
  const { host, port, signal } = target
  const tcp = connectTcp({ host, port, signal, noDelay: true, keepAlive: true })
  await stand(tcp, 'connect', 'connect', target.connectMs)
  const state = { fault: undefined, tls: undefined, ready: [], due: 1, waiter: undefined }
  const wire: Wire = { ...state, tcp, socket: tcp, onEnd }
  listen(wire)
  if (target.tls) await goPrivate(wire, target.tls)
  return wire
}

/**
 * Goes on over TLS. What came in the clear behind the reply to STARTTLS (RFC 3207, 6) was not due, and has ended the
 * connection. Throws WireFault.
 */
export async function goPrivate(wire: Wire, { options, handshakeMs, onTicket }: WireTls): Promise<void> {
  if (wire.fault !== undefined) throw wire.fault
  wire.tcp.removeAllListeners('data')
  const tls = connectTls({ ...options, socket: wire.tcp })
  tls.on('session', onTicket)
  wire.tls = tls
  wire.socket = tls
  try {
    await stand(tls, 'secureConnect', 'tls', handshakeMs)
  } catch (error) {
    fail(wire, 'tls', reasonOf(error))
    throw error
  }
  listen(wire)
}

/** Writes the pieces in one go; `replies` more replies are then due. On a connection that has ended it does nothing. */
export function transmit(wire: Wire, pieces: readonly (string | Uint8Array)[], replies: number): void {
  const { socket } = wire
  wire.due += replies
  if (wire.fault !== undefined) return
  if (pieces.length > 1) socket.cork()
  for (const piece of pieces) socket.write(piece)
  if (pieces.length > 1) socket.uncork()
}

/** The next reply. Throws WireFault when none can come, or none came in time; the connection is then cut. */
export function nextReply(wire: Wire, timeoutMs: number): Promise<Reply> {
  const next = wire.ready.shift()
  if (next !== undefined) return Promise.resolve(next)
  if (wire.fault !== undefined) return Promise.reject(wire.fault)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(wire, 'timeout', `no reply within ${seconds(timeoutMs)}`), timeoutMs)
    wire.waiter = { resolve, reject, timer }
  })
}

/** Ends the connection at once. */
export function cut(wire: Wire, reason: string): void {
  fail(wire, 'closed', reason)
}
