import { once } from 'node:events'
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { KEY } from '../../support/processes/process.ts'

/** An answer, with whether it came over a connection that an earlier one had used. */
export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: string
  reused: boolean
}

interface Asked {
  method?: string
  headers?: OutgoingHttpHeaders
  body?: string | AsyncIterable<string>
}

/** Somebody with an address of its own, on one connection that is kept. */
export interface Visitor {
  /** Asks, and gives the answer as it begins. */
  open(path: string, asked?: Asked): Promise<{ message: IncomingMessage; reused: boolean }>
  ask(path: string, asked?: Asked): Promise<Answer>
  close(): void
}

/** A visitor of a port of this machine, from an address of the loopback network. The key of the tests is sent unless headers say otherwise. */
export function visitorOf(port: number, address = '127.0.0.5'): Visitor {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const open: Visitor['open'] = async (path, { method = 'GET', headers = {}, body } = {}) => {
    const own = { host: 'localhost', 'x-key': KEY, ...headers }
    const asking = request({ host: '127.0.0.1', port, localAddress: address, path, method, agent, headers: own })
    const answered = once(asking, 'response')
    // Who answers before all of a body has come may close the connection for the rest.
    asking.on('error', () => undefined)
    if (typeof body === 'string') asking.end(body)
    else {
      for await (const part of body ?? []) if (!asking.write(part)) await once(asking, 'drain')
      asking.end()
    }
    const [message] = (await answered) as [IncomingMessage]
    return { message, reused: asking.reusedSocket }
  }
  return {
    open,
    async ask(path, asked) {
      const { message, reused } = await open(path, asked)
      const body = await text(message)
      return { status: message.statusCode ?? 0, headers: message.headers, body, reused }
    },
    close: () => agent.destroy(),
  }
}
