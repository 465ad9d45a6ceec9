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
  /** Set if its device is unregistered. */
  gone?: UnregisteredDevice
}

/*
 * A wrong environment or key looks as if devices were gone. So deletions stop when too many are: more than a share of at
 * least so many pushes of one provider in the time that deleted subscriptions are kept.
 */
const MIN_ANSWERED_PUSHES = 200
const MAX_UNREGISTERED_SHARE = 0.2
/** Pushes are counted together that were answered in so much time. */
const COUNTING_SPAN_MS = 10_000

interface CountedProvider extends PushProviderKey {
  account: AccountId
  attempts: PushAttempt[]
  /** Time of the last answer among them. */
  now: number
}

/** By provider, in one order for all who count. */
function groupByProvider(attempts: readonly PushAttempt[]): CountedProvider[] {
  const groups = Map.groupBy(attempts, ({ application, provider }) => `${application} ${provider}`)
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, providerAttempts]) => {
      const { account, application, provider } = providerAttempts[0]!
      return {
        account,
        application,
        provider,
        attempts: providerAttempts,
        now: Math.max(...providerAttempts.map(({ at }) => at)),
      }
    })
}

async function countAttempts(tx: Db, attempts: readonly PushAttempt[]): Promise<void> {
  await sql`
    insert into push_attempts as p (application, provider, began_at, shard, answered, gone)
    select application, provider, began_at, pg_backend_pid() % 16, count(*), count(*) filter (where gone)
    from unnest(
      ${attempts.map(({ application }) => application)}::uuid[], ${attempts.map(({ provider }) => provider)}::text[],
      ${attempts.map(({ at }) => new Date(at))}::timestamptz[],
      ${attempts.map(({ at }) => new Date(Math.floor(at / COUNTING_SPAN_MS) * COUNTING_SPAN_MS))}::timestamptz[],
      ${attempts.map(({ gone: unregisteredDevice }) => unregisteredDevice !== undefined)}::boolean[]) as g (application, provider, at, began_at, gone)
    where not exists (select from applications a where a.id = g.application and a.rests_ended_at > g.at)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (application, provider, began_at, shard) do update
      set answered = p.answered + excluded.answered, gone = p.gone + excluded.gone`.execute(tx)
}

interface ProviderCounts extends PushProviderKey {
  answered: number
  gone: number
  rests: boolean
  /** End of the last suspension, if a user ended it: earlier answers do not count. */
  ended_at: Date | null
}

/** Counts of providers, including those of other transactions that decided just before. */
async function loadProviderCounts(tx: Db, providers: readonly CountedProvider[]): Promise<Map<string, ProviderCounts>> {
  const applications = providers.map(({ application }) => application)
  const providerTypes = providers.map(({ provider }) => provider)
  const countedSince = providers.map(({ now }) => new Date(now - UNREGISTERED_RETENTION_MS))
  // Who decides on a provider does it alone: each knows then what the one before deleted.
  await sql`
    select pg_advisory_xact_lock(hashtextextended('push guard ' || application || ' ' || provider, 0))
    from unnest(${applications}::text[], ${providerTypes}::text[]) as g (application, provider)`.execute(tx)
  const { rows } = await sql<ProviderCounts>`
    select g.application, g.provider, coalesce(sum(p.answered), 0)::integer as answered,
      coalesce(sum(p.gone), 0)::integer as gone,
      exists (select from push_rests r where r.application = g.application and r.provider = g.provider) as rests,
      (select a.rests_ended_at from applications a where a.id = g.application) as ended_at
    from unnest(${applications}::uuid[], ${providerTypes}::text[], ${countedSince}::timestamptz[]) as g (application, provider, since)
    left join push_attempts p on p.application = g.application and p.provider = g.provider and p.began_at > g.since
    group by g.application, g.provider`.execute(tx)
  return new Map(rows.map((row) => [`${row.application} ${row.provider}`, row]))
}

/** Too many are gone: nothing is deleted any more, what was comes back, and the provider rests. */
async function suspendProvider(tx: Db, providers: readonly CountedProvider[]): Promise<void> {
  if (providers.length === 0) return
  await beginProviderSuspensions(tx, providers, new Date(Math.max(...providers.map(({ now }) => now))))
  for (const { account, now, ...key } of providers) await restoreUnregistered(tx, account, key, new Date(now))
}

/** Deletes what is gone, account by account. */
async function deleteUnregisteredDevices(
  tx: Db,
  providers: readonly CountedProvider[],
  counts: (attempt: PushAttempt) => boolean,
): Promise<void> {
  for (const [account, accountProviders] of Map.groupBy(providers, (provider) => provider.account)) {
    const unregisteredDevices = accountProviders.flatMap(({ attempts }) =>
      attempts.filter(counts).flatMap(({ gone: unregisteredDevice }) => unregisteredDevice ?? []),
    )
    await deleteUnregistered(
      tx,
      account,
      unregisteredDevices,
      new Date(Math.max(...accountProviders.map(({ now }) => now))),
    )
  }
}

/**
 * Counts pushes that were answered, in the transaction that records them, and deletes the subscriptions of devices that
 * are gone, unless these are too many, or were a moment ago.
 */
export async function countPushAttempts(tx: Db, attempts: readonly PushAttempt[]): Promise<void> {
  if (attempts.length === 0) return
  await countAttempts(tx, attempts)
  const suspectProviders = groupByProvider(attempts.filter(({ gone: unregistered }) => unregistered))
  if (suspectProviders.length === 0) return
  const standings = await loadProviderCounts(tx, suspectProviders)
  const { few: belowThreshold = [], many: aboveThreshold = [] } = Object.groupBy(
    suspectProviders,
    ({ application, provider }) => {
      const {
        answered: answeredCount = 0,
        gone: unregistered = 0,
        rests: isSuspended = false,
      } = standings.get(`${application} ${provider}`) ?? {}
      if (isSuspended) return 'resting'
      return answeredCount >= MIN_ANSWERED_PUSHES && unregistered > answeredCount * MAX_UNREGISTERED_SHARE
        ? 'many'
        : 'few'
    },
  )
  await suspendProvider(tx, aboveThreshold)
  await deleteUnregisteredDevices(tx, belowThreshold, ({ application, provider, at }) => {
    const endedAt = standings.get(`${application} ${provider}`)?.ended_at
    return !endedAt || at >= endedAt.getTime()
  })
}
