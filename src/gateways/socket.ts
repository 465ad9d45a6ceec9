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
    const fail = (message: string) => {
      clearTimeout(timer)
      socket.destroy()
      reject(new Error(message))
    }
    const timer = setTimeout(() => fail(`no connection within ${timeoutMs / 1000} s`), timeoutMs)
    socket.once(event, () => {
      clearTimeout(timer)
      resolve()
    })
    socket.once('error', (error) => fail(describeSocketError(error)))
    socket.once('close', () => fail('the connection was closed'))
  })
}

/** What a socket's error says: several addresses of one host that all fail come as one, without a message of its own. */
export function describeSocketError(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((one) => String(one?.message ?? one)).join('; ')
  return error.message
}
