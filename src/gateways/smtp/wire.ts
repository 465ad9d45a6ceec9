import { connect as connectTcp, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
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
  /** Writes the pieces in one go; `replies` more replies are then due. */
  send(pieces: readonly (string | Uint8Array)[], replies: number): void
  /** The next reply. Throws WireFault when none can come, or none came in time; the wire is then cut. */
  reply(timeoutMs: number): Promise<Reply>
  /** STARTTLS: goes on over TLS. Throws WireFault. */
  upgrade(tls: WireTls): Promise<void>
  /** Cuts the connection at once. */
  cut(reason: string): void
  /** What ended the connection; undefined while it stands. */
  readonly fault: WireFault | undefined
  readonly tls: TLSSocket | undefined
  readonly localAddress: string | undefined
}

interface Waiter {
  resolve(reply: Reply): void
  reject(fault: WireFault): void
  timer: NodeJS.Timeout
}

const seconds = (ms: number): string => `${ms / 1000} s`

/** Resolves at the event, rejects with a WireFault at an error, an end, or after the time. */
function established(socket: Socket, event: 'connect' | 'secureConnect', kind: FaultKind, timeoutMs: number) {
  return new Promise<void>((resolve, reject) => {
    const fail = (message: string) => {
      socket.destroy()
      reject(new WireFault(kind, message))
    }
    const timer = setTimeout(() => fail(`no connection within ${seconds(timeoutMs)}`), timeoutMs)
    socket.once(event, () => {
      clearTimeout(timer)
      resolve()
    })
    socket.once('error', (error) => {
      clearTimeout(timer)
      fail(describe(error))
    })
    socket.once('close', () => {
      clearTimeout(timer)
      fail('the connection was closed')
    })
  })
}

/** Several addresses of one host that all fail come as one error without a message of its own. */
function describe(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((one) => String(one?.message ?? one)).join('; ')
  return error.message
}

/** Connects. `onEnd` is called once when the connection ends, whoever ends it. Throws WireFault `connect` or `tls`. */
export async function openWire(target: WireTarget, onEnd: () => void): Promise<Wire> {
  const { host, port, signal } = target
  const tcp = connectTcp({ host, port, signal, noDelay: true, keepAlive: true })
  await established(tcp, 'connect', 'connect', target.connectMs)
  const wire = wireOver(tcp, onEnd)
  if (target.tls) await wire.upgrade(target.tls)
  return wire
}

function wireOver(tcp: Socket, onEnd: () => void): Wire {
  const ready: Reply[] = []
  let socket = tcp
  let tls: TLSSocket | undefined
  let fault: WireFault | undefined
  let waiter: Waiter | undefined
  let due = 1 // the greeting

  function fail(kind: FaultKind, message: string): void {
    if (fault !== undefined) return
    fault = new WireFault(kind, message)
    socket.destroy()
    if (waiter !== undefined) {
      clearTimeout(waiter.timer)
      waiter.reject(fault)
      waiter = undefined
    }
    onEnd()
  }

  function accept(reply: Reply): void {
    if (due === 0) {
      fail(reply.code === 421 ? 'closed' : 'protocol', `unasked for: ${diagnostic(reply)}`)
      return
    }
    due--
    if (waiter === undefined) {
      ready.push(reply)
      return
    }
    clearTimeout(waiter.timer)
    waiter.resolve(reply)
    waiter = undefined
  }

  function listen(): void {
    const read = createReplyReader(accept)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      if (fault !== undefined) return
      const wrong = read(chunk)
      if (wrong !== undefined) fail('protocol', wrong)
    })
    socket.on('error', (error) => fail('closed', describe(error)))
    socket.on('close', () => fail('closed', 'the connection was closed'))
  }

  function send(pieces: readonly (string | Uint8Array)[], replies: number): void {
    due += replies
    if (fault !== undefined) return
    if (pieces.length > 1) socket.cork()
    for (const piece of pieces) socket.write(piece)
    if (pieces.length > 1) socket.uncork()
  }

  function reply(timeoutMs: number): Promise<Reply> {
    const next = ready.shift()
    if (next !== undefined) return Promise.resolve(next)
    if (fault !== undefined) return Promise.reject(fault)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail('timeout', `no reply within ${seconds(timeoutMs)}`), timeoutMs)
      waiter = { resolve, reject, timer }
    })
  }

  /** What came in the clear behind the reply to STARTTLS (RFC 3207, 6) was not due, and has ended the connection. */
  async function upgrade({ options, handshakeMs, onTicket }: WireTls): Promise<void> {
    if (fault !== undefined) throw fault
    tcp.removeAllListeners('data')
    tls = connectTls({ ...options, socket: tcp })
    tls.on('session', onTicket)
    socket = tls
    try {
      await established(tls, 'secureConnect', 'tls', handshakeMs)
    } catch (error) {
      fail('tls', error instanceof Error ? error.message : String(error))
      throw fault
    }
    listen()
  }

  listen()
  return {
    send,
    reply,
    upgrade,
    cut: (reason) => fail('closed', reason),
    get fault() {
      return fault
    },
    get tls() {
      return tls
    },
    get localAddress() {
      return tcp.localAddress
    },
  }
}
