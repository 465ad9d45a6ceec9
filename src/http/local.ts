import type { IncomingMessage } from 'node:http'
import { isLoopbackHost } from '../lib/loopback.ts'

/** A proxy on this machine is a loopback peer, too: what it adds tells it from a person at the machine. */
const PROXY_HEADER = /^(forwarded|x-forwarded-.*|via|x-real-ip)$/

/**
 * Whether a request was made on this machine, to this machine: by its connection, by the Host it names (another name that
 * leads here is a page of somebody else's, in the browser of somebody here), and by no proxy.
 */
export function isLocal({
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
