import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { Webhook } from 'standardwebhooks'
import { allowAborts } from './client-aborts.ts'

/** A request as a receiver got it. */
export interface Received {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any body.
  body: any
}

type Answering = (response: ServerResponse, nth: number) => void

/** A receiver of webhooks on loopback, whose answers can be set: 204 at first. */
export interface Receiver {
  url: string
  /** As the list of open hosts names it. */
  host: string
  received: Received[]
  /** From now on it answers like this; a number is a status. */
  answer(how: number | Answering): void
  /** Resolves when so many requests have come. */
  got(count: number): Promise<Received[]>
  close(): Promise<void>
}

/** With `secure`, a key and its certificate for `localhost`, it is reached by https. */
export async function startReceiver(secure?: { key: string; cert: string }): Promise<Receiver> {
  const received: Received[] = []
  let answering: Answering = (response) => response.writeHead(204).end()
  const waiting = new Set<() => void>()
  const listener = allowAborts(async (request: IncomingMessage, response: ServerResponse) => {
    const text = Buffer.concat(await Array.fromAsync(request)).toString()
    received.push({ headers: request.headers, text, body: JSON.parse(text) })
    for (const look of waiting) look()
    answering(response, received.length)
  })
  const server = secure ? createSecureServer(secure, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const host = `${secure ? 'localhost' : '127.0.0.1'}:${address.port}`
  return {
    url: `${secure ? 'https' : 'http'}://${host}/hook`,
    host,
    received,
    answer(how) {
      answering = typeof how === 'number' ? (response) => response.writeHead(how).end() : how
    },
    async got(count) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = () => received.length >= count && resolve()
      waiting.add(look)
      look()
      await promise
      waiting.delete(look)
      return received
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The signatures of a request that the independent implementation makes with these secrets, whatever the hour is. */
export function signaturesOf({ headers, text }: Received, secrets: readonly string[]): string {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  return secrets.map((secret) => new Webhook(secret).sign(String(headers['webhook-id']), at, text)).join(' ')
}
