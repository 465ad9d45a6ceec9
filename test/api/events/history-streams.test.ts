import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { actionId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const EVENTS = 60_000
const MIB = 1024 * 1024
const NEWLINE = 10

const { app, context, own } = await startHarness()
const { db, pool } = context
const origin = await app.listen({ port: 0, host: '127.0.0.1' })

const { rows: actions } = await sql<{ id: number }>`
  insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
  select ${own.account}, 'mailMessage', 'Any', 38, 1, id, '{}', '{}', now(), now() from categories where account = ${own.account} limit 1
  returning id`.execute(db)
const action = actions[0]!.id
const path = `/actions/${actionId(action)}/events`

// Records of more than a thousand characters: held as a whole, the list could not be overlooked.
await sql`
  insert into events (id, at, account, channel, kind, subject, detail)
  select id, uuid_extract_timestamp(id), ${own.account}, 'email', 'activations', ${action},
    json_build_object('activation', json_build_object('id', '000AB1', 'data', repeat('é', 1000)))
  from (select uuidv7() as id from generate_series(1, ${EVENTS}::integer) offset 0) e`.execute(db)

const answers: IncomingMessage[] = []
after(() => answers.forEach((answer) => void answer.destroy()))

/** An answer whose headers are there. */
async function open(url: string): Promise<IncomingMessage> {
  const [answer] = (await once(get(origin + url, { headers: { 'x-key': own.key } }), 'response')) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  answers.push(answer)
  return answer
}

/** Reads an answer to its end, and counts its lines. */
async function linesOf(answer: IncomingMessage, each: () => void = () => undefined): Promise<number> {
  let lines = 1
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
    each()
  }
  return lines
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The bytes that are in use, without those that wait to be collected. */
function liveBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Waits until the service writes no more: what the reader leaves fills the buffers of the connection first. */
async function untilItWaits(answer: IncomingMessage): Promise<void> {
  let read = -1
  await eventually(async () => {
    const before = read
    read = answer.socket.bytesRead
    await delay(200)
    return read === before && pool.idleCount === pool.totalCount
  })
}

suite('a long event list', () => {
  test('is streamed completely with flat memory', async () => {
    assert.equal(await linesOf(await open(path)), EVENTS)
    const before = liveBytes()
    let [most, chunks] = [before, 0]
    const lines = await linesOf(await open(path), () => {
      if (chunks++ % 50 === 0) most = Math.max(most, liveBytes())
    })
    assert.equal(lines, EVENTS)
    assert.ok(chunks > 500)
    assert.ok(most - before < 20 * MIB, `it took ${Math.round((most - before) / MIB)} MiB`)
  })

  test('holds no connection, transaction or lock while its reader pauses, and then continues', async () => {
    const answer = await open(path)
    await once(answer, 'readable')
    await untilItWaits(answer)
    const { rows } = await sql<{ busy: number }>`
      select count(*) as busy from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and (state <> 'idle' or backend_xmin is not null)
        and backend_type = 'client backend'`.execute(db)
    assert.deepEqual(rows, [{ busy: 0 }])
    // What would wait for every reader of the table does not wait for this one.
    await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '10s'`.execute(tx)
      await sql`lock table events in access exclusive mode`.execute(tx)
    })
    assert.equal(await linesOf(answer), EVENTS)
  })

  test('is paged within one millisecond without losing or repeating a record', async () => {
    const { rows } = await sql<{ most: number }>`
      select max(n) as most from (select count(*) as n from events where subject = ${action} group by at) a`.execute(db)
    assert.ok((rows[0]?.most ?? 0) > 10)
    const seen: string[] = []
    for (let next: string | undefined = `${path}?limit=7&start=0`; next !== undefined && seen.length < 70; ) {
      const answer: LightMyRequestResponse = await app.inject({ url: next, headers: { 'x-key': own.key } })
      seen.push(...answer.json().map(({ id }: { id: string }) => id))
      next = /<(.+)>; rel="next"/.exec(String(answer.headers['link'] ?? ''))?.[1]
    }
    const { rows: first } = await sql<{ id: string }>`
      select id from events where subject = ${action} order by at, id limit 70`.execute(db)
    assert.deepEqual(
      seen,
      first.map(({ id }) => id),
    )
  })
})
