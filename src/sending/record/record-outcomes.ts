import { sql } from 'kysely'
import { loadChannels } from '../../channels/load-channel.ts'
import { buildPreparedPrefix, type Db, toJsonbText } from '../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../database/locks/deadlocks.ts'
import { formatPostgresArray } from '../../database/rows/array-text.ts'
import { heldCountDecrease, returnMessages } from '../claim/claim-messages.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import { messageReservationKinds } from '../claim/reservation-kinds.ts'
import type { ReservationKinds } from '../claim/reservations.ts'
import { getEndedMessageOutcome } from '../deliver/deliveries.ts'
import {
  getMessageSliceId,
  isSliceMessageId,
  lockMessageSlices,
  materialiseSliceMessages,
  SLICE_ID_STRIDE,
} from '../plan/message-slices.ts'
import { insertEndedCounts } from './ended-counts.ts'
import { toMessageFallback } from './fallbacks.ts'
import type { MessageOutcome, PostponedEnding } from './outcome.ts'
import type { EndedOutcome } from './outcome-events.ts'
import { type PostponedMessage, publishPostponements, recordPostponements } from './postponements.ts'
import { publishOutcomes, type RecordedOutcome } from './publish-outcomes.ts'
import { recordDeliveries } from './record-deliveries.ts'

/** Selects the data of ended messages that the outbox does not have, as rows. */
function selectOutcomeRows(outcomes: readonly EndedOutcome[]) {
  return sql`
    rows from (
      unnest(
        ${formatPostgresArray(outcomes.map(({ id }) => id))}::bigint[], ${formatPostgresArray(outcomes.map(({ left: finalOutcome, ending }) => finalOutcome ?? getEndedMessageOutcome(null, ending)))}::text[],
        ${outcomes.map(({ ending }) => ('address' in ending ? ending.address : ''))}::text[],
        ${formatPostgresArray(outcomes.map(({ at }) => new Date(at)))}::timestamptz[],
        ${outcomes.map(({ ending, why }) => (ending.type === 'cancelled' ? ending.cancellation.type : (why ?? null)))}::text[]),
      jsonb_array_elements(${toJsonbText(outcomes.map(({ ending }) => ('values' in ending ? ending.values : null)))}::jsonb)
    ) as g (id, outcome, address, at, why, used)`
}

/** Counts what was written of ended messages, `endedOutcomes`, and marks their archives. */
const accountingClauses = sql`
  archived as (
    update archives a set sent_at = l.at from ended l
    where l.kind not in ('copy', 'fallback') and l.outcome <> 'cancelled' and a.account = l.account and a.stamp = l.stamp
  ), batches as (${insertEndedCounts(sql`ended`)}), counted as (
    insert into sending_counts as c (sending, shard, sent, refused, cancelled, held, last_sent_at)
    select sending, pg_backend_pid() % 16, count(*) filter (where outcome = 'accepted'),
      count(*) filter (where outcome = 'refused'), count(*) filter (where outcome = 'cancelled'),
      -count(*) filter (where state = 'held'), max(at) filter (where outcome = 'accepted')
    from ended where kind in ('campaign', 'test') group by sending
    on conflict (sending, shard) do update set sent = c.sent + excluded.sent, refused = c.refused + excluded.refused,
      cancelled = c.cancelled + excluded.cancelled, held = c.held + excluded.held, last_sent_at = greatest(c.last_sent_at, excluded.last_sent_at)
  )
  select id from ended`

/** Retained record of an ended fallback `e`, in addition to the outcome of its message. */
const fallbackRecord = toMessageFallback({
  channel: sql`e.channel`,
  version: sql`e.version`,
  address: sql`case when e.address is distinct from '' then e.used_address else '' end`,
  outcome: sql`e.outcome`,
  at: sql`e.at`,
})

/**
 * Takes ended messages out of the outbox; gives those this sender still held. Of one that was erased meanwhile, which
 * an address of '' says, nothing is kept but that it was sent; nor of a second contact that was.
 */
async function removeFromOutbox(db: Db, sender: string, outcomes: readonly EndedOutcome[]): Promise<number[]> {
  if (outcomes.length === 0) return []
  const { rows } = await sql<{ id: number }>`${buildPreparedPrefix('leave-outbox')}
    with given as materialized (select * from ${selectOutcomeRows(outcomes)}), ended as (
      delete from messages m using given g, sendings o
      where m.id = g.id and o.id = m.sending and m.claimed_by = ${sender}::uuid and m.state in ('claimed', 'held')
      returning m.*, o.source_kind, o.source, g.outcome, g.address as used_address, g.used, g.at, g.why
    ), kept as (
      insert into sent_messages (account, stamp, channel, kind, source_kind, source, version, contact, address, outcome, thread, set,
        stamp_time, ended_at, request, values)
      select account, stamp, channel, kind, source_kind, source, version, contact,
        case when address is distinct from '' then used_address else '' end, outcome, thread, set, stamp_time, at, request,
        case when address = '' then 'null'
          when used -> 'related' <> 'null' and not request ? 'related' then jsonb_set(used, '{related}', 'null') else used end
      from ended where kind not in ('copy', 'fallback')
      on conflict (account, stamp) do nothing
    ), beside as (
      update sent_messages s set fallback = ${fallbackRecord}
      from ended e where e.kind = 'fallback' and s.account = e.account and s.stamp = e.stamp
    ), ${accountingClauses}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Records ended messages of slices that this sender holds; gives those that were not recorded before. Nothing of a
 * contact that was erased meanwhile is kept, but that it was sent to.
 */
async function recordSliceMessages(db: Db, outcomes: readonly EndedOutcome[]): Promise<number[]> {
  if (outcomes.length === 0) return []
  const sliceStride = sql.lit(SLICE_ID_STRIDE)
  const { rows } = await sql<{ id: number }>`${buildPreparedPrefix('leave-slices')}
    with given as materialized (
      select g.*, s.account, o.channel, s.sending, o.source_kind, o.source, s.version, o.run, o.created_at as stamp_time, s.contacts[-g.id % ${sliceStride} + 1] as contact,
        slice_stamp(s.stamp_prefix, s.seed, -g.id % ${sliceStride}) as stamp
      from ${selectOutcomeRows(outcomes)} join message_slices s on s.id = -g.id / ${sliceStride} join sendings o on o.id = s.sending
    ), kept as (
      insert into sent_messages (account, stamp, channel, kind, source_kind, source, version, contact, address, outcome, thread, set,
        stamp_time, ended_at, request, values)
      select g.account, stamp, channel, 'campaign', source_kind, source, version, g.contact, case when e.contact is null then address else '' end,
        outcome, stamp, run, stamp_time, at, '{}', case when e.contact is null then used else 'null' end
      from given g left join erased_contacts e on e.account = g.account and e.contact = g.contact
      on conflict (account, stamp) do nothing
      returning account, stamp
    ), ended as materialized (
      select g.*, 'campaign' as kind, 'claimed' as state from given g join kept using (account, stamp)
    ), ${accountingClauses}`.execute(db)
  return rows.map(({ id }) => id)
}

async function postponeMessages(
  db: Db,
  sender: string,
  outcomes: readonly (MessageOutcome & { ending: PostponedEnding })[],
): Promise<void> {
  if (outcomes.length === 0) return
  await sql`
    with back as (
      update messages m set state = 'queued', claimed_by = null, lease_until = null, attempts = attempts + 1,
        not_before = g.not_before, first_tried_at = coalesce(m.first_tried_at, g.at),
        last_reply = case when m.address is distinct from '' then left(g.reply, 500) end,
        destination = coalesce(g.destination, m.destination)
      from unnest(
        ${outcomes.map(({ id }) => id)}::bigint[], ${outcomes.map(({ ending }) => new Date(ending.notBefore))}::timestamptz[],
        ${outcomes.map(({ ending }) => ending.reply)}::text[], ${outcomes.map(({ at }) => new Date(at))}::timestamptz[],
        ${outcomes.map(({ ending }) => ending.destination ?? null)}::text[]
      ) as g (id, not_before, reply, at, destination)
      where m.id = g.id and m.claimed_by = ${sender}::uuid and m.state in ('claimed', 'held')
      returning m.sending, old.state as was
    )
    ${heldCountDecrease}`.execute(db)
}

async function holdMessages(
  db: Db,
  sender: string,
  outcomes: readonly (MessageOutcome & { ending: { type: 'held'; reason: string } })[],
): Promise<void> {
  if (outcomes.length === 0) return
  await sql`
    with held as (
      update messages m set state = 'held', claimed_by = null, lease_until = null, attempts = attempts + 1, held_at = g.at,
        last_reply = case when m.address is distinct from '' then left(g.reason, 500) end
      from unnest(
        ${outcomes.map(({ id }) => id)}::bigint[], ${outcomes.map(({ ending }) => ending.reason)}::text[],
        ${outcomes.map(({ at }) => new Date(at))}::timestamptz[]
      ) as g (id, reason, at)
      where m.id = g.id and m.claimed_by = ${sender}::uuid and m.state in ('claimed', 'held')
      returning m.sending, m.account, m.stamp, m.kind, old.state as was
    ), archived as (
      -- It may have arrived.
      update archives a set sent_at = a.made_at from held h
      where h.kind not in ('copy', 'fallback') and a.account = h.account and a.stamp = h.stamp
    )
    insert into sending_counts as c (sending, shard, held)
    select sending, pg_backend_pid() % 16, count(*) from held where was = 'claimed' group by sending order by sending
    on conflict (sending, shard) do update set held = c.held + excluded.held`.execute(db)
}

function filterByType<Type extends MessageOutcome['ending']['type']>(
  outcomes: readonly MessageOutcome[],
  types: readonly Type[],
) {
  return outcomes.filter(
    (outcome): outcome is MessageOutcome & { ending: Extract<MessageOutcome['ending'], { type: Type }> } =>
      types.some((type) => type === outcome.ending.type),
  )
}

/** Why the first of the deliveries was cancelled that ended just now, by message. */
function mapCancellationReasons(parts: readonly MessageOutcome[]): ReadonlyMap<number, string> {
  const reasonsByMessage = new Map<number, string>()
  for (const { id, ending } of parts)
    if (ending.type === 'cancelled' && !reasonsByMessage.has(id)) reasonsByMessage.set(id, ending.cancellation.type)
  return reasonsByMessage
}

/** Writes what ended; gives the ids of those that this sender still held, and that were not recorded before. */
async function recordEndedMessages(
  tx: Db,
  sender: string,
  endedOutcomes: readonly EndedOutcome[],
  slices: ReadonlySet<number>,
): Promise<Set<number>> {
  // One with several deliveries is a row since the first of them was recorded.
  const { sliced: sliceOutcomes = [], rows = [] } = Object.groupBy(endedOutcomes, ({ id, ending }) =>
    slices.has(getMessageSliceId(id)) && ending.type !== 'finished' ? 'sliced' : 'rows',
  )
  return new Set([...(await removeFromOutbox(tx, sender, rows)), ...(await recordSliceMessages(tx, sliceOutcomes))])
}

/** Writes the outcomes of messages that stay in the outbox; gives those that pressure let wait for the first time. */
async function recordStaying(
  tx: Db,
  sender: string,
  outcomes: readonly MessageOutcome[],
  slices: ReadonlySet<number>,
): Promise<readonly PostponedMessage[]> {
  const [postponed, returnedOutcomes, heldOutcomes] = [
    filterByType(outcomes, ['postponed']),
    filterByType(outcomes, ['returned']),
    filterByType(outcomes, ['held']),
  ]
  const stayingIds = [...postponed, ...returnedOutcomes, ...heldOutcomes].map(({ id }) => id)
  await materialiseSliceMessages(
    tx,
    sender,
    stayingIds.filter((id) => slices.has(getMessageSliceId(id))),
  )
  await postponeMessages(tx, sender, postponed)
  await returnMessages(
    tx,
    sender,
    returnedOutcomes.map(({ id, ending }) => ({ id, ...ending })),
  )
  await holdMessages(tx, sender, heldOutcomes)
  return recordPostponements(tx, returnedOutcomes)
}

/** Holder of messages: the name in their claims. Channels and reservations are those of the service unless specified. */
export interface MessageHolder {
  id: string
  channels?: typeof loadChannels
  reservations?: ReservationKinds
}

/**
 * Writes what became of claimed messages, in one transaction: rows of the outbox, counts, events and their effects.
 * A message that this sender no longer holds is passed over, so that nothing is recorded twice.
 */
export async function recordOutcomes(
  db: Db,
  holder: MessageHolder,
  messages: ReadonlyMap<number, ClaimedMessage>,
  outcomes: readonly MessageOutcome[],
): Promise<void> {
  if (outcomes.length === 0) return
  // In the order of erasures, so that the two cannot deadlock.
  const sortedOutcomes = outcomes.toSorted((a, b) => a.id - b.id)
  const { id: sender, channels = loadChannels, reservations = messageReservationKinds } = holder
  const loadedChannels = await channels([...messages.values()].map(({ channel }) => channel))
  await inRetriedTransaction(db, async (tx) => {
    const sliceIds = new Set(sortedOutcomes.flatMap(({ id }) => (isSliceMessageId(id) ? getMessageSliceId(id) : [])))
    const slices = await lockMessageSlices(tx, sender, sliceIds)
    const { parts = [], whole: wholeOutcomes = [] } = Object.groupBy(sortedOutcomes, ({ isPart }) =>
      isPart ? 'parts' : 'whole',
    )
    const delivered = await recordDeliveries(tx, sender, parts, slices)
    const postponedMessages = await recordStaying(tx, sender, wholeOutcomes, slices)
    const endedOutcomes = filterByType(wholeOutcomes, ['accepted', 'refused', 'cancelled', 'finished'])
    const reasonsByMessage = mapCancellationReasons(parts)
    const leavingOutcomes = endedOutcomes.map((endedOutcome): EndedOutcome => {
      const deliveries = messages.get(endedOutcome.id)?.deliveries
      const why = reasonsByMessage.get(endedOutcome.id)
      const explainedOutcome = why === undefined ? endedOutcome : { ...endedOutcome, why }
      return deliveries
        ? { ...explainedOutcome, left: getEndedMessageOutcome(deliveries, explainedOutcome.ending) }
        : explainedOutcome
    })
    const leftIds = await recordEndedMessages(tx, sender, leavingOutcomes, slices)
    const recordedOutcomes = [...delivered, ...endedOutcomes.filter(({ id }) => leftIds.has(id))].flatMap(
      (outcome): RecordedOutcome[] => {
        const message = messages.get(outcome.id)
        return message ? [{ message, outcome, channel: loadedChannels.get(message.channel)! }] : []
      },
    )
    await publishOutcomes(tx, recordedOutcomes, reservations)
    await publishPostponements(tx, postponedMessages)
  })
}
