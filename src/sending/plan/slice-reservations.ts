/** Reservations of a slice's positions, by kind: one key, and one bit per position in hexadecimal digits. */
export type SliceReservations = Readonly<Record<string, { key: string; places: string }>>

const BITS_PER_OCTET = 8

/** The keys that one place holds, by kind; null: the slice was not decided. `place_reservations` of the migration. */
export function listPositionReservations(
  slice: SliceReservations | null,
  place: number,
): Readonly<Record<string, string>> | null {
  if (slice === null) return null
  return Object.fromEntries(
    Object.entries(slice).flatMap(([kind, { key, places }]) =>
      isPositionReserved(places, place) ? [[kind, key]] : [],
    ),
  )
}

function isPositionReserved(places: string, place: number): boolean {
  const octet = Buffer.from(places, 'hex')[Math.floor(place / BITS_PER_OCTET)] ?? 0
  return ((octet >> (place % BITS_PER_OCTET)) & 1) === 1
}

/** The bits of places with those of others, as `get_bit` of PostgreSQL reads them. */
export function addReservedPositions(storedPositions: string | undefined, places: readonly number[]): string {
  const storedOctets = Buffer.from(storedPositions ?? '', 'hex')
  const mergedOctets = Buffer.alloc(
    Math.max(storedOctets.length, ...places.map((position) => Math.floor(position / BITS_PER_OCTET) + 1)),
  )
  storedOctets.copy(mergedOctets)
  for (const position of places)
    mergedOctets[Math.floor(position / BITS_PER_OCTET)]! |= 1 << (position % BITS_PER_OCTET)
  return mergedOctets.toString('hex')
}
