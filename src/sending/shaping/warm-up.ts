import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import type { DomainWarmUp } from '../../gateways/gateway.ts'
import type { DestinationTable } from '../../gateways/smtp-direct/destination-table.ts'
import { getWarmUpAllowance } from '../../gateways/smtp-direct/warm-up-schedule.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { type Clock, isStillWaiting } from '../../lib/time/clock.ts'
import { DAY_MS } from '../../lib/time/spans.ts'

export { getWarmUpAllowance }

/** Cache lifetime of the list of young domains. */
const REFRESH_INTERVAL_MS = 5000
/** So many are reserved in the database at once; fewer where fewer are left. */
const RESERVATION_BLOCK = 20
/** A day whose allowance is used up is looked at again after this: another sender may have given something back. */
const FULL_RECHECK_MS = 10_000

/** Formats a day in UTC: `2027-03-01`. */
const formatDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Starts the warm-up of a domain on a day (UTC), again if it had one. Throws notFound for a domain that the account does not have. */
export async function startDomainWarmUp(db: Db, account: AccountId, domain: string, startsOn: string): Promise<void> {
  await mapConstraintErrors(
    db
      .insertInto('warm_ups')
      .values({ account, domain, starts_on: startsOn })
      .onConflict((conflict) => conflict.columns(['account', 'domain']).doUpdateSet({ starts_on: startsOn }))
      .execute(),
    { foreignKey: () => notFoundProblem('domain', domain) },
  )
}

/** Ends the warm-up of a domain: from now on it sends as much as it likes. Throws notFound. */
export async function endDomainWarmUp(db: Db, account: AccountId, domain: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('warm_ups')
    .where('account', '=', account)
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFoundProblem('warm-up of', domain)
}

interface WarmUpCounter {
  account: AccountId
  domain: string
  destination: string
  day: string
}

/** Reserves up to a block of a day's allowance; gives how many. Senders take turns on the row. */
export async function reserveWarmUpAllowance(
  db: Db,
  { account, domain, destination, day }: WarmUpCounter,
  allowance: number,
): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    insert into warm_up_counts as c (account, domain, destination, day, sent)
    values (${account}, ${domain}, ${destination}, ${day}::date, ${Math.min(RESERVATION_BLOCK, allowance)})
    on conflict (account, domain, destination, day) do update
      set sent = least(c.sent + ${RESERVATION_BLOCK}, greatest(c.sent, ${allowance}::integer))
    returning new.sent - coalesce(old.sent, 0) as taken`.execute(db)
  return rows[0]?.taken ?? 0
}

/** Gives back what was reserved and not used. */
async function returnReservation(
  db: Db,
  { account, domain, destination, day }: WarmUpCounter,
  count: number,
): Promise<void> {
  await sql`
    update warm_up_counts set sent = greatest(0, sent - ${count}::integer)
    where account = ${account} and domain = ${domain} and destination = ${destination} and day = ${day}::date`.execute(
    db,
  )
}

interface ReservedStock {
  counter: WarmUpCounter
  left: number
  fullUntil: number
  filling: Promise<void> | undefined
}

/** Counts for the gateways of one sender. */
export interface WarmUpLedger extends DomainWarmUp {
  /** Gives the rest of the reserved back. */
  close(): Promise<void>
}

/**
 * Keeps count of what young sending domains send to each destination on each day (UTC), with all senders: each reserves
 * a few messages at a time. Domains without a schedule cost nothing.
 */
export function openWarmUpLedger(
  db: Db,
  clock: Clock,
  { warmUp: schedule }: Pick<DestinationTable, 'warmUp'>,
): WarmUpLedger {
  const stocksByKey = new Map<string, ReservedStock>()
  let pendingDomains: Promise<ReadonlyMap<string, string>> | undefined
  let knownUntil = 0

  async function readYoung(): Promise<ReadonlyMap<string, string>> {
    const rows = await db.selectFrom('warm_ups').select(['account', 'domain', 'starts_on']).execute()
    return new Map(rows.map(({ account, domain, starts_on }) => [`${account} ${domain}`, starts_on]))
  }

  function youngDomains(): Promise<ReadonlyMap<string, string>> {
    const now = clock.now()
    if (pendingDomains === undefined || !isStillWaiting(knownUntil, { now, longestMs: REFRESH_INTERVAL_MS })) {
      knownUntil = now + REFRESH_INTERVAL_MS
      pendingDomains = readYoung().catch((error) => {
        pendingDomains = undefined
        throw error
      })
    }
    return pendingDomains
  }

  function findOrCreateStock(counter: WarmUpCounter): ReservedStock {
    const key = Object.values(counter).join(' ')
    const existingStock = stocksByKey.get(key)
    if (existingStock) return existingStock
    // Another day: what was left of the one before is of no use any more.
    for (const [oldKey, stock] of stocksByKey) if (stock.counter.day < counter.day) stocksByKey.delete(oldKey)
    const stock: ReservedStock = { counter, left: 0, fullUntil: 0, filling: undefined }
    stocksByKey.set(key, stock)
    return stock
  }

  async function fillStock(stock: ReservedStock, allowance: number): Promise<void> {
    const reservedCount = await reserveWarmUpAllowance(db, stock.counter, allowance)
    stock.left += reservedCount
    if (reservedCount === 0) stock.fullUntil = clock.now() + FULL_RECHECK_MS
  }

  return {
    async take({ account }, domain, destination) {
      const startsOn = (await youngDomains()).get(`${account} ${domain}`)
      if (startsOn === undefined) return 0
      const now = clock.now()
      const day = formatDay(now)
      const allowance = getWarmUpAllowance(day, startsOn, schedule)
      if (allowance === undefined) return 0
      const stock = findOrCreateStock({ account, domain, destination, day })
      while (stock.left === 0 && !isStillWaiting(stock.fullUntil, { now: clock.now(), longestMs: FULL_RECHECK_MS })) {
        stock.filling ??= fillStock(stock, allowance).finally(() => {
          stock.filling = undefined
        })
        await stock.filling
      }
      if (stock.left === 0) return Date.parse(day) + DAY_MS - now
      stock.left--
      return 0
    },
    giveBack({ account }, domain, destination) {
      const key = Object.values({ account, domain, destination, day: formatDay(clock.now()) }).join(' ')
      const stock = stocksByKey.get(key)
      if (stock) stock.left++
    },
    async close() {
      const unusedStocks = [...stocksByKey.values()].filter(({ left: unusedCount }) => unusedCount > 0)
      stocksByKey.clear()
      await Promise.all(
        unusedStocks.map(({ counter, left: unusedCount }) => returnReservation(db, counter, unusedCount)),
      )
    },
  }
}
