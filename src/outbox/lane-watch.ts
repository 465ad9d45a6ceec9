import { type RawBuilder, sql } from 'kysely'
import type { Lane } from '../lib/lanes.ts'

/**
 * Condition: something is in a lane, though it may not be due or be paused. In the order of the index of what is due: an empty lane
 * costs one look at it, and no reading of the others.
 */
export function isInLane(lane: Lane): RawBuilder<unknown> {
  return sql`
    (select m.lane from messages m where m.state = 'queued' and m.lane = ${lane}
      order by m.account, m.sending, m.not_before, m.id limit 1) is not null
    or (select s.lane from message_slices s where s.claimed_by is null and s.lane = ${lane}
      order by s.account, s.sending, s.id limit 1) is not null`
}
