import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateConversionRates, meanConversionRate } from './beta-distribution.ts'

const close = (one: number, other: number, within = 1e-3) =>
  assert.ok(Math.abs(one - other) < within, `${one}, expected ${other}`)

const of = (...counts: readonly [visits: number, conversions: number][]) =>
  estimateConversionRates(counts.map(([visits, conversions]) => ({ visits, conversions })))

/** ln of the gamma function (Lanczos, g = 7, n = 9), for whole numbers from 1. */
function logGamma(z: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
    -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ]
  const sum = terms.reduce((so, term, n) => so + term / (z + n), 0.99999999999980993)
  const t = z + 6.5
  return 0.5 * Math.log(2 * Math.PI) + (z - 0.5) * Math.log(t) - t + Math.log(sum)
}
const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b)

/** The probability that the second rate is higher, as the finite sum of Miller (2015), formula 6. */
function isSecondBetter([n1, k1]: readonly [number, number], [n2, k2]: readonly [number, number]): number {
  const [a1, b1, a2, b2] = [k1 + 1, n1 - k1 + 1, k2 + 1, n2 - k2 + 1]
  let sum = 0
  for (let i = 0; i < a2; i++)
    sum += Math.exp(logBeta(a1 + i, b1 + b2) - Math.log(b2 + i) - logBeta(1 + i, b2) - logBeta(a1, b1))
  return sum
}

test('the probability that one of two rates is better matches the closed formula', () => {
  const pairs = [
    [
      [0, 0],
      [0, 0],
    ],
    [
      [100, 10],
      [100, 15],
    ],
    [
      [1000, 20],
      [900, 30],
    ],
    [
      [10, 0],
      [10, 10],
    ],
    [
      [20_000, 1000],
      [20_000, 1050],
    ],
    [
      [50, 50],
      [5000, 4990],
    ],
  ] as const
  for (const [one, other] of pairs) {
    const expected = isSecondBetter(one, other)
    const [first, second] = of([...one], [...other])
    close(second!.probability, expected)
    close(first!.probability, 1 - expected)
  }
})

test('equal rates are equally likely to be the best, and all probabilities sum to 1', () => {
  for (const { probability } of of([500, 50], [500, 50], [500, 50], [500, 50], [500, 50])) close(probability, 0.2)
  const three = of([120, 12], [340, 50], [77, 9])
  close(
    three.reduce((sum, { probability }) => sum + probability, 0),
    1,
  )
})

test('intervals have equal tails of 2.5 %', () => {
  // Quantiles of Beta(1, 1); of Beta(1, n + 1) and Beta(n + 1, 1), whose distribution functions have inverses.
  const [uniform, none, all] = of([0, 0], [9, 0], [9, 9])
  close(uniform!.interval.low, 0.025)
  close(uniform!.interval.high, 0.975)
  close(none!.interval.low, 1 - 0.975 ** (1 / 10))
  close(none!.interval.high, 1 - 0.025 ** (1 / 10))
  close(all!.interval.low, 0.025 ** (1 / 10))
  close(all!.interval.high, 0.975 ** (1 / 10))
  // qbeta(c(.025, .975), 2, 2), the roots of 3x² - 2x³ = 0.025 and 0.975.
  const [symmetric] = of([2, 1])
  for (const [x, share] of [
    [symmetric!.interval.low, 0.025],
    [symmetric!.interval.high, 0.975],
  ] as const)
    close(3 * x * x - 2 * x ** 3, share)
})

test('the mean is that of the posterior distribution', () => {
  close(meanConversionRate({ visits: 0, conversions: 0 }), 0.5, 1e-12)
  close(meanConversionRate({ visits: 8, conversions: 2 }), 0.3, 1e-12)
})
