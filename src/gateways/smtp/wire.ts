import { connect as connectTcp, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { OutboundHostGuard } from '../../lib/net/guarded-client.ts'
import { describeSocketError, waitForSocketEvent } from '../socket.ts'
import { createSmtpReplyReader, formatReplyDiagnostic, type SmtpReply, type SmtpReplyReader } from './reply.ts'
import {
  clearReplyTimeout,
  createReplyTimeout,
  disposeReplyTimeout,
  type ReplyTimeout,
  startReplyTimeout,
} from './reply-timeout.ts'

/** Cause of a failed connection. `tls`: it was opened, but TLS failed. */
export type SmtpWireFaultKind = 'connect' | 'closed' | 'timeout' | 'protocol' | 'tls'

/** A connection that cannot be used any more, or was never there. Stays inside the gateway. */
export class SmtpWireFault extends Error {
  readonly kind: SmtpWireFaultKind

  constructor(kind: SmtpWireFaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

export interface SmtpWireTarget {
  host: string
  port: number
  connectMs: number
  /** Cuts the connection, at any time. */
  signal: AbortSignal
  guard?: OutboundHostGuard | undefined
  /** Present: TLS from the first byte. */
  tls?: SmtpWireTls
}

export interface SmtpWireTls {
  options: ConnectionOptions
  handshakeMs: number
  /** Called with every session the peer offers for resumption. */
  onTicket(ticket: Buffer): void
}

/**
 * One connection: commands out, replies in, in order. Every command says how many replies it will be answered with, so
 * that an unexpected reply is noticed and never taken for the answer to the next command.
 */
export interface SmtpWire {
  /** The fault that ended the connection; `undefined` while it is open. */
  fault: SmtpWireFault | undefined
  tls: TLSSocket | undefined
  readonly tcp: Socket
  /** Either of the two: the one to write to. */
  socket: Socket
  /** Replies that came before they were awaited. */
  ready: SmtpReply[]
  /** Replies still expected. */
  due: number
  waiter: PromiseWithResolvers<SmtpReply> | undefined
  /** Time-out of the waiter. */
  timeout: ReplyTimeout
  /** Parses what arrives. */
  read: SmtpReplyReader
  /** Called once when the connection ends, by either side. */
  onEnd: () => void
}

/** Octets read at once. Replies are short; what is longer comes in several reads. */
const READ_BUFFER_OCTETS = 4096

const formatSeconds = (ms: number): string => `${ms / 1000} s`

/** Waits until the socket is open. Throws a SmtpWireFault of this kind. */
async function waitUntilOpen(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  kind: SmtpWireFaultKind,
  timeoutMs: number,
) {
  try {
    await waitForSocketEvent(socket, event, timeoutMs)
  } catch (error) {
    throw new SmtpWireFault(kind, formatErrorReason(error))
  }
}

function failWire(wire: SmtpWire, kind: SmtpWireFaultKind, message: string): void {
  if (wire.fault !== undefined) return
  wire.fault = new SmtpWireFault(kind, message)
  wire.socket.destroy()
  wire.tcp.destroy()
  disposeReplyTimeout(wire.timeout)
  const { waiter } = wire
  wire.waiter = undefined
  waiter?.reject(wire.fault)
  wire.onEnd()
}

/** An unexpected reply ends the connection: it is not certain any more which command a reply belongs to. */
function acceptReply(wire: SmtpWire, reply: SmtpReply): void {
  if (wire.due === 0) {
    failWire(wire, reply.code === 421 ? 'closed' : 'protocol', `unexpected reply: ${formatReplyDiagnostic(reply)}`)
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
function receiveText(wire: SmtpWire, text: string): void {
  if (wire.fault !== undefined) return
  const parserFault = wire.read(text)
  if (parserFault !== undefined) failWire(wire, 'protocol', parserFault)
}

function watchSocket(wire: SmtpWire, socket: Socket): void {
  socket.on('error', (error) => failWire(wire, 'closed', describeSocketError(error)))
  socket.on('close', () => failWire(wire, 'closed', 'the connection was closed'))
}

/** Resolves the connection options of the host. Throws a SmtpWireFault if connecting to it is not allowed. */
function resolveConnectOptions(target: SmtpWireTarget): ReturnType<OutboundHostGuard> | undefined {
  try {
    return target.guard?.(target)
  } catch (error) {
    throw new SmtpWireFault('connect', formatErrorReason(error))
  }
}

/** Connects; the greeting is expected. Throws SmtpWireFault `connect` or `tls`. */
export async function openSmtpWire(target: SmtpWireTarget, onEnd: () => void): Promise<SmtpWire> {
  const { host, port, signal } = target
  // Replies are read into one buffer, again and again: a stream would allocate 64 KB for each of them.
  const buffer = Buffer.allocUnsafeSlow(READ_BUFFER_OCTETS)
  const onread = {
    buffer,
    callback(length: number): boolean {
      receiveText(wire, buffer.toString('latin1', 0, length))
      return true
    },
  }
  const tcp = connectTcp({
    host,
    port,
    ...resolveConnectOptions(target),
    signal,
    noDelay: true,
    keepAlive: true,
    onread,
  })
  const wire: SmtpWire = {
    fault: undefined,
    tls: undefined,
    tcp,
    socket: tcp,
    ready: [],
    due: 1,
    waiter: undefined,
    onEnd,
    timeout: createReplyTimeout((timeoutMs) =>
      failWire(wire, 'timeout', `no reply within ${formatSeconds(timeoutMs)}`),
    ),
    read: createSmtpReplyReader((reply) => acceptReply(wire, reply)),
  }
  await waitUntilOpen(tcp, 'connect', 'connect', target.connectMs)
  watchSocket(wire, tcp)
  if (target.tls) await startSmtpTls(wire, target.tls)
  return wire
}

/**
 * Starts TLS. What came in the clear behind the reply to STARTTLS (RFC 3207, 6) was unexpected, and has ended the
 * connection. Throws SmtpWireFault.
 */
export async function startSmtpTls(wire: SmtpWire, { options, handshakeMs, onTicket }: SmtpWireTls): Promise<void> {
  if (wire.fault !== undefined) throw wire.fault
  const tls = connectTls({ ...options, socket: wire.tcp })
  tls.on('session', onTicket)
  wire.tls = tls
  wire.socket = tls
  wire.read = createSmtpReplyReader((reply) => acceptReply(wire, reply))
  tls.on('data', (octets: Buffer) => receiveText(wire, octets.toString('latin1')))
  try {
    await waitUntilOpen(tls, 'secureConnect', 'tls', handshakeMs)
  } catch (error) {
    failWire(wire, 'tls', formatErrorReason(error))
    throw error
  }
  watchSocket(wire, tls)
}

/** Writes the pieces in one go; `replies` more replies are then expected. On a connection that has ended it does nothing. */
export function transmitSmtp(wire: SmtpWire, pieces: readonly (string | Uint8Array)[], replies: number): void {
  const { socket } = wire
  wire.due += replies
  if (wire.fault !== undefined) return
  if (pieces.length > 1) socket.cork()
  for (const piece of pieces) socket.write(piece)
  if (pieces.length > 1) socket.uncork()
}

/** The next reply. Throws SmtpWireFault when none can come, or none came in time; the connection is then cut. */
export function readNextSmtpReply(wire: SmtpWire, timeoutMs: number): Promise<SmtpReply> {
  const readyReply = wire.ready.shift()
  if (readyReply !== undefined) return Promise.resolve(readyReply)
  if (wire.fault !== undefined) return Promise.reject(wire.fault)
  wire.waiter = Promise.withResolvers()
  startReplyTimeout(wire.timeout, timeoutMs)
  return wire.waiter.promise
}

/** Ends the connection at once. */
export function cutSmtpWire(wire: SmtpWire, reason: string): void {
  failWire(wire, 'closed', reason)
}
