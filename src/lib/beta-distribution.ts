/*
 * Rates of several variants compared as Bayes would: a rate seen in Bernoulli trials, with the uniform prior Beta(1, 1), is
 * distributed as Beta(conversions + 1, others + 1) (conjugate prior; Gelman and others, Bayesian Data Analysis, 3rd ed., 2.4).
 * The interval is the central one, with 2.5 % beyond each end (ibid., 2.3). That one rate is the highest of all has the
 * probability of the integral of its density times the distribution functions of the others (the same integral that
 * Thompson, Biometrika 25, 1933, draws from; for two rates it is also a finite sum: Evan Miller, Formulas for Bayesian A/B
 * Testing, 2015), taken here by the trapezoidal rule, to 0.001.
 */

/** The number of trials, and the number of them that succeeded. */
export interface ConversionCounts {
  visits: number
  conversions: number
}

/** The mean of what is believed of a rate. */
export const meanConversionRate = ({ visits, conversions }: ConversionCounts): number =>
  (conversions + 1) / (visits + 2)

/** The posterior distribution of a rate: Beta(conversions + 1, others + 1). */
export interface ConversionEstimate {
  /** To be the best of all. */
  probability: number
  /** Holds the rate with 95 %. */
  interval: { low: number; high: number }
}

const POINTS_PER_RATE = 1000
/** Beyond this number of standard deviations, nothing of a distribution is left. */
const MAX_DEVIATIONS = 8
const TAIL_SHARE = 0.025

interface BetaDistribution {
  a: number
  b: number
  mean: number
  deviation: number
}

function toBetaDistribution({ visits, conversions }: ConversionCounts): BetaDistribution {
  const [a, b] = [conversions + 1, visits - conversions + 1]
  const sum = a + b
  return { a, b, mean: a / sum, deviation: Math.sqrt((a * b) / (sum * sum * (sum + 1))) }
}

/** Places at which all distributions are looked at: close where one of them is steep. */
function computePoints(distributions: readonly BetaDistribution[]): Float64Array {
  const points = new Set<number>([0, 1])
  for (const { mean, deviation } of distributions) {
    const [low, high] = [Math.max(0, mean - MAX_DEVIATIONS * deviation), Math.min(1, mean + MAX_DEVIATIONS * deviation)]
    for (let n = 0; n <= POINTS_PER_RATE; n++) points.add(low + ((high - low) * n) / POINTS_PER_RATE)
  }
  return Float64Array.from(points).sort()
}

/** The share of a distribution below each point, and in the interval that ends there. */
function integrateDistribution(
  { a, b, mean }: BetaDistribution,
  points: Float64Array,
): { below: Float64Array; within: Float64Array } {
  const [alphaExponent, betaExponent] = [Math.max(a - 1, 0), Math.max(b - 1, 0)]
  const logDensityAt = (x: number) =>
    (alphaExponent && alphaExponent * Math.log(x)) + (betaExponent && betaExponent * Math.log1p(-x))
  const mode = alphaExponent + betaExponent > 0 ? alphaExponent / (alphaExponent + betaExponent) : mean
  const maxLogDensity = logDensityAt(mode)
  const density = points.map((x) => Math.exp(logDensityAt(x) - maxLogDensity))
  const within = new Float64Array(points.length)
  let sum = 0
  for (let n = 1; n < points.length; n++)
    sum += within[n] = ((density[n]! + density[n - 1]!) / 2) * (points[n]! - points[n - 1]!)
  const below = new Float64Array(points.length)
  for (let n = 1; n < points.length; n++) {
    within[n]! /= sum
    below[n] = below[n - 1]! + within[n]!
  }
  return { below, within }
}

function findQuantile(below: Float64Array, points: Float64Array, share: number): number {
  const quantileIndex = below.findIndex((part) => part >= share)
  return points[quantileIndex < 0 ? points.length - 1 : quantileIndex]!
}

/** The posterior distributions of several rates, by numerical integration: the same counts return the same result. */
export function estimateConversionRates(counts: readonly ConversionCounts[]): ConversionEstimate[] {
  const distributions = counts.map(toBetaDistribution)
  const points = computePoints(distributions)
  const parts = distributions.map((distribution) => integrateDistribution(distribution, points))
  return parts.map(({ below, within }, ownIndex) => {
    const otherRates = parts.filter((_, index) => index !== ownIndex)
    let probability = 0
    for (let n = 1; n < points.length; n++) {
      let product = within[n]!
      for (const otherParts of otherRates) product *= (otherParts.below[n]! + otherParts.below[n - 1]!) / 2
      probability += product
    }
    return {
      probability,
      interval: { low: findQuantile(below, points, TAIL_SHARE), high: findQuantile(below, points, 1 - TAIL_SHARE) },
    }
  })
}
