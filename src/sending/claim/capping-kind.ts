import { type CappingVisit, revertCappingIncrements } from '../../features/capping/increments.ts'
import type { ReservationKind } from './reservations.ts'

/** Capping of workflows: a place is an increment, which was counted as the message was asked for. */
export const cappingReservations: ReservationKind = {
  // It stays counted.
  confirm: () => Promise.resolve(),
  release: (tx, endedMessages) =>
    revertCappingIncrements(
      tx,
      endedMessages.flatMap(({ message: { account }, key }) =>
        key === null ? [] : [{ ...(JSON.parse(key) as CappingVisit), account }],
      ),
    ),
}
