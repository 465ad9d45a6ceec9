import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { deleteUnregistered, restoreUnregistered, UNREGISTERED_RETENTION_MS, type UnregisteredDevice } from '../gone.ts'
import { beginProviderSuspensions, type PushProviderKey } from './push-rests.ts'

/** A push that was answered. */
export interface PushAttempt extends PushProviderKey {
  account: AccountId
  /** Milliseconds. */
  at: number
  /** Its device is no more. */
  gone?: UnregisteredDevice
}

/*
 * A wrong environment or key looks as if devices were gone. So deletions stop when too many are: more than a share of at
 * least so many pushes of one provider in the time that deleted subscriptions are kept.
 */
const LEAST = 200
const SHARE = 0.2
/** Pushes are counted together that were answered in so much time. */
const SPAN_MS = 10_000

interface Provider extends PushProviderKey {
  account: AccountId
  attempts: PushAttempt[]
  /** When the last of them was answered. */
  now: number
}

/** By provider, in one order for all who count. */
function byProvider(attempts: readonly PushAttempt[]): Provider[] {
  const groups = Map.groupBy(attempts, ({ application, provider }) => `${application} ${provider}`)
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => {
      const { account, application, provider } = own[0]!
      return { account, application, provider, attempts: own, now: Math.max(...own.map(({ at }) => at)) }
    })
}

async function count(tx: Db, attempts: readonly PushAttempt[]): Promise<void> {
  await sql`
    insert into push_attempts as p (application, provider, began_at, shard, answered, gone)
    select application, provider, began_at, pg_backend_pid() % 16, count(*), count(*) filter (where gone)
    from unnest(
      ${attempts.map(({ application }) => application)}::uuid[], ${attempts.map(({ provider }) => provider)}::text[],
      ${attempts.map(({ at }) => new Date(at))}::timestamptz[],
      ${attempts.map(({ at }) => new Date(Math.floor(at / SPAN_MS) * SPAN_MS))}::timestamptz[],
      ${attempts.map(({ gone }) => gone !== undefined)}::boolean[]) as g (application, provider, at, began_at, gone)
    where not exists (select from applications a where a.id = g.application and a.rests_ended_at > g.at)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (application, provider, began_at, shard) do update
      set answered = p.answered + excluded.answered, gone = p.gone + excluded.gone`.execute(tx)
}

interface Standing extends PushProviderKey {
  answered: number
  gone: number
  rests: boolean
  /** When somebody ended a rest of it: what was answered before counts for nothing. */
  ended_at: Date | null
}

/** What was counted of providers, also by those who decided just before. */
async function standingsOf(tx: Db, providers: readonly Provider[]): Promise<Map<string, Standing>> {
  const applications = providers.map(({ application }) => application)
  const types = providers.map(({ provider }) => provider)
  const since = providers.map(({ now }) => new Date(now - UNREGISTERED_RETENTION_MS))
  // Who decides on a provider does it alone: each knows then what the one before deleted.
  await sql`
    select pg_advisory_xact_lock(hashtextextended('push guard ' || application || ' ' || provider, 0))
    from unnest(${applications}::text[], ${types}::text[]) as g (application, provider)`.execute(tx)
  const { rows } = await sql<Standing>`
    select g.application, g.provider, coalesce(sum(p.answered), 0)::integer as answered,
      coalesce(sum(p.gone), 0)::integer as gone,
      exists (select from push_rests r where r.application = g.application and r.provider = g.provider) as rests,
      (select a.rests_ended_at from applications a where a.id = g.application) as ended_at
    from unnest(${applications}::uuid[], ${types}::text[], ${since}::timestamptz[]) as g (application, provider, since)
    left join push_attempts p on p.application = g.application and p.provider = g.provider and p.began_at > g.since
    group by g.application, g.provider`.execute(tx)
  return new Map(rows.map((row) => [`${row.application} ${row.provider}`, row]))
}

/** Too many are gone: nothing is deleted any more, what was comes back, and the provider rests. */
async function stop(tx: Db, providers: readonly Provider[]): Promise<void> {
  if (providers.length === 0) return
  await beginProviderSuspensions(tx, providers, new Date(Math.max(...providers.map(({ now }) => now))))
  for (const { account, now, ...key } of providers) await restoreUnregistered(tx, account, key, new Date(now))
}

/** Deletes what is gone, account by account. */
async function forget(
  tx: Db,
  providers: readonly Provider[],
  counts: (attempt: PushAttempt) => boolean,
): Promise<void> {
  for (const [account, own] of Map.groupBy(providers, (provider) => provider.account)) {
    const devices = own.flatMap(({ attempts }) => attempts.filter(counts).flatMap(({ gone }) => gone ?? []))
    await deleteUnregistered(tx, account, devices, new Date(Math.max(...own.map(({ now }) => now))))
  }
}

/**
 * Counts pushes that were answered, in the transaction that records them, and deletes the subscriptions of devices that
 * are gone, unless these are too many, or were a moment ago.
 */
export async function countPushAttempts(tx: Db, attempts: readonly PushAttempt[]): Promise<void> {
  if (attempts.length === 0) return
  await count(tx, attempts)
  const doubted = byProvider(attempts.filter(({ gone }) => gone))
  if (doubted.length === 0) return
  const standings = await standingsOf(tx, doubted)
  const { few = [], many = [] } = Object.groupBy(doubted, ({ application, provider }) => {
    const { answered = 0, gone = 0, rests = false } = standings.get(`${application} ${provider}`) ?? {}
    if (rests) return 'resting'
    return answered >= LEAST && gone > answered * SHARE ? 'many' : 'few'
  })
  await stop(tx, many)
  await forget(tx, few, ({ application, provider, at }) => {
    const endedAt = standings.get(`${application} ${provider}`)?.ended_at
    return !endedAt || at >= endedAt.getTime()
  })
}
