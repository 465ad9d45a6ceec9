import type { Socket } from 'node:net'

/**
 * Resolves at the event; after an error, an end or the time it destroys the socket and rejects with an Error that says
 * why in one line.
 */
export function waitForSocketEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  timeoutMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const failConnection = (message: string) => {
      clearTimeout(timer)
      socket.destroy()
      reject(new Error(message))
    }
    const timer = setTimeout(() => failConnection(`no connection within ${timeoutMs / 1000} s`), timeoutMs)
    socket.once(event, () => {
      clearTimeout(timer)
      resolve()
    })
    socket.once('error', (error) => failConnection(describeSocketError(error)))
    socket.once('close', () => failConnection('the connection was closed'))
  })
}

/** Describes a socket error. If several addresses of one host all fail, they arrive as a single error without a message of its own. */
export function describeSocketError(error: Error): string {
  if (error instanceof AggregateError)
    return error.errors.map((hostError) => String(hostError?.message ?? hostError)).join('; ')
  return error.message
}
