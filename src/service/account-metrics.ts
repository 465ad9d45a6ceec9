import { LRUCache } from 'lru-cache'
import { Registry } from 'prom-client'
import type { ServiceContext } from '../context.ts'
import { registerQueueMetrics } from '../features/deliverability/queues.ts'
import { registerWebhookMetrics } from '../features/webhooks/webhook-metrics.ts'
import type { AccountId } from '../lib/account.ts'
import { registerOutboxMetrics } from '../sending/outbox-metrics.ts'
import { METRICS_CACHE_TTL_MS } from './metrics.ts'

/** Accounts whose figures are kept. */
const MAX_CACHED_ACCOUNTS = 1000

/** Gives the figures of one account as text for Prometheus: what waits in its queues. They are read once in some seconds, whoever asks. */
export function createAccountMetrics({
  db,
  clock,
}: Pick<ServiceContext, 'db' | 'clock'>): (account: AccountId) => Promise<string> {
  const cachedMetrics = new LRUCache<AccountId, string>({
    max: MAX_CACHED_ACCOUNTS,
    ttl: METRICS_CACHE_TTL_MS,
    perf: clock,
    async fetchMethod(account) {
      const registry = new Registry()
      registerOutboxMetrics(db, registry, account)
      registerQueueMetrics({ db, clock }, registry, account)
      registerWebhookMetrics(db, registry, account)
      return registry.metrics()
    },
  })
  return (account) => cachedMetrics.forceFetch(account)
}
