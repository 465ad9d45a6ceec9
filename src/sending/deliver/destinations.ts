import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { DestinationState, ShapingOrders } from '../../gateways/gateway.ts'
import type { AccountId } from '../../lib/account.ts'
import type { ReceivingRegistry } from '../gateway-registry/gateway-registry.ts'
import type { SenderContext } from '../senders/sender-context.ts'

/** Interval at which orders are read; states are written every third time. */
const READ_INTERVAL_MS = 1000
const ROUNDS_PER_WRITE = 3
/** A sender without a heartbeat for so long takes no part of the limits, and after the second time its states go. */
const SENDER_TIMEOUT_MS = 15_000
const STATE_RETENTION_MS = 60_000

/** The gateway of a destination: an account's own, or the installation's (null). */
type DestinationGateway = readonly [account: AccountId | null, destination: string]

const buildKey = (...place: DestinationGateway): string => place.join(' ')

/** Reports of the other senders: the number alive, the destinations held by operators, and those that other senders found closed. */
export interface DestinationOrders {
  senders: number
  held: ReadonlySet<string>
  suspended: ReadonlyMap<AccountId | null, ReadonlyMap<string, number>>
}

/** Reads the orders of this moment for a sender. */
export async function readDestinationOrders(db: Db, sender: string, now: number): Promise<DestinationOrders> {
  const { rows } = await sql<{
    senders: number
    held: DestinationGateway[]
    suspended: { account: number | null; destination: string; until: number }[]
  }>`
    select
      (select count(*)::integer from live_senders
        where seen_at > ${new Date(now - SENDER_TIMEOUT_MS)} or id = ${sender}::uuid) as senders,
      coalesce((select jsonb_agg(jsonb_build_array(account, destination)) from destination_holds), '[]') as held,
      coalesce((select jsonb_agg(s) from (
        select account, destination, floor(extract(epoch from max(suspended_until)) * 1000)::bigint as until
        from destination_states where suspended_until > ${new Date(now)} and sender <> ${sender}::uuid
        group by account, destination) s), '[]') as suspended`.execute(db)
  const { senders = 1, held: heldRows = [], suspended = [] } = rows[0] ?? {}
  const byAccount = Map.groupBy(suspended, ({ account }) => account)
  return {
    senders: Math.max(1, senders),
    held: new Set(heldRows.map(([account, destination]) => buildKey(account, destination))),
    suspended: new Map(
      [...byAccount].map(([account, list]) => [
        account,
        new Map(list.map(({ destination, until }) => [destination, until])),
      ]),
    ),
  }
}

/** The orders for one gateway. */
export function selectGatewayOrders(
  { senders, held: heldKeys, suspended }: DestinationOrders,
  account: AccountId | null,
): ShapingOrders {
  return {
    senders,
    isHeld: (owner, destination) => heldKeys.has(buildKey(owner, destination)),
    suspended: suspended.get(account) ?? new Map(),
  }
}

/** Writes a sender's heartbeat and the states of its destinations, in one statement; those of dead senders go. */
export async function writeDestinationStates(
  db: Db,
  sender: string,
  destinationStates: readonly (DestinationState & { account: AccountId | null })[],
  now: number,
): Promise<void> {
  const toDate = (time: number | null): Date | null => (time === null ? null : new Date(time))
  await sql`
    with alive as (
      insert into live_senders (id, seen_at) values (${sender}::uuid, ${new Date(now)})
      on conflict (id) do update set seen_at = excluded.seen_at
      returning id
    ), dead as (
      delete from live_senders where seen_at < ${new Date(now - STATE_RETENTION_MS)} and id <> ${sender}::uuid
    ), given as (
      select * from unnest(
        ${destinationStates.map(({ account }) => account)}::integer[], ${destinationStates.map(({ destination }) => destination)}::text[],
        ${destinationStates.map(({ state }) => state)}::text[], ${destinationStates.map(({ rate }) => rate)}::float8[],
        ${destinationStates.map(({ connections }) => connections)}::integer[],
        ${destinationStates.map(({ suspendedUntil }) => toDate(suspendedUntil))}::timestamptz[],
        ${destinationStates.map(({ lastRefusal }) => lastRefusal)}::text[],
        ${destinationStates.map(({ lastRefusalAt }) => toDate(lastRefusalAt))}::timestamptz[]
      ) as g (account, destination, state, rate, connections, suspended_until, last_refusal, last_refusal_at)
    ), forgotten as (
      delete from destination_states d
      where sender = ${sender}::uuid and not exists (
        select from given g where g.account is not distinct from d.account and g.destination = d.destination)
    )
    insert into destination_states
      (sender, account, destination, state, rate, connections, suspended_until, last_refusal, last_refusal_at)
    select alive.id, g.* from given g cross join alive
    on conflict (sender, account, destination) do update set state = excluded.state, rate = excluded.rate,
      connections = excluded.connections, suspended_until = excluded.suspended_until,
      last_refusal = excluded.last_refusal, last_refusal_at = excluded.last_refusal_at`.execute(db)
}

/** Deregisters a sender that ends: the others have its part of the limits at once. */
export async function deregisterSender(db: Db, sender: string): Promise<void> {
  await db.deleteFrom('live_senders').where('id', '=', sender).execute()
}

/** One exchange: states are written every few times, orders are read always. */
export async function exchangeDestinations(
  { db, id, clock }: Pick<SenderContext, 'db' | 'id' | 'clock'>,
  registry: Pick<ReceivingRegistry, 'shaping'>,
  isToWrite: boolean,
): Promise<void> {
  const shapingGateways = registry.shaping()
  if (shapingGateways.length === 0) return
  if (isToWrite) {
    const destinationStates = shapingGateways.flatMap(({ account, shaping }) =>
      shaping.states().map((state) => ({ ...state, account })),
    )
    await writeDestinationStates(db, id, destinationStates, clock.now())
  }
  const orders = await readDestinationOrders(db, id, clock.now())
  for (const { account, shaping } of shapingGateways) shaping.applyOrders(selectGatewayOrders(orders, account))
}

/** Goes on with that until the sender ends. While the database is away the last orders hold. */
export async function runDestinationLoop(sender: SenderContext, registry: ReceivingRegistry): Promise<void> {
  const { db, id, signal, log } = sender
  for (let round = 0; !signal.aborted; round++) {
    await exchangeDestinations(sender, registry, round % ROUNDS_PER_WRITE === 0).catch((error) =>
      log.warn({ err: error }, 'destinations are not shared with the other senders'),
    )
    await delay(READ_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  }
  await deregisterSender(db, id).catch((error) => log.debug({ err: error }, 'could not deregister sender'))
}
