import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** The longest time that a client may read nothing of a streamed answer before its connection is closed. */
const IDLE_TIMEOUT_MS = 60_000

/**
 * Closes the connection of a streamed answer when the client has read nothing for `ms` milliseconds, so that the producer of the answer
 * ends and releases its connection. Bytes that are sent restart the time.
 */
export function setAnswerIdleTimeout({ socket }: Pick<ServerResponse, 'socket'>, ms: number = IDLE_TIMEOUT_MS): void {
  // Without a listener of its own the server destroys a socket that times out; the next request sets its time again.
  // A request that was injected comes from no socket.
  if (socket instanceof Socket) socket.setTimeout(ms)
}
