import assert from 'node:assert/strict'
import { connect } from '../src/database/connect.ts'
import type { Report } from '../src/features/reports/report-schemas.ts'
import { actionId } from '../src/lib/ids.ts'
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

/**
 * The report of a campaign with a million hits, over HTTP: p95 under 300 ms, its opens and clicks equal to those of the
 * events in one statement.
 */
export const benchmark: Benchmark = async (report, size = HITS) => {
  const service = await startBenchService()
  const { pool, close } = connect(service.databaseUrl, { max: 2, statementTimeoutMs: 0 })
  try {
    const action = await loadHits(pool, service.account, size)
    const countedS = await haveCounted(pool)
    report(`${size} hits loaded, counted in ${Math.round(countedS)} s`)
    const read = async (): Promise<Report> => {
      const answer = await fetch(`${service.client.url}/actions/${actionId(action)}/report`, {
        headers: { 'x-key': service.key },
      })
      assert.equal(answer.status, 200)
      return (await answer.json()) as Report
    }
    const times: number[] = []
    for (let n = 0; n < WARM_UP + READS; n++) {
      const started = performance.now()
      await read()
      if (n >= WARM_UP) times.push(performance.now() - started)
    }
    const { rows } = await pool.query<ByHand>(
      `select count(*) filter (where kind = 'hits/open')::integer as opens,
         count(distinct contact) filter (where kind = 'hits/open')::integer as opened,
         count(*) filter (where kind = 'hits/redirection')::integer as clicks,
         count(distinct contact) filter (where kind = 'hits/redirection')::integer as clicked
       from events where account = $1 and channel = 'email' and subject = $2 and not is_test and classification is null
         and activation_at is not null`,
      [service.account, action],
    )
    const { opens, clicks, links } = await read()
    const shown = { opens: opens.human, opened: opens.contacts, clicks: clicks.human, clicked: clicks.contacts }
    assert.deepEqual(shown, rows[0])
    return {
      hits: size,
      links: links.length,
      p50Ms: rounded(median(times), 1),
      p95Ms: rounded(times.toSorted((a, b) => a - b)[Math.floor(READS * 0.95)] ?? 0, 1),
      countedPerSecond: Math.round((2 * size) / countedS),
    }
  } finally {
    await close()
    await service.stop()
  }
}
