import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Ports that systems do not give to outgoing connections (Linux begins at 32768, others at 49152): one that is free now is not taken by the
 * next connection of any program.
 */
const FIRST_PORT = 10_240
const LAST_PORT = 32_767
const MAX_TRIES = 20
/** The second one comes from Windows, which reserves ranges. */
const TAKEN_CODES: ReadonlySet<unknown> = new Set(['EADDRINUSE', 'EACCES'])

/** Listens on a port for a moment. Throws what listening throws. */
async function tryPort(port: number, host: string): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  await new Promise((resolve) => server.close(resolve))
}

/** A TCP port of a host that is free now; another server may take it at any time. Throws what listening throws. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    try {
      await tryPort(port, host)
      return port
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && TAKEN_CODES.has(error.code)
      if (!isTaken || tries === MAX_TRIES) throw error
    }
  }
}
