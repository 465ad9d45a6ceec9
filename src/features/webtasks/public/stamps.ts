import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { WebtaskResult } from '../executions/execution-schemas.ts'
import { formatBigintArray } from '../executions/records.ts'

/** A stamp that a run has taken: its result is that of all runs that come with it. */
export interface WebtaskStampClaim {
  account: AccountId
  stamp: string
  claim: string
  contacts: readonly number[]
}

export const WEBTASK_STAMP_RETENTION_MS = 24 * 3_600_000
/** A run takes less: who has claimed a stamp for longer has died. */
const CLAIM_TIMEOUT_MS = 120_000
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 250]

/** Another run has taken the stamp over: this one has no effect. */
export class WebtaskStampClaimLost extends Error {}

async function tryClaim(db: Db, { account, stamp, claim, contacts }: WebtaskStampClaim, now: number): Promise<boolean> {
  const [retentionLimit, claimLimit] = [new Date(now - WEBTASK_STAMP_RETENTION_MS), new Date(now - CLAIM_TIMEOUT_MS)]
  const { rows } = await sql`
    insert into webtask_stamps as s (account, stamp, claim, claimed_at, contacts)
    values (${account}, ${stamp}, ${claim}, ${new Date(now)}, ${formatBigintArray(contacts)}::bigint[])
    on conflict (account, stamp) do update
      set claim = excluded.claim, claimed_at = excluded.claimed_at, contacts = excluded.contacts, result = null
      where s.claimed_at < ${retentionLimit} or (s.result is null and s.claimed_at < ${claimLimit})
    returning claim`.execute(db)
  return rows.length > 0
}

/** The result that is kept under a stamp. */
export async function findStampResult(
  db: Db,
  { account, stamp }: Pick<WebtaskStampClaim, 'account' | 'stamp'>,
  now: number,
): Promise<WebtaskResult | undefined> {
  const { rows } = await sql<{ result: WebtaskResult | null }>`
    select result from webtask_stamps
    where account = ${account} and stamp = ${stamp} and claimed_at >= ${new Date(now - WEBTASK_STAMP_RETENTION_MS)}`.execute(
    db,
  )
  return rows[0]?.result ?? undefined
}

/** Takes a stamp for a run; gives the first result where there is one, and waits for it while its run is under way. */
export async function claimWebtaskStamp(
  db: Db,
  stampRequest: Omit<WebtaskStampClaim, 'claim'>,
  clock: { now(): number },
): Promise<WebtaskStampClaim | WebtaskResult> {
  const stampClaim: WebtaskStampClaim = { ...stampRequest, claim: randomUUID() }
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const now = clock.now()
    if (await tryClaim(db, stampClaim, now)) return stampClaim
    const result = await findStampResult(db, stampClaim, now)
    if (result) return result
    await delay(pauseMs)
  }
}

/** A result without what it says of anybody. */
export function redactWebtaskResult(result: WebtaskResult): WebtaskResult {
  if (result.type === 'success') return { ...result, value: null, logs: [] }
  return { ...result, value: { type: result.value.type }, logs: [] }
}

/** Keeps the result of a run under its stamp. Throws WebtaskStampClaimLost. */
export async function finalizeWebtaskStamp(tx: Db, claim: WebtaskStampClaim, result: WebtaskResult): Promise<void> {
  const { rows } = await sql`
    update webtask_stamps s set result = (case when exists (
        select from erased_contacts e where e.account = s.account and e.contact = any(s.contacts))
      then ${JSON.stringify(redactWebtaskResult(result))} else ${JSON.stringify(result)} end)::json
    where account = ${claim.account} and stamp = ${claim.stamp} and claim = ${claim.claim} and result is null
    returning stamp`.execute(tx)
  if (rows.length === 0) throw new WebtaskStampClaimLost()
}

/** Gives a stamp back whose run did not take place: another one may take it. */
export async function releaseWebtaskStamp(db: Db, { account, stamp, claim }: WebtaskStampClaim): Promise<void> {
  await sql`
    delete from webtask_stamps where account = ${account} and stamp = ${stamp} and claim = ${claim} and result is null`.execute(
    db,
  )
}
