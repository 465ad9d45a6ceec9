import type { HttpApp } from '../app-type.ts'

/** The shortest time between two reports of a proxy, in milliseconds. */
const REPORT_INTERVAL_MS = 60_000

/** Reports the address of a client that sends X-Forwarded-For without being a trusted proxy: at once, then at most once a minute. */
export function reportUntrustedProxies(app: HttpApp, report: (address: string) => void): void {
  let reportedAt = Number.NEGATIVE_INFINITY
  app.addHook('onRequest', (request, _reply, done) => {
    const { remoteAddress } = request.socket
    const isUntrusted = request.headers['x-forwarded-for'] !== undefined && request.ip === remoteAddress
    const now = performance.now()
    if (isUntrusted && remoteAddress !== undefined && now - reportedAt >= REPORT_INTERVAL_MS) {
      reportedAt = now
      report(remoteAddress)
    }
    done()
  })
}
