import { Counter, Histogram, type Registry } from 'prom-client'
import { createNameLimiter } from '../../lib/bounded-names.ts'
import type { HttpApp } from '../app-type.ts'

/** Requests that are told apart by method, route and status at most; each takes a line or two of /metrics. */
const MOST_KINDS = 1000

/** `/targets` of `/targets/:id/events`. */
const areaOf = (route: string): string => /^\/[^/]*/.exec(route)?.[0] ?? route

/** The counters and times of requests. */
export interface RequestMetrics {
  note(request: { method: string; route: string; status: number; seconds: number }): void
}

/** Time to answer by the first part of the path, which has a line for each bucket; how many and their time also by route. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const registers = [registry]
  const times = new Histogram({
    name: 'stentor_http_request_seconds',
    help: 'Time to answer, by the first part of the path',
    labelNames: ['area'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const requests = new Counter({
    name: 'stentor_http_requests_total',
    help: 'Answered requests, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const seconds = new Counter({
    name: 'stentor_http_requests_seconds_total',
    help: 'Time to answer in all, by method and route',
    labelNames: ['method', 'route'],
    registers,
  })
  const kind = createNameLimiter(MOST_KINDS)
  return {
    note({ method, route, status, seconds: taken }) {
      const name = `${method} ${route} ${status}`
      const labels = kind(name) === name ? { method, route } : { method: 'other', route: 'other' }
      times.observe({ area: areaOf(route) }, taken)
      requests.inc({ ...labels, status })
      seconds.inc(labels, taken)
    },
  }
}

/** Counts and times every request, and logs one line of it, without address, query or body. */
export function registerRequestMetrics(app: HttpApp, registry: Registry): void {
  const figures = createRequestMetrics(registry)
  app.addHook('onResponse', async (request, reply) => {
    const { method, log } = request
    const route = request.routeOptions.url ?? 'unknown'
    const status = reply.statusCode
    figures.note({ method, route, status, seconds: reply.elapsedTime / 1000 })
    log.debug({ method, route, status, ms: Math.round(reply.elapsedTime) }, 'answered')
  })
}
