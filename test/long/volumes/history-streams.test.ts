import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { formatActionId } from '../../../src/lib/ids.ts'
import { type Answer, startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const EVENTS = 40_000
const MIB = 1024 * 1024
const NEWLINE = 10
/** Records that share a millisecond. */
const AT_ONCE = 40
/** Measurements of memory while an answer is read: each takes two collections of all garbage of the process. */
const MEASUREMENTS = 3
/** Turns of the event loop in which nothing may happen before the service is taken to be waiting. */
const STILL_TURNS = 50

// They are given up before the service closes, which would wait for their readers.
const answers: IncomingMessage[] = []
after(() => answers.forEach((answer) => void answer.destroy()))

const { app, call, context, crossSomewhere, own } = await startHarness()
const { db, pool } = context
const origin = await app.listen({ port: 0, host: '127.0.0.1' })

const { rows: actions } = await sql<{ id: number }>`
  insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
  select ${own.account}, 'mailMessage', 'Any', 38, 1, id, '{}', '{}', now(), now() from categories where account = ${own.account} limit 1
  returning id`.execute(db)
const action = actions[0]!.id
const path = `/actions/${formatActionId(action)}/events`

// Records of more than a thousand characters: held as a whole, the list could not be overlooked.
await sql`
  insert into events (id, at, account, channel, kind, subject, detail)
  select (lpad(to_hex(ms), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
    to_timestamp(ms / 1000.0), ${own.account}, 'email', 'activations', ${action},
    json_build_object('activation', json_build_object('id', '000AB1', 'data', repeat('é', 1000)))
  from (select n, ${Date.now()}::bigint + n / ${AT_ONCE}::integer as ms from generate_series(0, ${EVENTS}::integer - 1) n) e`.execute(
  db,
)

/** An answer whose headers are there, over a connection of its own. */
async function open(url: string): Promise<IncomingMessage> {
  await crossSomewhere()
  const [answer] = (await once(get(origin + url, { agent: false, headers: { 'x-key': own.key } }), 'response')) as [
    IncomingMessage,
  ]
  assert.equal(answer.statusCode, 200)
  answers.push(answer)
  return answer
}

/** Reads an answer to its end, and counts its lines. `each`: called with the lines so far. */
async function linesOf(answer: IncomingMessage, each: (lines: number) => void = () => undefined): Promise<number> {
  let lines = 1
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
    each(lines)
  }
  return lines
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The bytes that are in use, without those that wait to be collected. What is outside the heap is only freed by the next collection. */
function liveBytes(): number {
  collectGarbage()
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * Waits until the service writes no more: what the reader leaves fills the buffers of the connection first. The service runs in this
 * process, so whatever it still does either takes turns of this event loop or keeps a connection to the database busy.
 */
async function untilItWaits(answer: IncomingMessage): Promise<void> {
  let read = -1
  for (let still = 0; still < STILL_TURNS; ) {
    await nextTurn()
    const isStill = read === answer.socket.bytesRead && pool.idleCount === pool.totalCount
    still = isStill ? still + 1 : 0
    read = answer.socket.bytesRead
  }
}

/** Connections to the database, other than that of this question, that work or keep a snapshot. */
async function busyConnections(): Promise<number> {
  const { rows } = await sql<{ busy: number }>`
    select count(*)::integer as busy from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and (state <> 'idle' or backend_xmin is not null)
      and backend_type = 'client backend'`.execute(db)
  return rows[0]!.busy
}

suite('a long event list', () => {
  test('is streamed completely with flat memory', async () => {
    assert.equal(await linesOf(await open(path)), EVENTS)
    const before = liveBytes()
    const growth: number[] = []
    let chunks = 0
    const lines = await linesOf(await open(path), (sofar) => {
      chunks++
      const isDue = sofar >= ((growth.length + 1) * EVENTS) / (MEASUREMENTS + 1)
      if (isDue && growth.length < MEASUREMENTS) growth.push(liveBytes() - before)
    })
    assert.equal(lines, EVENTS)
    assert.ok(chunks > 500)
    assert.equal(growth.length, MEASUREMENTS)
    assert.ok(Math.max(...growth) < 20 * MIB, `it took ${growth.map((bytes) => Math.round(bytes / MIB))} MiB`)
  })

  test('holds no connection, transaction or lock while its reader pauses, and then continues', async () => {
    const answer = await open(path)
    await once(answer, 'readable')
    await untilItWaits(answer)
    // With a column store, the last page may still come from there, and is completed here.
    await eventually(async () => (await busyConnections()) === 0)
    // What would wait for every reader of the table does not wait for this one.
    await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '10s'`.execute(tx)
      await sql`lock table events in access exclusive mode`.execute(tx)
    })
    assert.ok(answer.socket.bytesRead < (EVENTS * 1000) / 2, 'most of the list is still unsent')
    assert.equal(await linesOf(answer), EVENTS)
  })

  test('is paged within one millisecond without losing or repeating a record', async () => {
    const pagedIds: string[] = []
    for (let next: string | undefined = `${path}?limit=7&start=0`; next !== undefined && pagedIds.length < 70; ) {
      const answer: Answer = await call('GET', next)
      pagedIds.push(...answer.body.map(({ id }: { id: string }) => id))
      next = /<(.+)>; rel="next"/.exec(String(answer.headers['link'] ?? ''))?.[1]
    }
    const { rows: first } = await sql<{ id: string; at: Date }>`
      select id, at from events where subject = ${action} order by at, id limit 70`.execute(db)
    assert.deepEqual(
      pagedIds,
      first.map(({ id }) => id),
    )
    assert.equal(new Set(first.map(({ at }) => at.getTime())).size, Math.ceil(70 / AT_ONCE))
  })
})
