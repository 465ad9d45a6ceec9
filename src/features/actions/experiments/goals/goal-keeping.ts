import { sql } from 'kysely'
import { type Db, inTransaction, json } from '../../../../database/connect.ts'
import type { AccountId } from '../../../../lib/account.ts'
import { HOUR_MS } from '../../../../lib/spans.ts'
import { listen } from '../../../notices/listening.ts'
import { type NoticeType, noticeTypes } from '../../../notices/notices.ts'
import { watchSegments } from '../../../segments/watched.ts'
import { takeOver } from '../over.ts'
import { countGoal, hasGoal, reachedParts } from './goal-figures.ts'
import { listOf, type StoredGoal } from './stored-goal.ts'

/** How long who reached a goal is listed: as long as sent messages. */
const KEPT_MS = 400 * 24 * HOUR_MS

const ownerOf = (sending: number): string => `experiment ${sending}`

/** Has the changes written that a goal is about; those of channels and custom events are in any case. */
export async function watchGoal(
  tx: Db,
  { account, sending }: { account: AccountId; sending: number },
  { event }: StoredGoal,
): Promise<void> {
  const type = noticeTypes.find((one): one is NoticeType => one === event.type)
  if (!type) return
  await listen(tx, account, ownerOf(sending), [type])
  await watchSegments(tx, account, ownerOf(sending), (listOf(event, 'segments') ?? []).map(Number))
}

async function unwatch(tx: Db, { account, sending }: { account: AccountId; sending: number }): Promise<void> {
  await listen(tx, account, ownerOf(sending), [])
  await watchSegments(tx, account, ownerOf(sending), [])
}

/** Counts one goal for good whose time is over for all contacts; false when there is none. */
function countOne(db: Db, now: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const over = await takeOver(tx, 'goal', now)
    if (!over || !hasGoal(over.run)) return false
    const { run } = over
    const goalRun = { ...over, run }
    const counts = await countGoal(tx, goalRun)
    await sql`
      insert into experiment_goals (sending, contact, version, reached_at)
      with ${reachedParts(goalRun)} select ${run.sending}, contact, version, at from reached
      on conflict do nothing`.execute(tx)
    await sql`
      update campaign_experiments set goal_counts = ${json(counts)}::jsonb, goal_counted_at = ${now}
      where sending = ${run.sending}`.execute(tx)
    await unwatch(tx, { account: run.account as AccountId, sending: run.sending })
    return true
  })
}

/** Counts goals for good whose time is over, so that they stand when events are kept no more. */
export async function countGoals(db: Db, now: Date): Promise<void> {
  while (await countOne(db, now)) {
    // The next one.
  }
}

/** Forgets who reached goals after 400 days; the counts stay. `now` in milliseconds. */
export async function forgetGoals(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('experiment_goals')
    .where('reached_at', '<', new Date(now - KEPT_MS))
    .execute()
}
