import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { test } from 'node:test'
import { setAnswerIdleTimeout } from './idle-timeout.ts'

/** A server of endless answers; `ended` resolves when the answer is no longer produced. */
async function serveEndless(ms: number) {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const server = createServer((_, response) => {
    setAnswerIdleTimeout(response, ms)
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65_536, 'x')
      })(),
      { objectMode: false },
    )
    pipeline(endless, response, () => resolve())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port, ended }
}

test('the connection of a client that reads nothing is closed and its response stops', async () => {
  const { server, port, ended } = await serveEndless(100)
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(socket, 'readable')
  await ended
  socket.destroy()
  server.close()
})

test('a connection whose response was read serves the next request, however long it takes', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/first') {
      setAnswerIdleTimeout(response, 50)
      response.end('first')
    } else {
      // Later than the timeout of the first answer.
      setTimeout(() => response.end('second'), 150)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const read = async (path: string): Promise<string> => {
    const [response] = await once(get({ port, path, agent }), 'response')
    return (await Array.fromAsync(response.setEncoding('utf8'))).join('')
  }
  assert.deepEqual([await read('/first'), await read('/second')], ['first', 'second'])
  agent.destroy()
  server.close()
})
