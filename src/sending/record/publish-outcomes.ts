import type { ChannelModule } from '../../channels/channel.ts'
import type { Db } from '../../database/connection/connect.ts'
import { recordEvents } from '../../features/events/record/effects.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import { finalizeReservations, type ReservationKinds } from '../claim/reservations.ts'
import { getEndedMessageOutcome } from '../deliver/deliveries.ts'
import { loadVersionSources } from '../plan/content-version.ts'
import { storeFollowups } from './followups.ts'
import { buildOutcomeEvents, type RecordableOutcome, toAcceptedSends, toEndedDelivery } from './outcome-events.ts'

/** The outcome of a message, or of one of its deliveries, that was recorded just now. */
export interface RecordedOutcome {
  message: ClaimedMessage
  outcome: RecordableOutcome
  channel: ChannelModule
}

/** Stores the references that channels retain for recorded deliveries. */
async function storeReferences(tx: Db, recorded: readonly RecordedOutcome[]): Promise<void> {
  for (const [channel, channelOutcomes] of Map.groupBy(recorded, (recordedOutcome) => recordedOutcome.channel)) {
    await channel.keepReferences?.(
      tx,
      channelOutcomes.flatMap(({ message, outcome }) => toAcceptedSends(message, outcome)),
    )
    await channel.keepDeliveries?.(
      tx,
      channelOutcomes.flatMap(({ message, outcome }) => toEndedDelivery(message, outcome) ?? []),
    )
  }
}

/** Makes what is to follow; gives the messages that something follows. */
async function createFollowups(tx: Db, recorded: readonly RecordedOutcome[]): Promise<Set<number>> {
  // What stands in for another has nothing standing in for it.
  const followableOutcomes = recorded.filter(
    ({ message: { kind }, channel }) => channel.followupOf && kind !== 'copy' && kind !== 'fallback',
  )
  const sources = await loadVersionSources(
    tx,
    followableOutcomes.map(({ message }) => message),
  )
  const followups = followableOutcomes.flatMap(({ message, outcome, channel }) => {
    const [endedDelivery, source] = [toEndedDelivery(message, outcome), sources.get(message.version)]
    const followup = endedDelivery && source && channel.followupOf?.(message, endedDelivery, source)
    return followup ? [{ ...followup, account: message.account, stamp: message.stamp.id, id: message.id }] : []
  })
  await storeFollowups(tx, followups)
  return new Set(followups.map(({ id }) => id))
}

/** Confirms what accepted messages held, and what others held that something follows; the rest is released. */
async function finalizePlaces(
  tx: Db,
  kinds: ReservationKinds,
  recorded: readonly RecordedOutcome[],
  followed: ReadonlySet<number>,
): Promise<void> {
  if (Object.keys(kinds).length === 0) return
  const endedOutcomes = recorded.filter(({ outcome }) => !outcome.isPart)
  const { kept: confirmedOutcomes = [], given: releasedOutcomes = [] } = Object.groupBy(
    endedOutcomes,
    ({ message, outcome: { ending } }) => {
      const type = ending.type === 'held' ? ending.type : getEndedMessageOutcome(message.deliveries, ending)
      return type === 'accepted' || (type === 'refused' && followed.has(message.id)) ? 'kept' : 'given'
    },
  )
  const toReservationEnd = ({ message, outcome: { at } }: RecordedOutcome) => ({ message, at })
  await finalizeReservations(tx, kinds, {
    kept: confirmedOutcomes.map(toReservationEnd),
    given: releasedOutcomes.map(toReservationEnd),
  })
}

/**
 * Writes, in the transaction that recorded them, what ended messages and deliveries lead to: what follows, what channels and
 * reservations keep, and the events with their effects, which are last in the order in which rows are locked.
 */
export async function publishOutcomes(
  tx: Db,
  recorded: readonly RecordedOutcome[],
  kinds: ReservationKinds,
): Promise<void> {
  if (recorded.length === 0) return
  await finalizePlaces(tx, kinds, recorded, await createFollowups(tx, recorded))
  await storeReferences(tx, recorded)
  // A delivery is recorded once.
  const events = recorded.flatMap(({ message, outcome, channel }) =>
    buildOutcomeEvents(message, outcome, channel).map((event) => ({ ...event, isOnce: true as const })),
  )
  await recordEvents(tx, events)
}
