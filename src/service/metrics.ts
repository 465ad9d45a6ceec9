import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import type { ServiceConfig } from '../config.ts'

const LAG_METRIC = 'nodejs_eventloop_lag'

/** The interval at which the lag of the event loop is sampled. */
const LAG_SAMPLE_INTERVAL_MS = 100
/** The longest that a timer can take. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * The process metrics of prom-client. The lag of the event loop is sampled with a tenth of its 100 timers a second, which kept idle
 * processes busy.
 */
export function registerProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: MAX_TIMER_MS })
  // Named like counters, which they are not: the sums of those by type.
  for (const resourceKind of ['resources', 'handles', 'requests'])
    registry.removeSingleMetric(`nodejs_active_${resourceKind}_total`)
  registerLagMetrics(registry)
}

/** The lag of event loop timers since the last collection, in seconds, under the metric names of prom-client. */
function registerLagMetrics(registry: Registry): void {
  const lagHistogram = monitorEventLoopDelay({ resolution: LAG_SAMPLE_INTERVAL_MS })
  lagHistogram.enable()
  // A sample is the time between two timers, in nanoseconds.
  const toLagSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_SAMPLE_INTERVAL_MS / 1000)
  const createGauge = (name: string, help: string, collect?: (this: Gauge) => Promise<void>): Gauge => {
    registry.removeSingleMetric(name)
    return new Gauge({ name, help, registers: [registry], ...(collect && { collect }) })
  }
  // Collected first: it gives the others what they say.
  createGauge(`${LAG_METRIC}_seconds`, 'Event loop lag at the time of collection.', async function () {
    // Before the first sample there is nothing to tell.
    for (const [lagGauge, readSeconds] of lagReaders) lagGauge.set(lagHistogram.count > 0 ? readSeconds() : 0)
    lagHistogram.reset()
    const startedAt = performance.now()
    await new Promise(setImmediate)
    this.set((performance.now() - startedAt) / 1000)
  })
  const lagReaders: [gauge: Gauge, seconds: () => number][] = [
    [createGauge(`${LAG_METRIC}_min_seconds`, 'Minimum event loop lag.'), () => toLagSeconds(lagHistogram.min)],
    [createGauge(`${LAG_METRIC}_max_seconds`, 'Maximum event loop lag.'), () => toLagSeconds(lagHistogram.max)],
    [createGauge(`${LAG_METRIC}_mean_seconds`, 'Mean event loop lag.'), () => toLagSeconds(lagHistogram.mean)],
    [
      createGauge(`${LAG_METRIC}_stddev_seconds`, 'Standard deviation of the event loop lag.'),
      () => lagHistogram.stddev / 1e9,
    ],
    ...[50, 90, 99].map((percent): [Gauge, () => number] => [
      createGauge(`${LAG_METRIC}_p${percent}_seconds`, `${percent}th percentile of the event loop lag.`),
      () => toLagSeconds(lagHistogram.percentile(percent)),
    ]),
  ]
}

/** The milliseconds for which figures are served from memory after they were read: some of them count rows. */
export const METRICS_CACHE_TTL_MS = 5000

/** The figures of a registry as text, read once in some seconds, whoever asks. */
function createFigureCache(registry: Registry): () => Promise<string> {
  const cachedFigures = new LRUCache<'all', string>({
    max: 1,
    ttl: METRICS_CACHE_TTL_MS,
    fetchMethod: () => registry.metrics(),
  })
  return () => cachedFigures.forceFetch('all')
}

/** Serves the figures of the installation at /metrics, without a key, on a port of its own; gives how to stop it. */
export async function startMetricsListener(config: ServiceConfig, registry: Registry): Promise<() => Promise<void>> {
  const cachedFigures = createFigureCache(registry)
  const server = createServer(async (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    try {
      const text = await cachedFigures()
      response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    } catch {
      // Some are read from the database, which may be away.
      response.writeHead(503, { 'retry-after': '5' }).end()
    }
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(config.metricsPort, config.httpHost, resolve)
  await promise
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
