import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, suite, test } from 'node:test'
import fastify, { type FastifyReply } from 'fastify'
import { createEagerStream } from '../../lib/files/eager-stream.ts'
import { sendJsonArray } from './list.ts'

const app = fastify()
after(() => app.close())

const ways: Record<string, (reply: FastifyReply, items: AsyncGenerator<string>) => Promise<FastifyReply>> = {
  list: sendJsonArray,
  text: async (reply, items) => reply.send(await createEagerStream(items)),
}

before(() => app.listen({ port: 0, host: '127.0.0.1' }))

suite('release of a source when the client leaves before the first byte', () => {
  for (const [name, answer] of Object.entries(ways)) {
    const left = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<string>()
    async function* items(): AsyncGenerator<string> {
      try {
        asked.resolve()
        await left.promise
        yield 'first'
        yield 'second'
      } finally {
        released.resolve('given back')
      }
    }
    app.get(`/${name}`, (request, reply) => {
      request.raw.socket.once('close', () => left.resolve())
      return answer(reply, items())
    })
    test(name, { timeout: 10_000 }, async () => {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(`GET /${name} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
      await asked.promise
      socket.destroy()
      assert.equal(await released.promise, 'given back')
    })
  }
})
