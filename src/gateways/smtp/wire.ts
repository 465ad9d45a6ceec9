import { connect as connectTcp, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { reasonOf } from '../../lib/errors/reason.ts'
import type { HostGuard } from '../../lib/net/guarded-client.ts'
import { describeError, established } from '../socket.ts'
import { createReplyReader, diagnostic, type Reply, type ReplyReader } from './reply.ts'
import {
  clearReplyTimeout,
  createReplyTimeout,
  disposeReplyTimeout,
  type ReplyTimeout,
  startReplyTimeout,
} from './reply-timeout.ts'

/** How a connection failed. `tls`: it is open, but TLS failed. */
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
  guard?: HostGuard | undefined
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
 * that an unexpected reply is noticed and never taken for the answer to the next command.
 */
export interface Wire {
  /** What ended the connection; undefined while it is open. */
  fault: WireFault | undefined
  tls: TLSSocket | undefined
  readonly tcp: Socket
  /** Either of the two: the one to write to. */
  socket: Socket
  /** Replies that came before they were awaited. */
  ready: Reply[]
  /** Replies still expected. */
  due: number
  waiter: PromiseWithResolvers<Reply> | undefined
  /** Of the waiter. */
  timeout: ReplyTimeout
  /** Parses what arrives. */
  read: ReplyReader
  /** Called once when the connection ends, by either side. */
  onEnd: () => void
}

/** Octets read at once. Replies are short; what is longer comes in several reads. */
const READ_OCTETS = 4096

const seconds = (ms: number): string => `${ms / 1000} s`

/** Waits until the socket is open. Throws a WireFault of this kind. */
async function waitUntilOpen(socket: Socket, event: 'connect' | 'secureConnect', kind: FaultKind, timeoutMs: number) {
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
  disposeReplyTimeout(wire.timeout)
  const { waiter } = wire
  wire.waiter = undefined
  waiter?.reject(wire.fault)
  wire.onEnd()
}

/** An unexpected reply ends the connection: it is not certain any more which command a reply belongs to. */
function accept(wire: Wire, reply: Reply): void {
  if (wire.due === 0) {
    fail(wire, reply.code === 421 ? 'closed' : 'protocol', `unexpected reply: ${diagnostic(reply)}`)
    return
  }
  wire.due--
  const { waiter } = wire
  if (waiter === undefined) {
    wire.ready.push(reply)
    return
  }
  clearReplyTimeout(wire.timeout)
  wire.waiter = undefined
  waiter.resolve(reply)
}

/** The wire is read as latin1: every octet is a character. */
function receive(wire: Wire, text: string): void {
  if (wire.fault !== undefined) return
  const wrong = wire.read(text)
  if (wrong !== undefined) fail(wire, 'protocol', wrong)
}

function watch(wire: Wire, socket: Socket): void {
  socket.on('error', (error) => fail(wire, 'closed', describeError(error)))
  socket.on('close', () => fail(wire, 'closed', 'the connection was closed'))
}

/** How the address of the host is found. Throws a WireFault where it may not be connected to. */
function guarded(target: WireTarget): ReturnType<HostGuard> | undefined {
  try {
    return target.guard?.(target)
  } catch (error) {
    throw new WireFault('connect', reasonOf(error))
  }
}

/** Connects; the greeting is expected. Throws WireFault `connect` or `tls`. */
export async function openWire(target: WireTarget, onEnd: () => void): Promise<Wire> {
  const { host, port, signal } = target
  // Replies are read into one buffer, again and again: a stream would allocate 64 KB for each of them.
  const buffer = Buffer.allocUnsafeSlow(READ_OCTETS)
  const onread = {
    buffer,
    callback(length: number): boolean {
      receive(wire, buffer.toString('latin1', 0, length))
      return true
    },
  }
  const tcp = connectTcp({ host, port, ...guarded(target), signal, noDelay: true, keepAlive: true, onread })
  const wire: Wire = {
    ...{ fault: undefined, tls: undefined, tcp, socket: tcp, ready: [], due: 1, waiter: undefined, onEnd },
    timeout: createReplyTimeout((timeoutMs) => fail(wire, 'timeout', `no reply within ${seconds(timeoutMs)}`)),
    read: createReplyReader((reply) => accept(wire, reply)),
  }
  await waitUntilOpen(tcp, 'connect', 'connect', target.connectMs)
  watch(wire, tcp)
  if (target.tls) await startTls(wire, target.tls)
  return wire
}

/**
 * Starts TLS. What came in the clear behind the reply to STARTTLS (RFC 3207, 6) was unexpected, and has ended the
 * connection. Throws WireFault.
 */
export async function startTls(wire: Wire, { options, handshakeMs, onTicket }: WireTls): Promise<void> {
  if (wire.fault !== undefined) throw wire.fault
  const tls = connectTls({ ...options, socket: wire.tcp })
  tls.on('session', onTicket)
  wire.tls = tls
  wire.socket = tls
  wire.read = createReplyReader((reply) => accept(wire, reply))
  tls.on('data', (octets: Buffer) => receive(wire, octets.toString('latin1')))
  try {
    await waitUntilOpen(tls, 'secureConnect', 'tls', handshakeMs)
  } catch (error) {
    fail(wire, 'tls', reasonOf(error))
    throw error
  }
  watch(wire, tls)
}

/** Writes the pieces in one go; `replies` more replies are then expected. On a connection that has ended it does nothing. */
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
  wire.waiter = Promise.withResolvers()
  startReplyTimeout(wire.timeout, timeoutMs)
  return wire.waiter.promise
}

/** Ends the connection at once. */
export function cut(wire: Wire, reason: string): void {
  fail(wire, 'closed', reason)
}
