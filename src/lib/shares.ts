import { createHash } from 'node:crypto'

/** Hundredths of a percent: what shares are counted in. */
export const SHARE_UNITS = 10_000

/** Converts a percentage to share units. */
export const toShareUnits = (percent: number): number => Math.round((percent * SHARE_UNITS) / 100)

/** The place of a name among 10,000, always the same: the first 32 bits (big endian) of its SHA-256, modulo 10,000. */
export function hashToShareUnit(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) % SHARE_UNITS
}
