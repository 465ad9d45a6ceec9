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
const MAX_CONCURRENT_REQUESTS = 8
const MAX_CONCURRENT_FAILING = 2
/** Concurrent requests of the process; beyond it each webhook may have one, so that slow webhooks do not block others. */
const MAX_TOTAL_REQUESTS = 128

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

/** Computes the number of requests that may start for each webhook. */
function computeQuotas(webhooks: readonly BusyWebhook[], inProgress: ReadonlyMap<string, number>): WebhookQuota[] {
  let availableRequests = MAX_TOTAL_REQUESTS - [...inProgress.values()].reduce((sum, n) => sum + n, 0)
  return webhooks.flatMap((webhook) => {
    const runningCount = inProgress.get(webhook.id) ?? 0
    const webhookLimit = (webhook.failures > 0 ? MAX_CONCURRENT_FAILING : MAX_CONCURRENT_REQUESTS) - runningCount
    const freeSlots = Math.max(Math.min(webhookLimit, availableRequests), runningCount === 0 ? 1 : 0)
    availableRequests -= freeSlots
    return freeSlots > 0 || webhook.isSuspended ? [{ webhook, room: freeSlots }] : []
  })
}

/** Milliseconds: the time of a uuid version 7. */
function extractTime(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** The body of a delivery; undefined when all its events are past retention. A batch has an id of its own. */
function buildBody(
  { id, events }: WebhookDelivery,
  records: ReadonlyMap<string, WebhookRecord>,
  version: WebhookVersion,
): string | undefined {
  const foundRecords = events.flatMap((event) => records.get(event) ?? [])
  const [firstRecord] = foundRecords
  if (firstRecord === undefined) return undefined
  return firstRecord.id === id
    ? buildWebhookEventBody(firstRecord, version)
    : buildWebhookBatchBody(foundRecords, new Date(extractTime(id)), version)
}

const toFailureUnit = ({ id }: BusyWebhook) => ({ task: 'deliver webhooks', subject: `webhook ${id}` })

/** The body of a delivery. One that cannot be written is a failed try, and what went wrong is thrown. */
async function tryBuildBody(
  { db, clock }: WebhookDispatchContext,
  delivery: WebhookDelivery,
  records: ReadonlyMap<string, WebhookRecord>,
  { version }: BusyWebhook,
): Promise<string | undefined> {
  try {
    return buildBody(delivery, records, version)
  } catch (error) {
    const buildFailure = { detail: 'events could not be serialized', isGone: false, holdUntil: null }
    await recordWebhookFailure(db, delivery, buildFailure, clock.now())
    throw error
  }
}

/** Delivers, and records the result, for which it waits for the database: else it would be delivered again. */
async function deliverWebhook(
  context: WebhookDispatchContext & { signal: AbortSignal },
  webhook: BusyWebhook,
  delivery: WebhookDelivery,
  records: ReadonlyMap<string, WebhookRecord>,
): Promise<void> {
  const { db, clock, tries } = context
  const body = await tryBuildBody(context, delivery, records, webhook)
  const succeeded = () => recordWebhookSuccess(db, delivery, clock.now())
  if (body === undefined) return succeeded()
  const startedAt = performance.now()
  const result: WebhookTryResult = await postWebhookMessage(context, webhook, { id: delivery.id, body }, clock.now())
  const { failure } = result
  tries.inc({ outcome: failure === undefined ? 'delivered' : 'failed' })
  const webhookAttempt = { ...result, durationMs: Math.round(performance.now() - startedAt), at: new Date(clock.now()) }
  await retryWhileUnavailable(context, async () => {
    await (failure === undefined ? succeeded() : recordWebhookFailure(db, delivery, failure, clock.now()))
    await recordWebhookTry(db, delivery, webhookAttempt)
  })
}

/** Claims deliveries up to the quota of each webhook: retries first, then new ones. */
async function claimDeliveries(db: Db, quotas: readonly WebhookQuota[], now: Date): Promise<WebhookDelivery[]> {
  const retriedDeliveries = await claimDueDeliveries(db, quotas, now)
  const claimedByWebhook = Map.groupBy(retriedDeliveries, ({ webhook }) => webhook)
  const remainingQuotas = quotas.map(({ webhook, room }) => ({
    webhook,
    room: room - (claimedByWebhook.get(webhook.id)?.length ?? 0),
  }))
  const newDeliveries = await formWebhookDeliveries(
    db,
    remainingQuotas.filter(({ webhook, room }) => room > 0 || webhook.isSuspended),
    now,
  )
  return [...retriedDeliveries, ...newDeliveries]
}

/** Creates a dispatcher; other processes see its requests in progress by their leases. */
export function createWebhookDispatcher(context: WebhookDispatchContext): WebhookDispatcher {
  const { db, clock, log } = context
  const inProgress = new Map<string, number>()
  const runningDeliveries = new Set<Promise<unknown>>()
  const stopController = new AbortController()

  function startDelivery(
    webhook: BusyWebhook,
    delivery: WebhookDelivery,
    records: ReadonlyMap<string, WebhookRecord>,
  ): void {
    inProgress.set(webhook.id, (inProgress.get(webhook.id) ?? 0) + 1)
    const delivering = deliverWebhook({ ...context, signal: stopController.signal }, webhook, delivery, records)
      .then(() => recordTaskSuccess(db, toFailureUnit(webhook)))
      .catch((error) => recordTaskFailure(db, toFailureUnit(webhook), error))
      .catch((error) => log.error({ err: error, webhook: webhook.id }, 'webhook delivery failed'))
      .finally(() => {
        const remainingCount = (inProgress.get(webhook.id) ?? 1) - 1
        if (remainingCount > 0) inProgress.set(webhook.id, remainingCount)
        else inProgress.delete(webhook.id)
        runningDeliveries.delete(delivering)
      })
    runningDeliveries.add(delivering)
  }

  return {
    async dispatch() {
      const now = new Date(clock.now())
      const quotas = computeQuotas(await listBusyWebhooks(db, now), inProgress)
      if (quotas.length === 0) return 0
      const deliveries = await claimDeliveries(db, quotas, now)
      const accounts = [...new Set(quotas.map(({ webhook }) => webhook.account))]
      const records = await readWebhookRecords(db, [...new Set(deliveries.flatMap(({ events }) => events))], accounts)
      const webhooks = new Map(quotas.map(({ webhook }) => [webhook.id, webhook]))
      for (const delivery of deliveries) {
        const webhook = webhooks.get(delivery.webhook)
        if (webhook) startDelivery(webhook, delivery, records)
      }
      return deliveries.length
    },
    async idle() {
      await Promise.all(runningDeliveries)
    },
    end: () => stopController.abort(),
  }
}
