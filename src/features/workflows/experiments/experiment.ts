import { createHash } from 'node:crypto'
import type { AccountId } from '../../../lib/account.ts'
import type { ConversionCounts } from '../../../lib/beta-distribution.ts'
import { SHARE_UNITS } from '../../../lib/shares.ts'
import type { TimeSpan } from '../../../lib/time/spans.ts'
import type { StoredEventFilter } from '../definition/event-filters.ts'

/** Settings of an experiment node, as they are stored. */
export interface ExperimentSettings {
  branches: { id: string; next: string | null }[]
  holdout: number
  metric: StoredEventFilter
  period: TimeSpan
  method: 'fixed' | 'bandit'
  minimum: number
  confidence: number
}

/** Key of the counts of an experiment. */
export interface ExperimentKey {
  account: AccountId
  workflow: number
  node: string
  fingerprint: string
}

/** The branch of those held out. */
export const HELD_OUT_BRANCH = ''

/** State of an experiment. */
export interface ExperimentState {
  /** Visits that are old enough for the metric's period, and those of them that converted. */
  counts?: Record<string, ConversionCounts>
  /** Probabilities of the branches at the last computation. */
  probabilities?: Record<string, number>
  /** Shares of a bandit's branches, as fractions of 1. */
  shares?: Record<string, number>
  winner?: { branch: string; since: string; probability: number } | null
}

/** Computes the fingerprint of an experiment. Another metric or period starts a new experiment. */
export function fingerprintExperiment({ metric, period }: Pick<ExperimentSettings, 'metric' | 'period'>): string {
  return createHash('sha256')
    .update(JSON.stringify([metric, period]))
    .digest('hex')
    .slice(0, 32)
}

/** A number from 0 to 1 that follows from a text. */
function computeTextFraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32
}

/**
 * The branch that a visit takes. `share`: its place among 10,000 by `computeVisitShare`, whose first places are held out;
 * `key` names the visit: a repeated one takes the same branch.
 */
export function pickExperimentBranch(
  { branches, holdout, method }: ExperimentSettings,
  { winner, shares }: ExperimentState,
  { share, key }: { share: number; key: string },
): string {
  const ids = branches.map(({ id }) => id)
  const holdoutHundredths = Math.round(100 * holdout)
  if (share < holdoutHundredths) return HELD_OUT_BRANCH
  if (method === 'fixed') {
    if (winner && ids.includes(winner.branch)) return winner.branch
    return ids[Math.floor(((share - holdoutHundredths) * ids.length) / (SHARE_UNITS - holdoutHundredths))]!
  }
  const weights = ids.map((id) => shares?.[id] ?? 0)
  const totalWeight = weights.reduce((weightSum, weight) => weightSum + weight, 0)
  let remainingWeight = computeTextFraction(key) * (totalWeight || ids.length)
  return ids.find((_, index) => (remainingWeight -= totalWeight === 0 ? 1 : weights[index]!) < 0) ?? ids.at(-1)!
}
