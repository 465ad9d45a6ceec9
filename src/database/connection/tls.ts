import { connect } from 'node:net'
import { parseDatabaseTlsMode } from '../../lib/net/database-url.ts'

/** What a client sends to ask for TLS (PostgreSQL, "SSLRequest"), and the byte of a server that offers it. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const OFFERED = 'S'.charCodeAt(0)
const PORT = 5432

/** Whether the server of an address offers TLS. Rejects when it does not answer in time. */
async function offersTls({ hostname, port }: URL, timeoutMs: number): Promise<boolean> {
  const socket = connect({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) || PORT })
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('timeout expired')))
  socket.write(SSL_REQUEST)
  for await (const answer of socket) return (answer as Buffer)[0] === OFFERED
  throw new Error('Connection terminated unexpectedly')
}

/** Addresses without a host, or with the path of a socket as their host, lead to this machine: there is no TLS. */
function isLocalSocket({ hostname, searchParams }: URL): boolean {
  return hostname === '' || hostname.includes('%2F') || hostname.includes('%2f') || searchParams.has('host')
}

/** An address that leaves it to the server whether TLS is used (`prefer`, `allow`, no `sslmode`), with what the server said. */
export async function resolveDatabaseTls(url: string, timeoutMs: number): Promise<string> {
  const address = new URL(url)
  const mode = parseDatabaseTlsMode(address)
  if (mode !== 'prefer' && mode !== 'allow') return url
  const isEncrypted = !isLocalSocket(address) && (await offersTls(address, timeoutMs))
  // With an authority, `require` would check who the server is.
  address.searchParams.delete('sslrootcert')
  address.searchParams.set('sslmode', isEncrypted ? 'require' : 'disable')
  return address.href
}

/** The address as pg takes it, which reads the words of libpq in a way of its own unless it is told not to. */
export function toPgConnectionString(url: string): string {
  const address = new URL(url)
  if (address.searchParams.get('sslrootcert') === 'system') {
    address.searchParams.delete('sslrootcert')
    address.searchParams.set('sslmode', 'verify-full')
  }
  address.searchParams.set('uselibpqcompat', 'true')
  return address.href
}
