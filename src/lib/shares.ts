import { createHash } from 'node:crypto'

/** Hundredths of a percent: what shares are counted in. */
export const SHARES = 10_000

/** How many of them a percentage is. */
export const sharesOf = (percent: number): number => Math.round((percent * SHARES) / 100)

/** The place of a name among 10,000, always the same: the first 32 bits (big endian) of its SHA-256, modulo 10,000. */
export function placeAmongShares(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) % SHARES
}
