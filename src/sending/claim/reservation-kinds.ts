import { capping } from './capping-kind.ts'
import { openPressure } from './pressure-kind.ts'
import type { ReservationKinds } from './reservations.ts'

/** What messages reserve places in. */
export const reservationKinds: ReservationKinds = { pressure: openPressure(), capping }
