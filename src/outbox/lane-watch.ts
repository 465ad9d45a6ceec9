import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { prepared } from '../database/connect.ts'
import { type Lane, lanes } from '../lib/lanes.ts'
import type { Sender } from './sender-context.ts'

/** How long empty lanes are left alone. */
const IDLE_MS = 100

/**
 * Gives how to wait until something is in a lane, though it may not be due or be paused. One question is asked for all
 * lanes of a sender that wait. What waits fails with the database, and when the sender has to end.
 */
export function watchLanes({ db, signal }: Pick<Sender, 'db' | 'signal'>): (lane: Lane) => Promise<void> {
  let looking: Promise<ReadonlySet<Lane>> | undefined

  async function look(): Promise<ReadonlySet<Lane>> {
    await delay(IDLE_MS, undefined, { signal })
    const { rows } = await sql<{ lane: Lane }>`${prepared('waiting-lanes')}
      select lane from unnest(${Object.values(lanes)}::smallint[]) as of (lane)
      -- In the order of the index of what is due: an empty lane costs one look at it, and no reading of the others.
      where (select m.lane from messages m where m.state = 'queued' and m.lane = of.lane
          order by m.account, m.sending, m.not_before, m.id limit 1) is not null
        or (select s.lane from message_slices s where s.claimed_by is null and s.lane = of.lane
          order by s.account, s.sending, s.id limit 1) is not null`.execute(db)
    return new Set(rows.map(({ lane }) => lane))
  }

  return async (lane) => {
    for (let found = false; !found; ) {
      looking ??= look().finally(() => {
        looking = undefined
      })
      found = (await looking).has(lane)
    }
  }
}
