import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a database that can be cut, as if the server were stopped. */
export interface DatabaseProxy {
  /** Of the same database, by way of the proxy. */
  url: string
  /** Ends every connection and refuses new ones. */
  cut(): void
  /** Passes nothing on and refuses nothing. */
  freeze(): void
  /** The next commit reaches the server, but its answer is lost with the connection; then as `cut`. */
  cutAtCommit(): void
  restore(): void
  close(): Promise<void>
}

/** A commit, or the one statement of hits, which is a transaction of its own. */
const COMMITS = /^Q....commit\0|append-hits\0/s

type Mode = 'open' | 'cut' | 'frozen' | 'cutting at commit'

/** Listens on a free port of the loopback. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl)
  const pairs = new Set<[client: Socket, server: Socket]>()
  let mode: Mode = 'open'

  const listener = createServer((client) => {
    client.on('error', () => undefined)
    if (mode === 'cut') return void client.destroy()
    const server = connect(Number(port), hostname).on('error', () => undefined)
    const pair: [Socket, Socket] = [client, server]
    pairs.add(pair)
    client.on('data', (bytes) => {
      if (mode === 'frozen') return
      server.write(bytes)
      if (mode === 'cutting at commit' && COMMITS.test(bytes.toString('latin1'))) {
        mode = 'cut'
        client.destroy()
      }
    })
    server.on('data', (bytes) => {
      if (mode === 'open' || mode === 'cutting at commit') client.write(bytes)
    })
    // The server gets to the end of what it was given before it notices that the connection is gone.
    client.on('close', () => {
      pairs.delete(pair)
      server.end()
    })
    server.on('close', () => client.destroy())
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((listener.address() as AddressInfo).port)

  function endAll(): void {
    for (const [client] of pairs) client.destroy()
  }
  return {
    url: url.href,
    cut() {
      mode = 'cut'
      endAll()
    },
    freeze() {
      mode = 'frozen'
    },
    cutAtCommit() {
      mode = 'cutting at commit'
    },
    restore() {
      // A connection that was frozen has lost words: it cannot go on.
      if (mode === 'frozen') endAll()
      mode = 'open'
    },
    async close() {
      endAll()
      listener.close()
      await once(listener, 'close')
    },
  }
}
