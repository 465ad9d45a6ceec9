import { type RawBuilder, sql } from 'kysely'
import type { OutboxLane } from '../../lib/lanes.ts'

/** The tables in which something waits for a sender, with the condition of their index of what is due. */
const waitingTables = {
  messages: { name: sql.table('messages'), isWaiting: sql`state = 'queued'` },
  slices: { name: sql.table('message_slices'), isWaiting: sql`claimed_by is null` },
}

/**
 * The sendings that wait in a lane, with their accounts: the body of a recursive statement named `heads`. A loose index
 * scan, one step a sending, so the cost does not grow with what waits.
 */
export function selectWaitingSendings(tableKey: keyof typeof waitingTables, lane: OutboxLane): RawBuilder<unknown> {
  const { name, isWaiting } = waitingTables[tableKey]
  return sql`
      (select account, sending from ${name} where ${isWaiting} and lane = ${lane} order by account, sending limit 1)
      union all
      select next.account, next.sending from heads h cross join lateral (
        select account, sending from ${name}
        where ${isWaiting} and lane = ${lane} and (account, sending) > (h.account, h.sending)
        order by account, sending limit 1) next`
}
