import { createServer, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { parseArgs } from 'node:util'
import { serveConnection } from './smtp-sink-session.ts'
import type { SinkAnswer, SinkCounters, SinkEvent, SinkMessage, SinkOptions } from './smtp-sink-types.ts'

export type { SinkAnswer, SinkCounters, SinkEvent, SinkMessage, SinkOptions }

export interface Sink {
  port: number
  counters: SinkCounters
  messages: SinkMessage[]
  /** How many connections are open. */
  open(): number
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
    open: () => sockets.size,
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
