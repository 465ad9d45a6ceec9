import { connect } from 'node:net'
import { parseDatabaseTlsMode } from '../../lib/net/database-url.ts'

/** The message with which a client requests TLS (PostgreSQL, "SSLRequest"), and the byte with which a server offers it. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const TLS_OFFERED_BYTE = 'S'.charCodeAt(0)
const DEFAULT_PORT = 5432

/** Returns true if the server of an address offers TLS. Rejects if it does not answer in time. */
async function offersTls({ hostname, port }: URL, timeoutMs: number): Promise<boolean> {
  const socket = connect({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) || DEFAULT_PORT })
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('timeout expired')))
  socket.write(SSL_REQUEST)
  for await (const serverReply of socket) return (serverReply as Buffer)[0] === TLS_OFFERED_BYTE
  throw new Error('Connection terminated unexpectedly')
}

/** Addresses without a host, or with the path of a socket as their host, lead to this machine: there is no TLS. */
function isLocalSocket({ hostname, searchParams }: URL): boolean {
  return hostname === '' || hostname.includes('%2F') || hostname.includes('%2f') || searchParams.has('host')
}

/** An address that leaves it to the server whether TLS is used (`prefer`, `allow`, no `sslmode`), with what the server said. */
export async function resolveDatabaseTls(url: string, timeoutMs: number): Promise<string> {
  const databaseUrl = new URL(url)
  const tlsMode = parseDatabaseTlsMode(databaseUrl)
  if (tlsMode !== 'prefer' && tlsMode !== 'allow') return url
  const isEncrypted = !isLocalSocket(databaseUrl) && (await offersTls(databaseUrl, timeoutMs))
  // With an authority, `require` would check who the server is.
  databaseUrl.searchParams.delete('sslrootcert')
  databaseUrl.searchParams.set('sslmode', isEncrypted ? 'require' : 'disable')
  return databaseUrl.href
}

/** The address in the form that pg expects: by default, pg reads the libpq parameters in a way of its own. */
export function toPgConnectionString(url: string): string {
  const databaseUrl = new URL(url)
  if (databaseUrl.searchParams.get('sslrootcert') === 'system') {
    databaseUrl.searchParams.delete('sslrootcert')
    databaseUrl.searchParams.set('sslmode', 'verify-full')
  }
  databaseUrl.searchParams.set('uselibpqcompat', 'true')
  return databaseUrl.href
}
