import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { DeliveryEndings } from '../claim/queue-messages.ts'
import { getMessageSliceId, materialiseSliceMessages } from '../plan/message-slices.ts'
import type { MessageOutcome } from './outcome.ts'
import type { RecordableOutcome } from './outcome-events.ts'

/** Outcomes of deliveries that the row of their message keeps. */
function isStoredEnding(
  outcome: MessageOutcome,
): outcome is RecordableOutcome & { ending: { type: DeliveryEndings[string] } } {
  const { type } = outcome.ending
  return type === 'accepted' || type === 'refused' || type === 'cancelled' || type === 'held'
}

/**
 * Writes on the rows of messages which of their deliveries have ended, or are held; messages of slices become rows. Gives
 * those that were not written before, of messages that the sender still holds.
 */
export async function recordDeliveries(
  tx: Db,
  sender: string,
  outcomes: readonly MessageOutcome[],
  slices: ReadonlySet<number>,
): Promise<RecordableOutcome[]> {
  const storedOutcomes = outcomes.filter(isStoredEnding)
  if (storedOutcomes.length === 0) return []
  const outcomesByMessage = Map.groupBy(storedOutcomes, ({ id }) => id)
  await materialiseSliceMessages(
    tx,
    sender,
    [...outcomesByMessage.keys()].filter((id) => slices.has(getMessageSliceId(id))),
  )
  const endingTexts = [...outcomesByMessage.values()].map((list) =>
    toJsonbText(Object.fromEntries(list.map(({ sequence = 0, ending }) => [sequence, ending.type]))),
  )
  const { rows } = await sql<{ id: number; before: DeliveryEndings | null }>`
    update messages m set deliveries = g.ended || coalesce(m.deliveries, '{}')
    from unnest(${[...outcomesByMessage.keys()]}::bigint[], ${endingTexts}::jsonb[]) as g (id, ended)
    where m.id = g.id and m.claimed_by = ${sender}::uuid and m.state in ('claimed', 'held')
    returning m.id, old.deliveries as before`.execute(tx)
  return rows.flatMap(({ id, before }) =>
    (outcomesByMessage.get(id) ?? []).filter(({ sequence = 0 }) => !Object.hasOwn(before ?? {}, sequence)),
  )
}
