import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { allowAborts } from '../web/client-aborts.ts'

export interface PeerRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  /** Number of the connection, from 1 on. */
  connection: number
}

/**
 * An answer, once `until` is over, and `afterMs` later; or the connection ends once the request is read (`drop`) or within the body of the answer (`drop in the body`),
 * or there is never an answer (`stall`).
 */
export type PeerAnswer =
  | { status?: number; headers?: Record<string, string>; body?: string; until?: Promise<unknown>; afterMs?: number }
  | 'drop'
  | 'drop in the body'
  | 'stall'

export interface SmsHttpPeer {
  port: number
  requests: PeerRequest[]
  /** The most requests that were open at once. */
  most: number
  close(): Promise<void>
}

/** A server of an HTTP interface for SMS, in process, which answers as a test says. Loopback only. */
export async function startSmsHttpPeer(
  answerTo: (request: PeerRequest, n: number) => PeerAnswer = () => ({ body: '{}' }),
  tls?: { key: string; cert: string },
): Promise<SmsHttpPeer> {
  const connections = new Map<Socket, number>()
  let open = 0
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    peer.most = Math.max(peer.most, ++open)
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { method = '', url = '', headers, socket } = request
    const asked = { method, url, headers, body, connection: connections.get(socket) ?? 0 }
    peer.requests.push(asked)
    const answer = answerTo(asked, peer.requests.length)
    if (answer === 'stall') return
    if (answer === 'drop') {
      socket.destroy()
      return
    }
    if (answer === 'drop in the body') {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{')
      setImmediate(() => socket.destroy())
      return
    }
    await answer.until
    const finish = () => {
      open--
      response.writeHead(answer.status ?? 200, answer.headers)
      response.end(answer.body ?? '')
    }
    if (answer.afterMs === undefined) setImmediate(finish)
    else setTimeout(finish, answer.afterMs)
  }

  const server = tls ? createTlsServer(tls, allowAborts(serve)) : createServer(allowAborts(serve))
  server.on(tls ? 'secureConnection' : 'connection', (socket) => {
    connections.set(socket, connections.size + 1)
  })
  const peer: SmsHttpPeer = {
    port: 0,
    requests: [],
    most: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  peer.port = typeof address === 'object' && address !== null ? address.port : 0
  return peer
}
