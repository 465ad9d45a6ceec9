import { RUN_EXPRESSION_ROOTS } from '../../../scripting/expressions/expression.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import {
  defaultedMember,
  exactlyOneRule,
  listShape,
  objectShape,
  optionalMember,
  requiredMember,
} from '../../../scripting/schemas/objects.ts'
import type { DefinitionShape } from '../../../scripting/schemas/shape.ts'
import {
  clientIdShape,
  createTimeSpan,
  criteriaShape,
  enumShape,
  numberShape,
  referenceShape,
  targetNodeShape,
  timeSpanShape,
} from '../../../scripting/schemas/values.ts'
import { eventFilterShape } from '../definition/event-filters.ts'
import { requiredExpression } from './members.ts'
import { defineNodeType } from './node-type.ts'

const MAX_BRANCHES = 100
const MAX_INT32 = 0x7fffffff
const MAX_EXPERIMENT_BRANCHES = 10
const branchOptions = { family: 'branches' }
// biome-ignore lint/suspicious/noThenProperty: the interface names it so; it is never a function.
const conditionTargets = { then: optionalMember(targetNodeShape), else: optionalMember(targetNodeShape) }
const eventMember = eventFilterShape(RUN_EXPRESSION_ROOTS)

/** By a condition. */
export const ifNode = defineNodeType(
  'if',
  objectShape({ condition: requiredExpression('condition'), ...conditionTargets }),
  branchOptions,
)

/** By whether the contact is in a segment, or fits criteria. */
export const matchNode = defineNodeType(
  'match',
  objectShape(
    {
      segment: optionalMember(referenceShape<number>('segment')),
      criteria: optionalMember(criteriaShape),
      ...conditionTargets,
    },
    exactlyOneRule('segment', 'criteria'),
  ),
  branchOptions,
)

const comparisonOperators = ['equals', 'notEquals', 'greater', 'greaterOrEqual', 'less', 'lessOrEqual'] as const
const atLeastOne = { operator: 'greaterOrEqual' as const, value: 1 }

/** By how many events of a contact are stored. */
export const historyNode = defineNodeType(
  'data-explorer-v2.match',
  objectShape({
    event: requiredMember(eventMember),
    period: optionalMember(timeSpanShape),
    correlation: optionalMember(enumShape('thread', 'send', 'contact', 'none')),
    count: defaultedMember(
      objectShape({
        operator: defaultedMember(enumShape(...comparisonOperators), atLeastOne.operator),
        value: defaultedMember(numberShape(0, MAX_INT32), atLeastOne.value),
      }),
      atLeastOne,
    ),
    ...conditionTargets,
  }),
  branchOptions,
)

/** A scalar of JSON; null is one. */
const scalarShape: DefinitionShape<{ value: string | number | boolean | null; next: string | null }> = {
  read(rawValue, place) {
    const { next } =
      objectShape({ next: optionalMember(targetNodeShape) }).read(rawValue, {
        ...place,
        reading: { ...place.reading, strict: false },
      }) ?? {}
    const value = (rawValue as { value?: unknown } | null)?.value ?? null
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
export const switchNode = defineNodeType(
  'switch',
  objectShape({
    value: requiredExpression('any'),
    cases: requiredMember(listShape(scalarShape, { least: 1, most: MAX_BRANCHES })),
    default: optionalMember(targetNodeShape),
  }),
  branchOptions,
)

/** By weights; hundredths add up exactly where fractions do not. */
function hasWholeWeights(weights: readonly (number | null)[]): boolean {
  return weights.reduce<number>((sum, weight) => sum + Math.round((weight ?? 0) * 100), 0) === 10_000
}

const branchIdMember = defaultedMember(clientIdShape, ({ reading }) => reading.makeId())

export const splitNode = defineNodeType(
  'split',
  objectShape(
    {
      branches: requiredMember(
        listShape(
          objectShape({
            id: branchIdMember,
            weight: requiredMember(numberShape(0, 100, 6)),
            next: optionalMember(targetNodeShape),
          }),
          {
            ...{ least: 2, most: MAX_BRANCHES },
            unique: ({ id }) => id,
          },
        ),
      ),
      by: defaultedMember(enumShape('contact', 'run'), 'contact'),
    },
    ({ branches: rawValue }, path, visitor) => {
      const weights = (rawValue ?? []).map(({ weight }) => weight)
      if (weights.includes(null)) return
      const hasExactWeights = weights.every((weight) => Math.abs(weight! * 100 - Math.round(weight! * 100)) < 1e-6)
      if (!hasExactWeights || (weights.length > 0 && !hasWholeWeights(weights)))
        visitor.flaw?.(
          createFlaw('weights', `${path}/branches`, 'Weights have at most 2 decimals, and their sum is 100.'),
        )
    },
  ),
  branchOptions,
)

/** Tries branches on contacts and finds the best. */
export const experimentNode = defineNodeType(
  'experiment',
  objectShape({
    branches: requiredMember(
      listShape(objectShape({ id: branchIdMember, next: optionalMember(targetNodeShape) }), {
        ...{ least: 2, most: MAX_EXPERIMENT_BRANCHES },
        unique: ({ id }) => id,
      }),
    ),
    holdout: defaultedMember(numberShape(0, 50, 2), 0),
    holdoutNext: optionalMember(targetNodeShape),
    metric: requiredMember(eventMember),
    period: defaultedMember(timeSpanShape, createTimeSpan('DAY', 3)),
    method: defaultedMember(enumShape('fixed', 'bandit'), 'fixed'),
    minimum: defaultedMember(numberShape(10, 100_000), 100),
    confidence: defaultedMember(numberShape(50, 99.9, 1), 95),
  }),
  branchOptions,
)

/** A part of the visits, or the first of them. */
export const sampleNode = defineNodeType(
  'sample',
  objectShape(
    {
      percent: optionalMember(numberShape(0, 100, 2)),
      count: optionalMember(numberShape(0, MAX_INT32)),
      ...conditionTargets,
    },
    exactlyOneRule('percent', 'count'),
  ),
  branchOptions,
)
