/*
 * Rates of several variants compared as Bayes would: a rate seen in Bernoulli trials, with the uniform prior Beta(1, 1), is
 * distributed as Beta(conversions + 1, others + 1) (conjugate prior; Gelman and others, Bayesian Data Analysis, 3rd ed., 2.4).
 * The interval is the central one, with 2.5 % beyond each end (ibid., 2.3). That one rate is the highest of all has the
 * probability of the integral of its density times the distribution functions of the others (the same integral that
 * Thompson, Biometrika 25, 1933, draws from; for two rates it is also a finite sum: Evan Miller, Formulas for Bayesian A/B
 * Testing, 2015), taken here by the trapezoidal rule, to 0.001.
 */

/** What was tried, and what of it was a success. */
export interface ConversionCounts {
  visits: number
  conversions: number
}

/** The mean of what is believed of a rate. */
export const meanConversionRate = ({ visits, conversions }: ConversionCounts): number =>
  (conversions + 1) / (visits + 2)

/** What is believed of a rate: Beta(conversions + 1, others + 1). */
export interface ConversionEstimate {
  /** To be the best of all. */
  probability: number
  /** Holds the rate with 95 %. */
  interval: { low: number; high: number }
}

const POINTS_EACH = 1000
/** Beyond so many standard deviations nothing of a distribution is left. */
const REACH = 8
const TAIL = 0.025

interface Beta {
  a: number
  b: number
  mean: number
  deviation: number
}

function betaOf({ visits, conversions }: ConversionCounts): Beta {
  const [a, b] = [conversions + 1, visits - conversions + 1]
  const sum = a + b
  return { a, b, mean: a / sum, deviation: Math.sqrt((a * b) / (sum * sum * (sum + 1))) }
}

/** Places at which all distributions are looked at: close where one of them is steep. */
function placesOf(all: readonly Beta[]): Float64Array {
  const places = new Set<number>([0, 1])
  for (const { mean, deviation } of all) {
    const [low, high] = [Math.max(0, mean - REACH * deviation), Math.min(1, mean + REACH * deviation)]
    for (let n = 0; n <= POINTS_EACH; n++) places.add(low + ((high - low) * n) / POINTS_EACH)
  }
  return Float64Array.from(places).sort()
}

/** How much of a distribution lies below each place, and in the span that ends there. */
function sharesAt({ a, b, mean }: Beta, places: Float64Array): { below: Float64Array; within: Float64Array } {
  const [above, under] = [Math.max(a - 1, 0), Math.max(b - 1, 0)]
  const logAt = (x: number) => (above && above * Math.log(x)) + (under && under * Math.log1p(-x))
  const mode = above + under > 0 ? above / (above + under) : mean
  const highest = logAt(mode)
  const density = places.map((x) => Math.exp(logAt(x) - highest))
  const within = new Float64Array(places.length)
  let sum = 0
  for (let n = 1; n < places.length; n++)
    sum += within[n] = ((density[n]! + density[n - 1]!) / 2) * (places[n]! - places[n - 1]!)
  const below = new Float64Array(places.length)
  for (let n = 1; n < places.length; n++) {
    within[n]! /= sum
    below[n] = below[n - 1]! + within[n]!
  }
  return { below, within }
}

function placeOf(below: Float64Array, places: Float64Array, share: number): number {
  const found = below.findIndex((part) => part >= share)
  return places[found < 0 ? places.length - 1 : found]!
}

/** What is believed of each of several rates, by numerical integration: the same counts give the same answer. */
export function estimateConversionRates(counts: readonly ConversionCounts[]): ConversionEstimate[] {
  const all = counts.map(betaOf)
  const places = placesOf(all)
  const parts = all.map((one) => sharesAt(one, places))
  return parts.map(({ below, within }, own) => {
    const others = parts.filter((_, index) => index !== own)
    let probability = 0
    for (let n = 1; n < places.length; n++) {
      let product = within[n]!
      for (const other of others) product *= (other.below[n]! + other.below[n - 1]!) / 2
      probability += product
    }
    return { probability, interval: { low: placeOf(below, places, TAIL), high: placeOf(below, places, 1 - TAIL) } }
  })
}
