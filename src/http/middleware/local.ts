import type { IncomingMessage } from 'node:http'
import { isLoopbackHost } from '../../lib/net/loopback.ts'

/** A proxy on this machine is a loopback peer, too: these headers show that a request came through one. */
const PROXY_HEADER = /^(forwarded|x-forwarded-.*|via|x-real-ip)$/

/**
 * Whether a request was made on this machine, to this machine: its connection and its Host are local (a foreign name that
 * resolves to this machine is DNS rebinding from a page in a local browser), and no proxy forwarded it.
 */
export function isLocalRequest({
  socket,
  headers,
}: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string } }): boolean {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? ''
  return (
    (peer === '::1' || isLoopbackHost(peer)) &&
    isLoopbackHost(host) &&
    !Object.keys(headers).some((name) => PROXY_HEADER.test(name))
  )
}
