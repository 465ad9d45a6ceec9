import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type DatabasePool, openDatabasePool } from '../src/database/connection/connect.ts'
import { formatActionId } from '../src/lib/ids.ts'
import { median, rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const HITS = 1_000_000
const READS = 100
const WARM_UP = 10
/** Rows of one statement. */
const BATCH = 100_000
const COUNTED_WITHIN_MS = 600_000

/** A count of one kind: in an hour, or in all when `start` is null. */
interface Counted {
  kind: string
  start: string | null
  total: number
  contacts: number
  robots: number
}

interface Summary {
  kinds: (Omit<Counted, 'start'> & { buckets: (Omit<Counted, 'kind'> & { start: string })[] })[]
}

/**
 * So many hits of an action within thirty days after it was sent to two contacts for every five of them, most of the hits
 * at first; a fifth by robots. Seven of ten come within an hour after their message was asked for, the others within two weeks. Among them lie as many events of other actions. Gives the action.
 */
export async function loadHits(
  pool: DatabasePool,
  account: number,
  { hits, kind = 'campaign' }: { hits: number; kind?: 'campaign' | 'message' },
): Promise<number> {
  await pool.query("select make_event_partitions(now() - interval '2 months', 3)")
  const { rows } = await pool.query<{ id: number }>(
    `insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
     select $1, 'mailCampaign', 'Any', 38, 1, id, '{"purpose":{"type":"marketing"}}', '{}', now(), now()
     from (select min(id) as id from categories where account = $1) c, generate_series(1, 20) returning id`,
    [account],
  )
  const action = rows[0]!.id
  await pool.query(
    `insert into events (id, at, account, channel, kind, subject, contact, stamp, thread, detail)
     select id, uuid_extract_timestamp(id), $1, 'email', 'activations', $2, n, id, id, json_build_object(
       'activation', json_build_object('kind', $4::text, 'stamp', json_build_object('time', (date_part('epoch', uuid_extract_timestamp(id)) * 1000)::bigint)),
       'rest', repeat(md5(n::text), 15))
     from (
       select n, uuidv7(interval '-30 days -1 hour' * (1 - n::float / $3 / 1000)) as id from generate_series(1, $3::integer) n
       offset 0) e`,
    [account, action, (2 * hits) / 5, kind],
  )
  for (let done = 0; done < 2 * hits; done += BATCH) {
    await pool.query(
      `insert into events (id, at, account, channel, kind, subject, contact, stamp, thread, classification, activation_at, detail)
       select id, uuid_extract_timestamp(id), $1, 'email', kind, subject, contact, stamp, stamp,
         case when robot < 0.2 then (array['mpp', 'gsr', 'genericrobot'])[1 + n % 3] end,
         now() - interval '30 days' - robot * interval '1 hour',
         json_build_object('activation', json_build_object('id', subject, 'kind', $6::text, 'stamp', json_build_object('id', stamp,
             'time', (date_part('epoch', uuid_extract_timestamp(id)) * 1000)::bigint - (case when n % 10 < 7 then robot / 24 else 14 * robot ^ 3 end * 86400000)::bigint), 'rest', repeat(md5(n::text), 12)),
           'link', json_build_object('type', substr(kind, 6), 'id', n % 12), 'hit', json_build_object('rest', repeat(md5(id::text), 8),
             'device', json_build_object('type', (array['phone', 'desktop'])[1 + n % 2], 'os', 'System ' || n % 9, 'client', 'Client ' || n % 7)))
       from (
         select n, random() as robot, uuidv7(interval '-30 days' * (1 - (n::float / $2) ^ 4)) as id, gen_random_uuid() as stamp,
           $3 + case when n % 2 = 0 then 0 else 1 + n % 19 end as subject, floor(random() * $2 / 5)::bigint as contact,
           (array['hits/open', 'hits/open', 'hits/open', 'hits/open', 'hits/open', 'hits/open', 'hits/redirection',
             'hits/redirection', 'hits/mirror', 'hits/unsubscribe'])[1 + floor(random() * 10)] as kind
         from generate_series($4::integer, $5::integer) n offset 0) e`,
      [account, 2 * hits, action, done + 1, Math.min(2 * hits, done + BATCH), kind],
    )
  }
  await pool.query('vacuum (analyze) events')
  return action
}

/** Has the service count all events, as after an upgrade; gives the seconds it took. */
export async function haveCounted(pool: DatabasePool): Promise<number> {
  const started = performance.now()
  await pool.query(`
    begin; select from event_counting for update; truncate event_counts, event_details, event_days, asked_counts, asked_days, stale_event_counts;
    update event_counting set counted_until = 'epoch', days_until = 'epoch'; commit`)
  for (let isDone = false; !isDone; await delay(500)) {
    const { rows } = await pool.query<{ is_done: boolean }>(
      "select counted_until > now() - interval '5 minutes' and days_until > now() - interval '2 days' as is_done from event_counting",
    )
    isDone = rows[0]!.is_done
    if (performance.now() - started > COUNTED_WITHIN_MS) throw new Error('the service does not count its events')
  }
  await pool.query('vacuum (analyze) event_counts, event_details, event_days, asked_counts, asked_days')
  return (performance.now() - started) / 1000
}

/** The same figures by hand, from the events in one statement. */
async function byHand(pool: DatabasePool, account: number, action: number): Promise<Counted[]> {
  const { rows } = await pool.query<Counted & { start: Date | null }>(
    `select kind, date_trunc('hour', at, 'UTC') as start, count(*) filter (where classification is null) as total,
       count(distinct contact) filter (where classification is null) as contacts, count(classification) as robots
     from events where account = $1 and channel = 'email' and subject = $2 and kind like 'hits/%' and not is_test
       and activation_at is not null
     group by grouping sets ((1, 2), (1))`,
    [account, action],
  )
  return rows.map((row) => ({ ...row, start: row.start?.toISOString() ?? null }))
}

function flat({ kinds }: Summary): Counted[] {
  return kinds
    .filter(({ total, robots }) => total + robots > 0)
    .flatMap(({ kind, buckets, ...counts }) => [
      { kind, start: null, ...counts },
      ...buckets.map((bucket) => ({ kind, ...bucket })),
    ])
}

const inOrder = (counts: readonly Counted[]): Counted[] =>
  counts
    .map(({ kind, start, total, contacts, robots }) => ({ kind, start, total, contacts, robots }))
    .toSorted((a, b) => (`${a.kind} ${a.start}` < `${b.kind} ${b.start}` ? -1 : 1))

async function read(url: string, key: string, agent: Agent): Promise<Summary> {
  const headers = { 'x-key': key, accept: 'application/vnd.reactivity.summary+json' }
  const [response] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
  return JSON.parse((await Array.fromAsync(response.setEncoding('utf8'))).join(''))
}

/**
 * The summary by kind and hour of an action with a million hits, over HTTP: p95 under 300 ms, and equal to the same
 * figures by hand, whose time stands beside it.
 */
export const benchmark: Benchmark = async (report, size = HITS) => {
  const service = await startBenchService()
  const { pool, close } = openDatabasePool(service.databaseUrl, { max: 2, statementTimeoutMs: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const action = await loadHits(pool, service.account, { hits: size })
    report(`${size} hits of the action loaded, and as many others`)
    const countedS = await haveCounted(pool)
    report(`counted in ${Math.round(countedS)} s`)
    const url = `${service.client.url}/actions/${formatActionId(action)}/reactivities?bucket=hour`
    const times: number[] = []
    for (let n = 0; n < WARM_UP + READS; n++) {
      const started = performance.now()
      await read(url, service.key, agent)
      if (n >= WARM_UP) times.push(performance.now() - started)
    }
    const started = performance.now()
    const hand = await byHand(pool, service.account, action)
    const byHandMs = performance.now() - started
    assert.deepEqual(inOrder(flat(await read(url, service.key, agent))), inOrder(hand))
    const p50Ms = median(times)
    return {
      hits: size,
      hours: new Set(hand.map(({ start }) => start)).size - 1,
      p50Ms: rounded(p50Ms, 1),
      p95Ms: rounded(times.toSorted((a, b) => a - b)[Math.floor(READS * 0.95)] ?? 0, 1),
      byHandMs: Math.round(byHandMs),
      ratioToByHand: rounded(byHandMs / p50Ms, 1),
      countedPerSecond: Math.round((2 * size) / countedS),
    }
  } finally {
    agent.destroy()
    await close()
    await service.stop()
  }
}
