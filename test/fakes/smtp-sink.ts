import { createServer, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { parseArgs } from 'node:util'
import { serveConnection } from './smtp-sink-session.ts'

export type SinkStage = 'connect' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'body' | 'final' | 'rset'

/** Where a dialogue is when the sink asks how to behave. `body`: the first octets of a message are there. */
export interface SinkEvent {
  stage: SinkStage
  /** The address of RCPT, of the first one at later stages; that of MAIL at `mail`. */
  address: string
  /** How often RCPT was said for this address so far, from 1 on; 0 before RCPT. */
  attempt: number
  /** Number of the connection, from 1 on, and of the message in it. */
  connection: number
  message: number
}

/**
 * undefined: as a good server does. A reply; `afterMs` later. Anything at all, as it is. The connection ends at once,
 * or nothing more is ever said or read.
 */
export type SinkAnswer =
  | undefined
  | { code: number; text: string; afterMs?: number }
  | { raw: string }
  | 'drop'
  | 'stall'

export interface SinkMessage {
  from: string
  to: string[]
  /** What followed the address of MAIL: `SIZE=100 BODY=8BITMIME`. */
  parameters: string
  /** Empty with keep `count`. */
  bytes: Buffer
  octets: number
  connection: number
}

export interface SinkOptions {
  port?: number
  host?: string
  behave?: (event: SinkEvent) => SinkAnswer
  /** `bytes` (default) keeps every message in `messages`, `pass` only shows it to `onMessage`, `count` reads none. */
  keep?: 'bytes' | 'pass' | 'count'
  /** Called for every message taken, before the reply to it leaves. */
  onMessage?: (message: SinkMessage) => void
  /** All true but chunking. */
  pipelining?: boolean
  eightBitMime?: boolean
  smtputf8?: boolean
  chunking?: boolean
  /** Octets a message may have; 0: said without a number. */
  size?: number
  /** PEM. `starttls` offers it, `implicit` begins with it. */
  tls?: { key: string; cert: string; mode: 'starttls' | 'implicit' }
  /** AUTH PLAIN and LOGIN are offered, and MAIL is refused without them. */
  credentials?: { username: string; password: string }
}

export interface SinkCounters {
  connections: number
  messages: number
  octets: number
  refused: number
  /** Commands that came before the reply they had to wait for: PIPELINING was not offered. */
  impatient: number
  /** TLS handshakes done, and how many of them resumed a session. */
  handshakes: number
  resumed: number
}

export interface Sink {
  port: number
  counters: SinkCounters
  messages: SinkMessage[]
  /** Ends every connection as a broken network does. */
  cutAll(): void
  close(): Promise<void>
}

/** An SMTP server in process that takes what it is given, fast, or misbehaves as a test wants. Loopback only. */
export async function startSink(options: SinkOptions = {}): Promise<Sink> {
  const counters = { connections: 0, messages: 0, octets: 0, refused: 0, impatient: 0, handshakes: 0, resumed: 0 }
  const messages: SinkMessage[] = []
  const sockets = new Set<Socket>()
  const attempts = new Map<string, number>()
  const secureContext = options.tls && createSecureContext(options.tls)
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serveConnection(socket, { options, counters, messages, attempts, secureContext })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve)
  })
  const address = server.address()
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    counters,
    messages,
    cutAll,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cutAll()
      }),
  }
}

/** Behaviour by address, at RCPT: `{ 'full@a.example': '452 4.2.2 mailbox full' }`. Other addresses are accepted. */
export function refusing(replies: Record<string, string>): (event: SinkEvent) => SinkAnswer {
  return ({ stage, address }) => {
    const reply = stage === 'rcpt' ? replies[address] : undefined
    return reply === undefined ? undefined : { code: Number(reply.slice(0, 3)), text: reply.slice(4) }
  }
}

/** Behaviour that defers the first `times` attempts at the addresses that match. */
export function deferring(matches: (address: string) => boolean, times: number): (event: SinkEvent) => SinkAnswer {
  return ({ stage, address, attempt }) =>
    stage === 'rcpt' && attempt <= times && matches(address)
      ? { code: 451, text: '4.7.1 greylisted, try again later' }
      : undefined
}

// As a process of its own: prints {"port": n}, answers any message from its parent with its counters.
if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: 'string' }, chunking: { type: 'boolean' } } })
  const sink = await startSink({ port: Number(values.port ?? 0), keep: 'count', chunking: values.chunking ?? false })
  console.log(JSON.stringify({ port: sink.port }))
  process.send?.({ port: sink.port })
  process.on('message', () => process.send?.(sink.counters))
  process.on('disconnect', () => process.exit())
}
