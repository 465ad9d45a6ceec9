import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import type { ServiceConfig } from '../config.ts'

const LAG = 'nodejs_eventloop_lag'

/** How often the event loop is asked how late it is. */
const LAG_SAMPLE_MS = 100
/** The longest that a timer can take. */
const NEVER_MS = 2 ** 31 - 1

/** What prom-client collects of a process; how late the event loop is with a tenth of its 100 timers a second, which kept idle processes busy. */
export function registerProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS })
  // Named like counters, which they are not: the sums of those by type.
  for (const kind of ['resources', 'handles', 'requests']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  collectLag(registry)
}

/** How late timers of the event loop were since it was collected last, in seconds, by the names that prom-client gives. */
function collectLag(registry: Registry): void {
  const samples = monitorEventLoopDelay({ resolution: LAG_SAMPLE_MS })
  samples.enable()
  // A sample is the time between two timers, in nanoseconds.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_SAMPLE_MS / 1000)
  const gauge = (name: string, help: string, collect?: (this: Gauge) => Promise<void>): Gauge => {
    registry.removeSingleMetric(name)
    return new Gauge({ name, help, registers: [registry], ...(collect && { collect }) })
  }
  // Collected first: it gives the others what they say.
  gauge(`${LAG}_seconds`, 'The lag of the event loop at the time it is collected.', async function () {
    // Before the first sample there is nothing to tell.
    for (const [own, seconds] of read) own.set(samples.count > 0 ? seconds() : 0)
    samples.reset()
    const begun = performance.now()
    await new Promise(setImmediate)
    this.set((performance.now() - begun) / 1000)
  })
  const read: [gauge: Gauge, seconds: () => number][] = [
    [gauge(`${LAG}_min_seconds`, 'The least lag of the event loop.'), () => late(samples.min)],
    [gauge(`${LAG}_max_seconds`, 'The greatest lag of the event loop.'), () => late(samples.max)],
    [gauge(`${LAG}_mean_seconds`, 'The mean lag of the event loop.'), () => late(samples.mean)],
    [gauge(`${LAG}_stddev_seconds`, 'The standard deviation of lags of the event loop.'), () => samples.stddev / 1e9],
    ...[50, 90, 99].map((percent): [Gauge, () => number] => [
      gauge(`${LAG}_p${percent}_seconds`, `The ${percent}th percentile of lags of the event loop.`),
      () => late(samples.percentile(percent)),
    ]),
  ]
}

/** The milliseconds for which figures are served from memory after they were read: some of them count rows. */
export const METRICS_CACHE_TTL_MS = 5000

/** The figures of a registry as text, read once in some seconds, whoever asks. */
function keptFigures(registry: Registry): () => Promise<string> {
  const figures = new LRUCache<'all', string>({
    max: 1,
    ttl: METRICS_CACHE_TTL_MS,
    fetchMethod: () => registry.metrics(),
  })
  return () => figures.forceFetch('all')
}

/** Serves the figures of the installation at /metrics, without a key, on a port of its own; gives how to stop it. */
export async function startMetricsListener(config: ServiceConfig, registry: Registry): Promise<() => Promise<void>> {
  const figures = keptFigures(registry)
  const server = createServer(async (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    try {
      const text = await figures()
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
