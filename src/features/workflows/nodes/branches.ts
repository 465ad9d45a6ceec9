import { RUN_ROOTS } from '../../../scripting/expressions/expression.ts'
import { flaw } from '../../../scripting/flaws.ts'
import { defaulted, exactlyOne, list, object, optional, required } from '../../../scripting/schemas/objects.ts'
import type { Shape } from '../../../scripting/schemas/shape.ts'
import { criteria, number, ownId, period, reference, span, target, word } from '../../../scripting/schemas/values.ts'
import { eventFilter } from '../definition/event-filters.ts'
import { requiredValue } from './members.ts'
import { nodeType } from './node-type.ts'

const MAX_BRANCHES = 100
const MAX_INT32 = 0x7fffffff
const MAX_EXPERIMENT_BRANCHES = 10
const branches = { family: 'branches' }
// biome-ignore lint/suspicious/noThenProperty: the interface names it so; it is never a function.
const ways = { then: optional(target), else: optional(target) }
const event = eventFilter(RUN_ROOTS)

/** By a condition. */
export const ifNode = nodeType('if', object({ condition: requiredValue('condition'), ...ways }), branches)

/** By whether the contact is in a segment, or fits criteria. */
export const match = nodeType(
  'match',
  object(
    { segment: optional(reference<number>('segment')), criteria: optional(criteria), ...ways },
    exactlyOne('segment', 'criteria'),
  ),
  branches,
)

const operators = ['equals', 'notEquals', 'greater', 'greaterOrEqual', 'less', 'lessOrEqual'] as const
const atLeastOne = { operator: 'greaterOrEqual' as const, value: 1 }

/** By how many events of a contact are stored. */
export const history = nodeType(
  'data-explorer-v2.match',
  object({
    event: required(event),
    period: optional(period),
    correlation: optional(word('thread', 'send', 'contact', 'none')),
    count: defaulted(
      object({
        operator: defaulted(word(...operators), atLeastOne.operator),
        value: defaulted(number(0, MAX_INT32), atLeastOne.value),
      }),
      atLeastOne,
    ),
    ...ways,
  }),
  branches,
)

/** A scalar of JSON; null is one. */
const scalar: Shape<{ value: string | number | boolean | null; next: string | null }> = {
  read(given, place) {
    const { next } =
      object({ next: optional(target) }).read(given, { ...place, reading: { ...place.reading, strict: false } }) ?? {}
    const value = (given as { value?: unknown } | null)?.value ?? null
    if (typeof value === 'object' && value !== null)
      place.reading.faults.push({
        pointer: `${place.pointer}/value`,
        detail: 'must be a string, number, boolean or null',
      })
    return { value: value as string, next: next ?? null }
  },
  visit: ({ next }, path, visitor) => (next === null ? undefined : visitor.target?.(next, `${path}/next`)),
}

/** By the value that an expression gives. */
export const switchNode = nodeType(
  'switch',
  object({
    value: requiredValue('any'),
    cases: required(list(scalar, { least: 1, most: MAX_BRANCHES })),
    default: optional(target),
  }),
  branches,
)

/** By weights; hundredths add up exactly where fractions do not. */
function isWhole(weights: readonly (number | null)[]): boolean {
  return weights.reduce<number>((sum, weight) => sum + Math.round((weight ?? 0) * 100), 0) === 10_000
}

const branchId = defaulted(ownId, ({ reading }) => reading.makeId())

export const split = nodeType(
  'split',
  object(
    {
      branches: required(
        list(object({ id: branchId, weight: required(number(0, 100, 6)), next: optional(target) }), {
          ...{ least: 2, most: MAX_BRANCHES },
          unique: ({ id }) => id,
        }),
      ),
      by: defaulted(word('contact', 'run'), 'contact'),
    },
    ({ branches: given }, path, visitor) => {
      const weights = (given ?? []).map(({ weight }) => weight)
      if (weights.includes(null)) return
      const isFine = weights.every((weight) => Math.abs(weight! * 100 - Math.round(weight! * 100)) < 1e-6)
      if (!isFine || (weights.length > 0 && !isWhole(weights)))
        visitor.flaw?.(flaw('weights', `${path}/branches`, 'Weights have at most 2 decimals, and their sum is 100.'))
    },
  ),
  branches,
)

/** Tries branches on contacts and finds the best. */
export const experiment = nodeType(
  'experiment',
  object({
    branches: required(
      list(object({ id: branchId, next: optional(target) }), {
        ...{ least: 2, most: MAX_EXPERIMENT_BRANCHES },
        unique: ({ id }) => id,
      }),
    ),
    holdout: defaulted(number(0, 50, 2), 0),
    holdoutNext: optional(target),
    metric: required(event),
    period: defaulted(period, span('DAY', 3)),
    method: defaulted(word('fixed', 'bandit'), 'fixed'),
    minimum: defaulted(number(10, 100_000), 100),
    confidence: defaulted(number(50, 99.9, 1), 95),
  }),
  branches,
)

/** A part of the visits, or the first of them. */
export const sample = nodeType(
  'sample',
  object(
    { percent: optional(number(0, 100, 2)), count: optional(number(0, MAX_INT32)), ...ways },
    exactlyOne('percent', 'count'),
  ),
  branches,
)
