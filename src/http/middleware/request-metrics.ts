import { Counter, Histogram, type Registry } from 'prom-client'
import { createNameLimiter } from '../../lib/bounded-names.ts'
import type { HttpApp } from '../app-type.ts'

/** The largest number of requests distinguished by method, route and status; each adds a line or two to /metrics. */
const MAX_LABEL_SETS = 1000

/** `/targets` of `/targets/:id/events`. */
const getRouteArea = (route: string): string => /^\/[^/]*/.exec(route)?.[0] ?? route

/** The counters and times of requests. */
export interface RequestMetrics {
  note(request: { method: string; route: string; status: number; seconds: number }): void
}

/** Time to answer by the first part of the path, which has a line for each bucket; how many and their time also by route. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const registers = [registry]
  const durationHistogram = new Histogram({
    name: 'stentor_http_request_seconds',
    help: 'Time to answer, by the first part of the path',
    labelNames: ['area'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const requestCounter = new Counter({
    name: 'stentor_http_requests_total',
    help: 'Answered requests, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durationCounter = new Counter({
    name: 'stentor_http_requests_seconds_total',
    help: 'Time to answer in all, by method and route',
    labelNames: ['method', 'route'],
    registers,
  })
  const limitName = createNameLimiter(MAX_LABEL_SETS)
  return {
    note({ method, route, status, seconds: durationSeconds }) {
      const name = `${method} ${route} ${status}`
      const labels = limitName(name) === name ? { method, route } : { method: 'other', route: 'other' }
      durationHistogram.observe({ area: getRouteArea(route) }, durationSeconds)
      requestCounter.inc({ ...labels, status })
      durationCounter.inc(labels, durationSeconds)
    },
  }
}

/** Counts and times every request, and logs one line of it, without address, query or body. */
export function registerRequestMetrics(app: HttpApp, registry: Registry): void {
  const requestMetrics = createRequestMetrics(registry)
  app.addHook('onResponse', async (request, reply) => {
    const { method, log } = request
    const route = request.routeOptions.url ?? 'unknown'
    const status = reply.statusCode
    requestMetrics.note({ method, route, status, seconds: reply.elapsedTime / 1000 })
    log.debug({ method, route, status, ms: Math.round(reply.elapsedTime) }, 'answered')
  })
}
