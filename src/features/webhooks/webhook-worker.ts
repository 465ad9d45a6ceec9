import { setTimeout as delay } from 'node:timers/promises'
import { Counter, type Registry } from 'prom-client'
import type { ServiceContext } from '../../context.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { createWebhookDispatcher } from './dispatcher.ts'
import { registerWebhookMetrics } from './webhook-metrics.ts'

/** Time a stop waits for requests in progress; the others are retried when their leases end. */
const STOP_TIMEOUT_MS = 3000

/** Creates what the jobs role runs to deliver to webhooks: `dispatch` is called several times a second. */
export function createWebhookWorker(
  { db, clock, log, masterKeys, config }: ServiceContext,
  registry: Registry,
): { dispatch(): Promise<unknown>; stop(): Promise<void> } {
  const tryCounter = new Counter({
    name: 'stentor_webhook_tries_total',
    help: 'Requests to webhooks, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  })
  registerWebhookMetrics(db, registry)
  const outboundPolicy = createOutboundPolicy(config.outgoingAllow)
  const dispatcher = createWebhookDispatcher({ db, clock, log, masterKeys, reach: outboundPolicy, tries: tryCounter })
  return {
    dispatch: () => dispatcher.dispatch(),
    async stop() {
      await Promise.race([dispatcher.idle(), delay(STOP_TIMEOUT_MS, undefined, { ref: false })])
      dispatcher.end()
    },
  }
}
