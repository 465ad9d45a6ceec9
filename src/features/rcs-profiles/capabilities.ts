import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { HOUR_MS } from '../../lib/time/spans.ts'

/** Answer of a provider about a phone. */
export interface CachedPhoneCapability {
  reachable: boolean
  /** Words of RBM; null: only whether it can be reached was asked. */
  features: readonly string[] | null
}

/** The answer about one phone (E.164). */
export interface CheckedRcsPhone extends CachedPhoneCapability {
  phone: string
}

/** The profile that owns the cache, and the lifetime of an answer. */
export interface PhoneCapabilityCache {
  account: AccountId
  id: number
  capability: { cacheHours: number }
}

/** Everything that RBM knows a phone to be able to take. */
export const allRcsFeatures: readonly string[] = [
  'RICHCARD_STANDALONE',
  'RICHCARD_CAROUSEL',
  'ACTION_CREATE_CALENDAR_EVENT',
  'ACTION_DIAL',
  'ACTION_OPEN_URL',
  'ACTION_OPEN_URL_IN_WEBVIEW',
  'ACTION_SHARE_LOCATION',
  'ACTION_VIEW_LOCATION',
  'ACTION_COMPOSE',
]

/** A service message is not held up longer by a phone that could not be reached. */
const SERVICE_UNREACHABLE_TTL_MS = HOUR_MS

/**
 * Reads the cached answers for these phones that are valid at `now`, by phone. For `service` a "not reachable" is valid for an hour at
 * most.
 */
export async function readPhoneCapabilities(
  db: Db,
  { account, id, capability }: PhoneCapabilityCache,
  phones: readonly string[],
  { now, purpose }: { now: Date; purpose: 'marketing' | 'service' },
): Promise<Map<string, CachedPhoneCapability & { checkedAt: Date }>> {
  const cacheMs = capability.cacheHours * HOUR_MS
  if (phones.length === 0 || cacheMs === 0) return new Map()
  const unreachableMs = purpose === 'service' ? Math.min(cacheMs, SERVICE_UNREACHABLE_TTL_MS) : cacheMs
  const beforeNow = (ms: number) => new Date(now.getTime() - ms)
  const { rows } = await sql<CheckedRcsPhone & { checkedAt: Date }>`
    select phone, reachable, features, checked_at as "checkedAt" from rcs_capabilities
    where account = ${account} and profile = ${id} and phone = any(${phones}::text[])
      and checked_at > case when reachable then ${beforeNow(cacheMs)}::timestamptz else ${beforeNow(unreachableMs)}::timestamptz end`.execute(
    db,
  )
  return new Map(rows.map(({ phone, reachable, features, checkedAt }) => [phone, { reachable, features, checkedAt }]))
}

/**
 * Keeps answers about phones, each phone once; a later answer replaces an earlier one. Nothing is kept where the profile
 * keeps nothing, or is gone.
 */
export async function writePhoneCapabilities(
  db: Db,
  { account, id, capability }: PhoneCapabilityCache,
  answers: readonly CheckedRcsPhone[],
  now: Date,
): Promise<void> {
  if (answers.length === 0 || capability.cacheHours === 0) return
  const items = answers.map(({ phone, reachable, features }) => ({ phone, reachable, features }))
  await sql`
    insert into rcs_capabilities (profile, phone, account, reachable, features, checked_at)
    select p.id, a.phone, p.account, a.reachable, a.features, ${now}
    from rcs_profiles p, json_to_recordset(${JSON.stringify(items)}::json) as a (phone text, reachable boolean, features text[])
    where p.account = ${account} and p.id = ${id}
    order by a.phone
    on conflict (profile, phone) do update
      set reachable = excluded.reachable, features = excluded.features, checked_at = excluded.checked_at
      where rcs_capabilities.checked_at <= excluded.checked_at`.execute(db)
}

/** Forgets what is known of all phones: it was said of another agent, or by another provider. */
export async function clearPhoneCapabilities(
  tx: Db,
  { account, id }: { account: AccountId; id: number },
): Promise<void> {
  await sql`delete from rcs_capabilities where account = ${account} and profile = ${id}`.execute(tx)
}

/** Deletes answers that do not count any more. */
export async function purgePhoneCapabilities(db: Db, now: Date): Promise<void> {
  await sql`
    delete from rcs_capabilities c using rcs_profiles p
    where p.id = c.profile and c.checked_at <= ${now}::timestamptz - make_interval(hours => p.capability_hours)`.execute(
    db,
  )
}
