import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { replaceListenedTypes } from '../../notices/listening.ts'
import { type NoticeType, noticeTypes } from '../../notices/notices.ts'
import { watchSegments } from '../../segments/members/watched.ts'
import { finalizeMeasuredRuns } from '../experiments/over.ts'
import { countGoalReached, hasGoal } from './goal-figures.ts'
import { findGoalEventList, type StoredGoal } from './stored-goal.ts'

const buildWatchOwner = (sending: number): string => `experiment ${sending}`

/** Has the changes written that a goal is about; those of channels and custom events are in any case. */
export async function trackGoalChanges(
  tx: Db,
  { account, sending }: { account: AccountId; sending: number },
  { event }: StoredGoal,
): Promise<void> {
  const type = noticeTypes.find((noticeType): noticeType is NoticeType => noticeType === event.type)
  if (!type) return
  await replaceListenedTypes(tx, account, buildWatchOwner(sending), [type])
  await watchSegments(tx, account, buildWatchOwner(sending), (findGoalEventList(event, 'segments') ?? []).map(Number))
}

async function stopGoalTracking(tx: Db, { account, sending }: { account: AccountId; sending: number }): Promise<void> {
  await replaceListenedTypes(tx, account, buildWatchOwner(sending), [])
  await watchSegments(tx, account, buildWatchOwner(sending), [])
}

/** Counts goals for good whose time is over, and keeps who reached them, so that both stand when events are kept no more. */
export function finalizeGoalCounts(db: Db, now: Date): Promise<void> {
  return finalizeMeasuredRuns(db, 'goal', now, async (tx, over) => {
    const { run } = over
    if (!hasGoal(run)) throw new TypeError(`sending ${run.sending} has no goal`)
    const insertGoalsPart = sql`, kept as (
      insert into experiment_goals (sending, contact, version, reached_at)
      select ${run.sending}, contact, version, at from reached on conflict do nothing)`
    const goalCounts = await countGoalReached(tx, { ...over, run }, insertGoalsPart)
    await sql`
      update campaign_experiments set goal_counts = ${toJsonbText(goalCounts)}::jsonb, goal_counted_at = ${now}
      where sending = ${run.sending}`.execute(tx)
    await stopGoalTracking(tx, { account: run.account as AccountId, sending: run.sending })
  })
}
