import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, suite, test } from 'node:test'
import { createStentor, type StreamEvent } from '../../clients/typescript/src/index.ts'
import { KEY, prepareService } from '../support/processes/process.ts'
import { eventually } from '../support/wait.ts'

const service = await prepareService({ after })
await service.start()

/** A way to the service that can be cut. */
const sockets = new Set<Socket>()
const listener = createServer((client) => {
  const server = connect(Number(new URL(service.url).port), '127.0.0.1')
  for (const [socket, other] of [
    [client, server],
    [server, client],
  ] as const) {
    sockets.add(socket)
    socket
      .on('error', () => undefined)
      .on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
  }
  client.pipe(server).pipe(client)
})
listener.listen(0, '127.0.0.1')
await once(listener, 'listening')
const cut = (): void => {
  for (const socket of sockets) socket.destroy()
}
after(() => {
  cut()
  listener.close()
})
const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
const stentor = createStentor({ url, key: KEY, firstPauseMs: 10 })
const direct = createStentor({ url: service.url, key: KEY })

let made = 0
async function makeContact(): Promise<string> {
  const { id } = await direct.createTarget({ body: { Email: `p${++made}@stream.example` } })
  return id
}

interface Reading {
  got: StreamEvent<{ contact: string }>[]
  contacts(): string[]
  isOpen(): boolean
  end(): Promise<void>
}

function startReading(lastEventId?: string): Reading {
  const controller = new AbortController()
  const got: Reading['got'] = []
  let opened = 0
  const watched = createStentor({
    url,
    key: KEY,
    fetch: async (input, init) => {
      const answer = await fetch(input, init)
      opened++
      return answer
    },
  })
  const { signal } = controller
  const reading = (async () => {
    const options = { events: ['target.created'], signal, ...(lastEventId !== undefined && { lastEventId }) }
    for await (const event of watched.events<{ contact: string }>(options)) got.push(event)
  })()
  return {
    got,
    contacts: () => got.map(({ data }) => data.contact),
    isOpen: () => opened > 0,
    async end() {
      controller.abort()
      await reading
    },
  }
}

suite("the client's live stream", () => {
  test('returns each event once, despite a cut connection and a killed service', async () => {
    const reading = startReading()
    await eventually(reading.isOpen)
    const contacts = [await makeContact()]
    await eventually(() => reading.got.length === 1)
    cut()
    contacts.push(await makeContact())
    await eventually(() => reading.got.length === 2)
    await service.kill()
    await service.start()
    contacts.push(await makeContact())
    await eventually(() => reading.got.length >= 3)
    await reading.end()
    assert.deepEqual(reading.contacts(), contacts)
    assert.ok(reading.got.every(({ type }) => type === 'target.created'))
  })

  test('loses nothing when the connection is cut before the first event', async () => {
    const reading = startReading()
    await eventually(reading.isOpen)
    // What is made while nobody listens: the stream resumes from the moment it was opened.
    listener.close()
    cut()
    const contact = await makeContact()
    listener.listen(Number(new URL(url).port), '127.0.0.1')
    await once(listener, 'listening')
    await eventually(() => reading.contacts().includes(contact))
    await reading.end()
    assert.equal(new Set(reading.got.map(({ id }) => id)).size, reading.got.length)
  })

  test('continues after an event that the caller names', async () => {
    const first = startReading()
    await eventually(first.isOpen)
    await makeContact()
    await eventually(() => first.got.length > 0)
    await first.end()
    const last = first.got.at(-1)!.id
    const missed = await makeContact()
    const second = startReading(last)
    await eventually(() => second.contacts().includes(missed))
    await second.end()
    assert.ok(!second.got.some(({ id }) => id === last))
  })

  test('permanent refusals are thrown', async () => {
    const read = (options: Parameters<typeof stentor.events>[0], client = stentor) =>
      Array.fromAsync(client.events(options))
    await assert.rejects(read({ events: ['no such kind'] }), { name: 'StentorError', status: 400 })
    await assert.rejects(read({}, createStentor({ url, key: 'wrong' })), { name: 'StentorError', status: 401 })
    const old = '01900000-0000-7000-8000-000000000000'
    await assert.rejects(read({ lastEventId: old }), { status: 410, kind: 'stream-too-old' })
  })
})
