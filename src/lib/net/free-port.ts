import { once } from 'node:events'
import { createServer } from 'node:net'

/** A TCP port of a host that is free now; another process may take it at any time. Throws what listening throws. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
