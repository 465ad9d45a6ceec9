import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, suite, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createStentor } from '../../clients/typescript/src/index.ts'
import { liveEvents } from '../../clients/typescript/src/stream.ts'
import { eventually } from '../support/wait.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** A server of streams: those that were opened, oldest first, and the ids that they were asked to go on after. */
async function startStreams(begin: (stream: ServerResponse, lastEventId: unknown) => void = () => {}) {
  const opened: ServerResponse[] = []
  const lastEventIds: unknown[] = []
  const server = createServer((request, response) => {
    const lastEventId = request.headers['last-event-id']
    lastEventIds.push(lastEventId)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    opened.push(response)
    begin(response, lastEventId)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, opened, lastEventIds }
}

/** A v7 id of so many milliseconds after a moment. */
const begun = Date.now()
const idOf = (ms: number): string => {
  const hex = (begun + ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000001`
}
const frame = (n: number): string => `id: ${idOf(n)}\nevent: hit\ndata: {"n":${n}}\n\n`

suite("ends of the client's live stream", () => {
  test('a silent stream is reopened after the last event', async () => {
    // A slow machine may give up a stream before anything is read from it: then it is opened once more.
    const { url, lastEventIds } = await startStreams((stream, lastEventId) => {
      if (lastEventId !== idOf(1)) {
        stream.write(frame(1))
        return
      }
      // In two parts, and once more what is known.
      stream.write(`${frame(1)}${frame(2).slice(0, 20)}`)
      stream.write(frame(2).slice(20))
    })
    const controller = new AbortController()
    const got: number[] = []
    const open = (lastEventId: string | undefined, signal: AbortSignal) =>
      fetch(url, { signal, headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId } })
    const reading = (async () => {
      for await (const { data } of liveEvents<{ n: number }>(open, { signal: controller.signal }, 300)) got.push(data.n)
    })()
    await eventually(() => got.length === 2)
    controller.abort()
    await reading
    assert.deepEqual(got, [1, 2])
    assert.ok(lastEventIds.includes(idOf(1)))
  })

  test('a stream ends with its signal, even after garbage collection', async () => {
    const { url, opened } = await startStreams()
    const controller = new AbortController()
    const stentor = createStentor({ url, key: 'any' })
    const reading = (async () => {
      for await (const _ of stentor.events({ signal: controller.signal }));
    })()
    await eventually(() => opened.length === 1)
    // Requests that are over are gone at some time.
    let collections = 0
    await eventually(() => {
      collect()
      return ++collections === 5
    })
    controller.abort()
    await reading
    const last = opened.at(-1)!
    await eventually(() => last.closed || last.destroyed)
  })

  test('a stream ends when its reader stops', async () => {
    const { url, opened } = await startStreams()
    const reading = (async () => {
      for await (const { id } of createStentor({ url, key: 'any' }).events()) return id
    })()
    await eventually(() => opened.length === 1)
    const last = opened.at(-1)!
    last.write(frame(3))
    assert.equal(await reading, idOf(3))
    await eventually(() => last.closed || last.destroyed)
    assert.equal(opened.length, 1)
  })
})
