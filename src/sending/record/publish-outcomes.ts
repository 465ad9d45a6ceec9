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

/** What channels keep of recorded deliveries. */
async function keep(tx: Db, recorded: readonly RecordedOutcome[]): Promise<void> {
  for (const [channel, own] of Map.groupBy(recorded, (one) => one.channel)) {
    await channel.keepReferences?.(
      tx,
      own.flatMap(({ message, outcome }) => toAcceptedSends(message, outcome)),
    )
    await channel.keepDeliveries?.(
      tx,
      own.flatMap(({ message, outcome }) => toEndedDelivery(message, outcome) ?? []),
    )
  }
}

/** Makes what is to follow; gives the messages that something follows. */
async function follow(tx: Db, recorded: readonly RecordedOutcome[]): Promise<Set<number>> {
  // What stands in for another has nothing standing in for it.
  const followed = recorded.filter(
    ({ message: { kind }, channel }) => channel.followupOf && kind !== 'copy' && kind !== 'fallback',
  )
  const sources = await loadVersionSources(
    tx,
    followed.map(({ message }) => message),
  )
  const followups = followed.flatMap(({ message, outcome, channel }) => {
    const [ended, source] = [toEndedDelivery(message, outcome), sources.get(message.version)]
    const made = ended && source && channel.followupOf?.(message, ended, source)
    return made ? [{ ...made, account: message.account, stamp: message.stamp.id, id: message.id }] : []
  })
  await storeFollowups(tx, followups)
  return new Set(followups.map(({ id }) => id))
}

/** Confirms what accepted messages held, and what others held that something follows; the rest is released. */
async function settle(
  tx: Db,
  kinds: ReservationKinds,
  recorded: readonly RecordedOutcome[],
  followed: ReadonlySet<number>,
): Promise<void> {
  if (Object.keys(kinds).length === 0) return
  const ended = recorded.filter(({ outcome }) => !outcome.isPart)
  const { kept = [], given = [] } = Object.groupBy(ended, ({ message, outcome: { ending } }) => {
    const type = ending.type === 'held' ? ending.type : getEndedMessageOutcome(message.deliveries, ending)
    return type === 'accepted' || (type === 'refused' && followed.has(message.id)) ? 'kept' : 'given'
  })
  const endOf = ({ message, outcome: { at } }: RecordedOutcome) => ({ message, at })
  await finalizeReservations(tx, kinds, { kept: kept.map(endOf), given: given.map(endOf) })
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
  await settle(tx, kinds, recorded, await follow(tx, recorded))
  await keep(tx, recorded)
  // A delivery is recorded once.
  const events = recorded.flatMap(({ message, outcome, channel }) =>
    buildOutcomeEvents(message, outcome, channel).map((event) => ({ ...event, isOnce: true as const })),
  )
  await recordEvents(tx, events)
}
