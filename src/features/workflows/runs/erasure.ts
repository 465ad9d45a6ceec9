import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { killStoredRuns } from '../waits/kill-runs.ts'

/** Reason for the end of open runs whose contact is deleted. */
const END_REASON = 'contact deleted'

/** Locks the runs of contacts, in the order of their ids; gives them with whether they are open. */
async function lockContactRuns(
  tx: Db,
  account: AccountId,
  contacts: readonly number[],
): Promise<{ account: AccountId; id: string; isOpen: boolean }[]> {
  const { rows } = await sql<{ account: AccountId; id: string; isOpen: boolean }>`
    select account, id, ended_at is null as "isOpen" from workflow_runs
    where account = ${account} and contact = any(${contacts}::bigint[]) order by id for update`.execute(tx)
  return rows
}

/**
 * Ends the open runs of contacts that are deleted, and empties all of theirs: what they were, not who went through them. Before
 * the contacts are locked, as workers lock runs first; and again after their deletion, for runs that were started meanwhile.
 */
export async function endContactRuns(
  tx: Db,
  account: AccountId,
  contacts: readonly number[],
  now: number,
): Promise<void> {
  const runs = await lockContactRuns(tx, account, contacts)
  await sql`
    update workflow_experiment_visits set contact = null
    where account = ${account} and contact = any(${contacts}::bigint[])`.execute(tx)
  if (runs.length === 0) return
  await killStoredRuns(
    tx,
    runs.filter(({ isOpen }) => isOpen),
    { reason: END_REASON, now },
  )
  const runIds = runs.map(({ id }) => id)
  // Reasons of failures say what was wrong with a value.
  await sql`
    update workflow_runs set contact = null, entry_key = null, data = '{}', state = '{}', variables = '{}', event = null,
      last = null, memo = null, interrupt = null, moves = moves + 1,
      reason = case when status = 'failed' then split_part(reason, ':', 1) else reason end
    where account = ${account} and id = any(${runIds}::uuid[])`.execute(tx)
  await sql`
    update workflow_traces t set entries = (
      select jsonb_agg(e.entry || '{"detail":null}' order by e.nth)
      from jsonb_array_elements(t.entries) with ordinality as e (entry, nth))
    where account = ${account} and run = any(${runIds}::uuid[])`.execute(tx)
}

/** Forgets that names of contacts that are erased were keys of entry. */
export async function eraseEntryKeys(tx: Db, account: AccountId, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await sql`
    delete from workflow_entries e using workflows w
    where w.account = ${account} and e.account = w.account and e.workflow = w.id and e.key = any(${names}::text[]) and e.open = 0`.execute(
    tx,
  )
}
