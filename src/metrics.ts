import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'

/** Serves /metrics without a key on a port of its own; gives how to stop it. */
export async function startMetricsListener(config: Config, registry: Registry): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
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
