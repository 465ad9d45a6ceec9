import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** How long the reader of a streamed answer may take nothing before its connection is closed. */
const STALLED_MS = 60_000

/**
 * Closes the connection of a streamed answer when its reader has taken nothing for so many milliseconds: what is made
 * for it ends then, and holds nothing any more. Bytes that leave start the time anew.
 */
export function dropStalled({ socket }: Pick<ServerResponse, 'socket'>, ms: number = STALLED_MS): void {
  // Without a listener of its own the server destroys a socket that times out; the next request sets its time again.
  // A request that was injected comes from no socket.
  if (socket instanceof Socket) socket.setTimeout(ms)
}
