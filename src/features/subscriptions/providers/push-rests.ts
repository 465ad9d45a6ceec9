import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'

/** A provider of an application. */
export interface PushProviderKey {
  application: string
  provider: string
}

/** Wait key of messages for a suspended provider. */
export function providerSuspensionKey({ application, provider }: PushProviderKey): string {
  return `${provider} ${application}`
}

/** Notes that providers rest, since this moment. */
export async function beginProviderSuspensions(
  tx: Db,
  providers: readonly (PushProviderKey & { account: AccountId })[],
  now: Date,
): Promise<void> {
  await sql`
    insert into push_rests (account, application, provider, rested_at)
    select g.account, g.application, g.provider, ${now}::timestamptz
    from unnest(
      ${providers.map(({ account }) => account)}::integer[], ${providers.map(({ application }) => application)}::uuid[],
      ${providers.map(({ provider }) => provider)}::text[]) as g (account, application, provider)
    join applications a on a.account = g.account and a.id = g.application
    order by g.application, g.provider
    on conflict (application, provider) do nothing`.execute(tx)
}

/**
 * Ends the rests of an application's providers: what was counted of them is forgotten, and their messages are due. Gives
 * whether any rested; then the caller notes when, as pushes that were answered before may be recorded later.
 */
export async function endProviderSuspensions(
  tx: Db,
  account: AccountId,
  application: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ provider: string }>`
    delete from push_rests where account = ${account} and application = ${application} returning provider`.execute(tx)
  if (rows.length > 0) await sql`delete from push_attempts where application = ${application}`.execute(tx)
  const providers = rows.map(({ provider }) => provider)
  await releaseWaiting(tx, { account, application, providers }, now)
  const wereRefused = await endRefusalSuspensions(tx, { account, application }, now)
  return rows.length > 0 || wereRefused
}

/**
 * Ends the rests of providers whose credentials were refused, of all of an application unless `providers` names them.
 * Gives whether any rested.
 */
export async function endRefusalSuspensions(
  tx: Db,
  { account, application, providers = null }: { account: AccountId; application: string; providers?: string[] | null },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ provider: string }>`
    delete from push_refusals where account = ${account} and application = ${application}
      and (${providers}::text[] is null or provider = any(${providers}::text[])) returning provider`.execute(tx)
  await releaseWaiting(tx, { account, application, providers: rows.map(({ provider }) => provider) }, now)
  return rows.length > 0
}

/** Makes due what waits for these providers. */
async function releaseWaiting(
  tx: Db,
  { account, application, providers }: { account: AccountId; application: string; providers: readonly string[] },
  now: Date,
): Promise<void> {
  if (providers.length === 0) return
  const destinations = providers.map((provider) => providerSuspensionKey({ application, provider }))
  // A message that a sender holds just now sees for itself that the rest is over.
  await sql`
    with waiting as (
      select id from messages
      where account = ${account} and state = 'queued' and destination = any(${destinations}::text[]) and not_before > ${now}
      for no key update skip locked)
    update messages m set not_before = ${now} from waiting w where m.id = w.id`.execute(tx)
}
