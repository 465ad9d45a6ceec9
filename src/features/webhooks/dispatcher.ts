import type { Logger } from 'pino'
import type { Counter } from 'prom-client'
import type { Db } from '../../database/connection/connect.ts'
import { retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import { recordTaskFailure, recordTaskSuccess } from '../../jobs/failures.ts'
import type { Clock } from '../../lib/time/clock.ts'
import {
  buildWebhookBatchBody,
  buildWebhookEventBody,
  readWebhookRecords,
  type WebhookRecord,
  type WebhookVersion,
} from './bodies.ts'
import { recordWebhookFailure, recordWebhookSuccess } from './outcomes.ts'
import {
  type BusyWebhook,
  claimDueDeliveries,
  formWebhookDeliveries,
  listBusyWebhooks,
  type WebhookDelivery,
  type WebhookQuota,
} from './queue.ts'
import { postWebhookMessage, type WebhookRequestContext, type WebhookTryResult } from './request.ts'
import { recordWebhookTry } from './tries.ts'

/** Concurrent requests to one webhook, and to one whose last try failed. */
const CONCURRENCY = 8
const CONCURRENCY_FAILING = 2
/** Concurrent requests of the process; beyond it each webhook may have one, so that slow webhooks do not block others. */
const TOTAL_CONCURRENCY = 128

export interface WebhookDispatchContext extends WebhookRequestContext {
  db: Db
  clock: Clock
  log: Logger
  /** Counts tries by `outcome`. */
  tries: Counter<'outcome'>
}

/** Delivers to webhooks, in any number of processes. */
export interface WebhookDispatcher {
  /** Starts every due delivery within the limits, without waiting for them; returns how many. */
  dispatch(): Promise<number>
  /** Resolves when no request is in progress. */
  idle(): Promise<void>
  /** Stops waiting for an unavailable database: unrecorded deliveries are repeated when their leases have ended. */
  end(): void
}

/** How many requests may start, for each webhook. */
function quotasOf(webhooks: readonly BusyWebhook[], inProgress: ReadonlyMap<string, number>): WebhookQuota[] {
  let left = TOTAL_CONCURRENCY - [...inProgress.values()].reduce((sum, n) => sum + n, 0)
  return webhooks.flatMap((webhook) => {
    const running = inProgress.get(webhook.id) ?? 0
    const own = (webhook.failures > 0 ? CONCURRENCY_FAILING : CONCURRENCY) - running
    const room = Math.max(Math.min(own, left), running === 0 ? 1 : 0)
    left -= room
    return room > 0 || webhook.isSuspended ? [{ webhook, room }] : []
  })
}

/** Milliseconds: the time of a uuid version 7. */
function instantOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** The body of a delivery; undefined when all its events are past retention. A batch has an id of its own. */
function bodyOf(
  { id, events }: WebhookDelivery,
  records: ReadonlyMap<string, WebhookRecord>,
  version: WebhookVersion,
): string | undefined {
  const found = events.flatMap((event) => records.get(event) ?? [])
  const [first] = found
  if (first === undefined) return undefined
  return first.id === id
    ? buildWebhookEventBody(first, version)
    : buildWebhookBatchBody(found, new Date(instantOf(id)), version)
}

const unitOf = ({ id }: BusyWebhook) => ({ task: 'deliver webhooks', subject: `webhook ${id}` })

/** The body of a delivery. One that cannot be written is a failed try, and what went wrong is thrown. */
async function writeBody(
  { db, clock }: WebhookDispatchContext,
  delivery: WebhookDelivery,
  records: ReadonlyMap<string, WebhookRecord>,
  { version }: BusyWebhook,
): Promise<string | undefined> {
  try {
    return bodyOf(delivery, records, version)
  } catch (error) {
    const failure = { detail: 'the events could not be written', isGone: false, holdUntil: null }
    await recordWebhookFailure(db, delivery, failure, clock.now())
    throw error
  }
}

/** Delivers, and records the result, for which it waits for the database: else it would be delivered again. */
async function deliver(
  context: WebhookDispatchContext & { signal: AbortSignal },
  webhook: BusyWebhook,
  delivery: WebhookDelivery,
  records: ReadonlyMap<string, WebhookRecord>,
): Promise<void> {
  const { db, clock, tries } = context
  const body = await writeBody(context, delivery, records, webhook)
  const succeeded = () => recordWebhookSuccess(db, delivery, clock.now())
  if (body === undefined) return succeeded()
  const startedAt = performance.now()
  const result: WebhookTryResult = await postWebhookMessage(context, webhook, { id: delivery.id, body }, clock.now())
  const { failure } = result
  tries.inc({ outcome: failure === undefined ? 'delivered' : 'failed' })
  const attempt = { ...result, durationMs: Math.round(performance.now() - startedAt), at: new Date(clock.now()) }
  await retryWhileUnavailable(context, async () => {
    await (failure === undefined ? succeeded() : recordWebhookFailure(db, delivery, failure, clock.now()))
    await recordWebhookTry(db, delivery, attempt)
  })
}

/** Claims deliveries up to the quota of each webhook: retries first, then new ones. */
async function claim(db: Db, quotas: readonly WebhookQuota[], now: Date): Promise<WebhookDelivery[]> {
  const again = await claimDueDeliveries(db, quotas, now)
  const taken = Map.groupBy(again, ({ webhook }) => webhook)
  const left = quotas.map(({ webhook, room }) => ({ webhook, room: room - (taken.get(webhook.id)?.length ?? 0) }))
  const fresh = await formWebhookDeliveries(
    db,
    left.filter(({ webhook, room }) => room > 0 || webhook.isSuspended),
    now,
  )
  return [...again, ...fresh]
}

/** Creates a dispatcher; other processes see its requests in progress by their leases. */
export function createWebhookDispatcher(context: WebhookDispatchContext): WebhookDispatcher {
  const { db, clock, log } = context
  const inProgress = new Map<string, number>()
  const running = new Set<Promise<unknown>>()
  const stopping = new AbortController()

  function start(webhook: BusyWebhook, delivery: WebhookDelivery, records: ReadonlyMap<string, WebhookRecord>): void {
    inProgress.set(webhook.id, (inProgress.get(webhook.id) ?? 0) + 1)
    const done = deliver({ ...context, signal: stopping.signal }, webhook, delivery, records)
      .then(() => recordTaskSuccess(db, unitOf(webhook)))
      .catch((error) => recordTaskFailure(db, unitOf(webhook), error))
      .catch((error) => log.error({ err: error, webhook: webhook.id }, 'webhook delivery failed'))
      .finally(() => {
        const left = (inProgress.get(webhook.id) ?? 1) - 1
        if (left > 0) inProgress.set(webhook.id, left)
        else inProgress.delete(webhook.id)
        running.delete(done)
      })
    running.add(done)
  }

  return {
    async dispatch() {
      const now = new Date(clock.now())
      const quotas = quotasOf(await listBusyWebhooks(db, now), inProgress)
      if (quotas.length === 0) return 0
      const deliveries = await claim(db, quotas, now)
      const accounts = [...new Set(quotas.map(({ webhook }) => webhook.account))]
      const records = await readWebhookRecords(db, [...new Set(deliveries.flatMap(({ events }) => events))], accounts)
      const webhooks = new Map(quotas.map(({ webhook }) => [webhook.id, webhook]))
      for (const delivery of deliveries) {
        const webhook = webhooks.get(delivery.webhook)
        if (webhook) start(webhook, delivery, records)
      }
      return deliveries.length
    },
    async idle() {
      await Promise.all(running)
    },
    end: () => stopping.abort(),
  }
}
