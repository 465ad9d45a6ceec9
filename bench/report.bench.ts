import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { type DatabasePool, openDatabasePool } from '../src/database/connection/connect.ts'
import type { ReportResource } from '../src/features/reporting/reports/report-schemas.ts'
import { formatActionId } from '../src/lib/ids.ts'
import { DAY_MS } from '../src/lib/time/spans.ts'
import { median, rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'
import { haveCounted, loadHits } from './summary.bench.ts'

const HITS = 1_000_000
const READS = 60
const WARM_UP = 5

interface ByHand {
  opens: number
  opened: number
  clicks: number
  clicked: number
}

/** Periods of executions, which begin and end within a day: from so many days ago, to so many. */
const PERIODS = [
  ['week', 7.3, 0],
  ['firstWeek', 29.7, 22.4],
  ['month', 29.7, 0.4],
] as const

/** Figures from the events in one statement, of messages that were asked for in a span of milliseconds. */
async function byHand(
  pool: DatabasePool,
  values: readonly [account: number, action: number, start: number, end: number],
) {
  const { rows } = await pool.query<ByHand>(
    `select count(*) filter (where kind = 'hits/open')::integer as opens,
       count(distinct contact) filter (where kind = 'hits/open')::integer as opened,
       count(*) filter (where kind = 'hits/redirection')::integer as clicks,
       count(distinct contact) filter (where kind = 'hits/redirection')::integer as clicked
     from events where account = $1 and channel = 'email' and subject = $2 and not is_test and classification is null
       and activation_at is not null and (detail #>> '{activation,stamp,time}')::bigint >= $3 and (detail #>> '{activation,stamp,time}')::bigint < $4`,
    [...values],
  )
  return rows[0]
}

/** Writes how the messages of an action ended that is sent on demand, each of its own instant, and waits until they are added up. */
async function loadEnded(pool: DatabasePool, account: number, action: number): Promise<void> {
  await pool.query(
    `insert into ended_batches (account, source_kind, source, asked, outcome, messages)
     select account, 'action', subject, at, 'sent', 1 from events where account = $1 and channel = 'email' and subject = $2 and kind = 'activations'`,
    [account, action],
  )
  for (let isDone = false; !isDone; await delay(500)) {
    const { rows } = await pool.query('select from ended_batches limit 1')
    isDone = rows.length === 0
  }
  await pool.query('vacuum (analyze) ended_batches, ended_quarters')
}

/**
 * The report of a million hits, over HTTP: p95 under 300 ms, its opens and clicks equal to those of the events in one statement. First
 * as that of a campaign, then as of what is sent on demand: all of it, and of periods.
 */
export const benchmark: Benchmark = async (report, size = HITS) => {
  const service = await startBenchService()
  const { pool, close } = openDatabasePool(service.databaseUrl, { max: 2, statementTimeoutMs: 0 })
  try {
    const action = await loadHits(pool, service.account, { hits: size, kind: 'message' })
    const countedS = await haveCounted(pool)
    report(`${size} hits loaded, counted in ${Math.round(countedS)} s`)
    const read = async (query = ''): Promise<ReportResource> => {
      const answer = await fetch(`${service.client.url}/actions/${formatActionId(action)}/report${query}`, {
        headers: { 'x-key': service.key },
      })
      assert.equal(answer.status, 200)
      return (await answer.json()) as ReportResource
    }
    /** Median and 95th percentile in milliseconds. */
    const timed = async (reads: number, query?: string): Promise<[number, number]> => {
      const times: number[] = []
      for (let n = 0; n < WARM_UP + reads; n++) {
        const started = performance.now()
        await read(query)
        if (n >= WARM_UP) times.push(performance.now() - started)
      }
      const p95 = times.toSorted((a, b) => a - b)[Math.floor(reads * 0.95)] ?? 0
      return [rounded(median(times), 1), rounded(p95, 1)]
    }
    const [p50Ms, p95Ms] = await timed(READS)
    report('read as a campaign')
    const check = async (start = 0, end = Date.now(), query = ''): Promise<void> => {
      const { opens, clicks } = await read(query)
      const shown = { opens: opens.human, opened: opens.contacts, clicks: clicks.human, clicked: clicks.contacts }
      assert.deepEqual(shown, await byHand(pool, [service.account, action, start, end]))
    }
    await check()
    await pool.query("update actions set type = 'mailMessage' where id = $1", [action])
    await loadEnded(pool, service.account, action)
    report('ended messages loaded and added up')
    const [onDemandP50Ms, onDemandP95Ms] = await timed(READS)
    const periods: Record<string, [number, number]> = {}
    for (const [name, days, until] of PERIODS) {
      const [start, end] = [Date.now() - days * DAY_MS, Date.now() - until * DAY_MS]
      const query = `?start=${start}&end=${end}`
      await check(start, end, query)
      periods[name] = await timed(READS, query)
      report(`${name}: ${periods[name].join(', ')} ms`)
    }
    const { links } = await read()
    return {
      hits: size,
      links: links.length,
      p50Ms,
      p95Ms,
      onDemandP50Ms,
      onDemandP95Ms,
      ...Object.fromEntries(
        Object.entries(periods).flatMap(([name, [p50, p95]]) => [
          [`${name}P50Ms`, p50],
          [`${name}P95Ms`, p95],
        ]),
      ),
      countedPerSecond: Math.round((2 * size) / countedS),
    }
  } finally {
    await close()
    await service.stop()
  }
}
