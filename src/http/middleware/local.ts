import type { IncomingMessage } from 'node:http'
import { isLoopbackHost } from '../../lib/net/loopback.ts'

/** A proxy on this machine is a loopback peer as well: these headers show that a request came through one. */
const PROXY_HEADER_NAME = /^(forwarded|x-forwarded-.*|via|x-real-ip)$/

/**
 * Returns true if a request was made on this machine to this machine: its connection and its Host are local (a foreign name that resolves
 * to this machine is DNS rebinding from a page in a local browser), and no proxy forwarded it.
 */
export function isLocalRequest({
  socket,
  headers,
}: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string } }): boolean {
  const peerAddress = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const hostName = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? ''
  return (
    (peerAddress === '::1' || isLoopbackHost(peerAddress)) &&
    isLoopbackHost(hostName) &&
    !Object.keys(headers).some((name) => PROXY_HEADER_NAME.test(name))
  )
}
