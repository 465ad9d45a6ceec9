import { randomInt } from 'node:crypto'

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32): a failure found with them comes back. */
export function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Numbers for one run of a test: by chance, and as before when STENTOR_TEST_SEED is the seed that a run printed. */
export function seededRun(t: { diagnostic(line: string): void }): () => number {
  const seed = Number(process.env['STENTOR_TEST_SEED'] ?? randomInt(2 ** 31))
  t.diagnostic(`STENTOR_TEST_SEED=${seed}`)
  return seeded(seed)
}
