import { cappingReservations } from './capping-kind.ts'
import { createPressureReservations } from './pressure-kind.ts'
import type { ReservationKinds } from './reservations.ts'

/** What messages reserve places in. */
export const messageReservationKinds: ReservationKinds = {
  pressure: createPressureReservations(),
  capping: cappingReservations,
}
