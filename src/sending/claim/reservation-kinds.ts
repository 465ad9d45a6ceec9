import { cappingReservations } from './capping-kind.ts'
import { createPressureReservations } from './pressure-kind.ts'
import type { ReservationKinds } from './reservations.ts'

/** Kinds of reservations that messages make. */
export const messageReservationKinds: ReservationKinds = {
  pressure: createPressureReservations(),
  capping: cappingReservations,
}
