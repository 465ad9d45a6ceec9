/** What the places of a slice hold, by kind: one key, and a bit a place in hexadecimal digits. */
export type SliceReservations = Readonly<Record<string, { key: string; places: string }>>

const BITS = 8

/** The keys that one place holds, by kind; null: the slice was not decided. `place_reservations` of the migration. */
export function listPositionReservations(
  slice: SliceReservations | null,
  place: number,
): Readonly<Record<string, string>> | null {
  if (slice === null) return null
  return Object.fromEntries(
    Object.entries(slice).flatMap(([kind, { key, places }]) => (hasPlace(places, place) ? [[kind, key]] : [])),
  )
}

function hasPlace(places: string, place: number): boolean {
  const octet = Buffer.from(places, 'hex')[Math.floor(place / BITS)] ?? 0
  return ((octet >> (place % BITS)) & 1) === 1
}

/** The bits of places with those of others, as `get_bit` of PostgreSQL reads them. */
export function addReservedPositions(known: string | undefined, places: readonly number[]): string {
  const before = Buffer.from(known ?? '', 'hex')
  const octets = Buffer.alloc(Math.max(before.length, ...places.map((place) => Math.floor(place / BITS) + 1)))
  before.copy(octets)
  for (const place of places) octets[Math.floor(place / BITS)]! |= 1 << (place % BITS)
  return octets.toString('hex')
}
