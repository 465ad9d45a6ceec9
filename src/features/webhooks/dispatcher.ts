import type { Logger } from 'pino'
import type { Counter } from 'prom-client'
import type { Db } from '../../database/connect.ts'
import type { Clock } from '../../lib/clock.ts'
import { retryWhileUnavailable } from '../../outbox/sender-context.ts'
import { bodyOfBatch, bodyOfOne, readTold, type Told } from './bodies.ts'
import { recordFailure, recordSuccess } from './outcomes.ts'
import { type BusyWebhook, busyWebhooks, claimDue, type Delivery, formDeliveries, type Turn } from './queue.ts'
import { type Outcome, post, type Sending } from './request.ts'

/** Requests under way to one webhook, and to one whose last try failed. */
const AT_ONCE = 8
const AT_ONCE_FAILING = 2
/** Requests under way in the process; beyond it a webhook may have one, so that none waits for others that are slow. */
const AT_ONCE_ALL = 128

export interface DispatchContext extends Sending {
  db: Db
  clock: Clock
  log: Logger
  /** Counts tries by `outcome`. */
  tries: Counter<'outcome'>
}

/** Delivers to webhooks. Any number of processes may do so. */
export interface Dispatcher {
  /** Begins every delivery that is due and has room, and does not wait for them; gives how many. */
  turn(): Promise<number>
  /** Resolves when no request is under way. */
  idle(): Promise<void>
  /** What waits for the database to be recorded waits no longer: it is delivered again when its lease has ended. */
  end(): void
}

/** How many requests may begin, for each webhook. */
function roomFor(webhooks: readonly BusyWebhook[], underWay: ReadonlyMap<string, number>): Turn[] {
  let left = AT_ONCE_ALL - [...underWay.values()].reduce((sum, n) => sum + n, 0)
  return webhooks.flatMap((webhook) => {
    const running = underWay.get(webhook.id) ?? 0
    const own = (webhook.failures > 0 ? AT_ONCE_FAILING : AT_ONCE) - running
    const room = Math.max(Math.min(own, left), running === 0 ? 1 : 0)
    left -= room
    return room > 0 || webhook.isSuspended ? [{ webhook, room }] : []
  })
}

/** Milliseconds: the time of a uuid version 7. */
function instantOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** The body of a delivery; undefined when retention has taken all it tells. A batch has an id of its own. */
function bodyOf({ id, events }: Delivery, told: ReadonlyMap<string, Told>): string | undefined {
  const found = events.flatMap((event) => told.get(event) ?? [])
  const [first] = found
  if (first === undefined) return undefined
  return first.id === id ? bodyOfOne(first) : bodyOfBatch(found, new Date(instantOf(id)))
}

/** Delivers, and records what came of it: while the database is away that waits, as else it would be delivered again. */
async function deliver(
  context: DispatchContext & { signal: AbortSignal },
  webhook: BusyWebhook,
  delivery: Delivery,
  body: string | undefined,
): Promise<void> {
  const { db, clock, tries } = context
  const succeeded = () => recordSuccess(db, delivery, clock.now())
  if (body === undefined) return succeeded()
  const { failure }: Outcome = await post(context, webhook, { id: delivery.id, body }, clock.now())
  tries.inc({ outcome: failure === undefined ? 'delivered' : 'failed' })
  await retryWhileUnavailable(context, () =>
    failure === undefined ? succeeded() : recordFailure(db, delivery, failure, clock.now()),
  )
}

/** Claims what fits into the room of each webhook: tries that failed before, then what is new. */
async function claim(db: Db, turns: readonly Turn[], now: Date): Promise<Delivery[]> {
  const again = await claimDue(db, turns, now)
  const taken = Map.groupBy(again, ({ webhook }) => webhook)
  const left = turns.map(({ webhook, room }) => ({ webhook, room: room - (taken.get(webhook.id)?.length ?? 0) }))
  const fresh = await formDeliveries(
    db,
    left.filter(({ webhook, room }) => room > 0 || webhook.isSuspended),
    now,
  )
  return [...again, ...fresh]
}

/** A dispatcher of its own; what is under way is known to it alone, and to others by its leases. */
export function createDispatcher(context: DispatchContext): Dispatcher {
  const { db, clock, log } = context
  const underWay = new Map<string, number>()
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()

  function begin(webhook: BusyWebhook, delivery: Delivery, body: string | undefined): void {
    underWay.set(webhook.id, (underWay.get(webhook.id) ?? 0) + 1)
    const done = deliver({ ...context, signal: stopping.signal }, webhook, delivery, body)
      .catch((error) => log.error({ err: error, webhook: webhook.id }, 'a webhook was not delivered'))
      .finally(() => {
        const left = (underWay.get(webhook.id) ?? 1) - 1
        if (left > 0) underWay.set(webhook.id, left)
        else underWay.delete(webhook.id)
        running.delete(done)
      })
    running.add(done)
  }

  return {
    async turn() {
      const now = new Date(clock.now())
      const turns = roomFor(await busyWebhooks(db, now), underWay)
      if (turns.length === 0) return 0
      const deliveries = await claim(db, turns, now)
      const told = await readTold(db, [...new Set(deliveries.flatMap(({ events }) => events))])
      const webhooks = new Map(turns.map(({ webhook }) => [webhook.id, webhook]))
      for (const delivery of deliveries) {
        const webhook = webhooks.get(delivery.webhook)
        if (webhook) begin(webhook, delivery, bodyOf(delivery, told))
      }
      return deliveries.length
    },
    async idle() {
      await Promise.all(running)
    },
    end: () => stopping.abort(),
  }
}
