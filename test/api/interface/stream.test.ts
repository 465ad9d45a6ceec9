import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { suite, test } from 'node:test'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import type { NewEvent } from '../../../src/features/events/record/new-event.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { parseEventStreamFilter } from '../../../src/features/webhooks/stream/stream-filter.ts'
import { purgeStreamNotices } from '../../../src/features/webhooks/stream/stream-notices.ts'
import { createEventStreams } from '../../../src/features/webhooks/stream/streams.ts'
import { createUuidV7 } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const { app, call, clock, context, makeAccount, makeKey, other } = await startHarness()
const { db } = context
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
assert.ok(address !== null && typeof address === 'object')
const { port } = address
const HOUR = 3600 * 1000

interface Frame {
  id: string
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any record.
  data: any
}

interface Reader {
  message: IncomingMessage
  /** Comments that came. */
  comments: number
  frames: Frame[]
  /** Resolves when so many events have come. */
  got(count: number): Promise<Frame[]>
  close(): Promise<void>
}

function readFrame(text: string): Frame {
  const member = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? ''
  return { id: member('id'), event: member('event'), data: JSON.parse(member('data')) }
}

/** Opens a stream over a socket, and waits until its headers and its first comment are there. */
async function open(key: string, query = '', headers: Record<string, string> = {}): Promise<Reader> {
  const request = get({
    host: '127.0.0.1',
    port,
    path: `/events/stream${query}`,
    headers: { 'x-key': key, ...headers },
  })
  const [message] = (await once(request, 'response')) as [IncomingMessage]
  assert.equal(message.statusCode, 200)
  const waiting = new Set<() => void>()
  const until = async (isThere: () => boolean) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = () => isThere() && resolve()
    waiting.add(look)
    look()
    await promise
    waiting.delete(look)
  }
  const reader: Reader = {
    message,
    comments: 0,
    frames: [],
    async got(count) {
      await until(() => reader.frames.length >= count)
      return reader.frames
    },
    async close() {
      message.destroy()
      await once(message, 'close')
    },
  }
  let rest = ''
  message.setEncoding('utf8').on('error', () => undefined)
  message.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      if (part.startsWith(':')) reader.comments++
      else reader.frames.push(readFrame(part))
    }
    for (const look of waiting) look()
  })
  await until(() => reader.comments > 0)
  return reader
}

let accounts = 0

async function stage() {
  const { account, key } = await makeAccount(`S${String(++accounts).padStart(3, '0')}001`)
  const write = async (...events: Partial<NewEvent>[]) => {
    const written = await recordEvents(
      db,
      events.map((event) => ({ ...plain(account), ...event })),
    )
    return written.map((one) => String(one?.id)).toSorted()
  }
  return { account, key, write }
}

function plain(account: number): NewEvent {
  return {
    account,
    channel: 'email',
    kind: 'complaints',
    subject: null,
    contact: null,
    stamp: null,
    thread: null,
    isTest: false,
    key: null,
    detail: { complaint: { feedback: { type: 'abuse' } } },
  }
}

const open1: Partial<NewEvent> = {
  kind: 'hits/open',
  detail: { link: { type: 'open' }, hit: { classification: null } },
}

const idsOf = (frames: readonly Frame[]): string[] => frames.map(({ id }) => id)

suite('the event stream', () => {
  test('delivers what is published from now on, as in the history', async () => {
    const { key, write } = await stage()
    await write({})
    const reader = await open(key)
    assert.equal(reader.message.headers['content-type'], 'text/event-stream; charset=utf-8')
    await recordEvents(db, [plain(other.account)])
    const ids = await write({})
    const [frame, ...more] = await reader.got(1)
    assert.ok(frame)
    assert.deepEqual(more, [])
    const history = (await call('GET', '/actions/events/complaints', { key })).body
    assert.deepEqual(frame, { id: ids[0], event: 'complaint', data: history[1] })
    await reader.close()
  })

  test('delivers each event once to every stream that matches', async () => {
    const { key, write } = await stage()
    const readers = await Promise.all([open(key), open(key, '?events=bounces,complaints&channels=email')])
    const none = await open(key, '?events=hits&channels=sms')
    const ids: string[] = []
    for (let n = 0; n < 4; n++) {
      ids.push(...(await write({}, {})))
      await readers[0]?.got(ids.length)
    }
    for (const reader of readers) assert.deepEqual(idsOf(await reader.got(8)).toSorted(), ids.toSorted())
    assert.deepEqual(none.frames, [])
    for (const reader of [...readers, none]) await reader.close()
  })

  test('delivers hits once they are settled, by their class', async () => {
    const { key, write } = await stage()
    const [people, robots] = [await open(key, '?events=hits/open'), await open(key, '?classification=mpp')]
    const watch = { hitAt: Date.now(), link: null, visitor: null, early: null }
    const stamp = createUuidV7(Date.now())
    await write({ ...open1, stamp, watch }, { ...open1, stamp, watch, classification: 'mpp' })
    const ids = await write({})
    await robots.got(1)
    assert.deepEqual(idsOf(robots.frames), ids)
    const left = async () => (await context.pool.query('select count(*) as n from unsettled_hits')).rows[0].n
    await eventually(async () => (await finalizeHits(db)) === 0 && Number(await left()) === 0)
    assert.equal((await people.got(1)).length, 1)
    await robots.got(2)
    assert.deepEqual(
      robots.frames.map(({ event }) => event),
      ['complaint', 'hit'],
    )
    for (const reader of [people, robots]) await reader.close()
  })

  test('delivers the events of one contact and the change notices requested', async () => {
    const { key, account, write } = await stage()
    const add = (email: string) => call('POST', '/targets', { key, body: { Email: email } })
    const { id } = (await add('a@example.org')).body
    const reader = await open(key, `?contact=${id}&events=complaints,target.redlisted`)
    const contact = Number.parseInt(id, 36)
    await call('POST', `/targets/${(await add('b@example.org')).body.id}/redlist/mail`, { key })
    await call('POST', `/targets/${id}/redlist/mail`, { key })
    await write({}, { contact })
    const frames = await reader.got(2)
    assert.deepEqual(frames.map(({ event }) => event).toSorted(), ['complaint', 'target.redlisted'])
    assert.equal(frames.find(({ event }) => event === 'target.redlisted')?.data.contact, id)
    await reader.close()
    const listening = async () =>
      (await context.pool.query('select listening from accounts where id = $1', [account])).rows[0].listening
    await purgeStreamNotices(db, clock.now() + 47 * HOUR)
    assert.deepEqual(await listening(), ['target.redlisted'])
    await purgeStreamNotices(db, clock.now() + 49 * HOUR)
    assert.deepEqual(await listening(), [])
  })

  test('resumes after an id without missing anything', async () => {
    const { key, write } = await stage()
    const first = await write(...Array.from({ length: 700 }, () => ({})))
    const last = first.at(-1) ?? ''
    const later = await write({}, {})
    const reader = await open(key, '', { 'last-event-id': last })
    const live = await write({})
    const frames = await reader.got(703)
    assert.deepEqual(new Set(idsOf(frames)), new Set([...first, ...later, ...live]))
    await reader.close()
  })

  test('disconnects a reader that is 1 MiB behind, and not one that is slightly behind', async () => {
    const { account, write } = await stage()
    const streams = createEventStreams(context)
    const filter = await parseEventStreamFilter(db, account, {
      events: undefined,
      channels: undefined,
      classification: undefined,
    })
    const out = await streams.open(account, filter, undefined)
    const text = 'x'.repeat(100_000)
    await write(...Array.from({ length: 10 }, () => ({ detail: { text } })))
    await eventually(() => out.readableLength >= 1_000_000)
    assert.equal(out.destroyed, false)
    await write({ detail: { text } })
    await once(out, 'close')
    await streams.close()
  })

  test('sends a keep-alive every 15 s', async (t) => {
    const { account } = await stage()
    t.mock.timers.enable({ apis: ['setInterval'] })
    const streams = createEventStreams(context)
    t.after(() => streams.close())
    const filter = await parseEventStreamFilter(db, account, {
      events: undefined,
      channels: undefined,
      classification: undefined,
    })
    const out = await streams.open(account, filter, undefined)
    const said = () => {
      let text = ''
      for (let chunk = out.read(); chunk !== null; chunk = out.read()) text += chunk
      return text
    }
    assert.equal(said(), ':\n\n')
    t.mock.timers.tick(14_999)
    assert.equal(said(), '')
    t.mock.timers.tick(1)
    assert.equal(said(), ':\n\n')
    t.mock.timers.tick(30_000)
    assert.equal(said(), ':\n\n:\n\n')
  })

  test('is refused beyond 20 streams per account, regardless of other accounts', async () => {
    const { key } = await stage()
    const readers = await Promise.all(Array.from({ length: 20 }, () => open(key)))
    const { status, headers } = await call('GET', '/events/stream', { key })
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 0)
    await (await open(other.key)).close()
    await readers[0]?.close()
    for (let isOpen = false; !isOpen; ) {
      const request = get({ host: '127.0.0.1', port, path: '/events/stream', headers: { 'x-key': key } })
      const [message] = (await once(request, 'response')) as [IncomingMessage]
      isOpen = message.statusCode === 200
      message.on('error', () => undefined).destroy()
    }
    for (const reader of readers.slice(1)) await reader.close()
  })

  test('refuses invalid filters, answers old ids with 410, and requires the read right', async () => {
    const { key, account } = await stage()
    const ask = (query: string, headers: Record<string, string> = {}) =>
      call('GET', `/events/stream${query}`, { key, headers })
    for (const [query, name] of [
      ['?events=clicks', 'events'],
      ['?channels=fax', 'channels'],
      ['?classification=robot', 'classification'],
    ] as const) {
      const { status, body } = await ask(query)
      assert.equal(status, 400, query)
      assert.equal(body.errors[0].pointer, name)
    }
    assert.equal((await ask('?action=000ZZZ')).status, 404)
    assert.equal((await ask('?contact=0000ZZZZ')).status, 404)
    const foreign = await call('POST', '/targets', { key: other.key, body: { Email: 'c@example.org' } })
    assert.equal((await ask(`?contact=${foreign.body.id}`)).status, 404)
    assert.equal((await ask('', { 'last-event-id': 'nothing' })).status, 400)
    assert.equal((await ask('', { 'last-event-id': createUuidV7(clock.now() - 24 * HOUR - 1000) })).status, 410)
    assert.equal((await call('GET', '/events/stream', { key: await makeKey(account, ['write']) })).status, 403)
    assert.equal((await call('GET', '/events/stream', { key: null })).status, 401)
  })
})
