import { isDeepStrictEqual } from 'node:util'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { timeSpanLengthMs } from '../../../lib/time/spans.ts'
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
import { eventFilterShape, findDefaultCorrelation } from '../definition/event-filters.ts'
import { type LeavePlan, type NodeVisit, StepFailure } from './node-contract.ts'
import { defineNodeType } from './node-type.ts'
import { requiredExpression } from './setting-members.ts'
import { computeVisitShare } from './visit-share.ts'

const MAX_BRANCHES = 100
const MAX_EXPERIMENT_BRANCHES = 10
// biome-ignore lint/suspicious/noThenProperty: the interface names it so; it is never a function.
const conditionTargets = { then: optionalMember(targetNodeShape), else: optionalMember(targetNodeShape) }
const eventMember = eventFilterShape(RUN_EXPRESSION_ROOTS)

interface ConditionTargets {
  then: string | null
  else: string | null
}

/** Leaves by one of two ways; one that is null leads to `next`. */
function leaveByCondition({ settings, next }: NodeVisit<ConditionTargets>, isSo: boolean): LeavePlan {
  const targetNode = isSo ? settings.then : settings.else
  return {
    type: 'leave',
    next: targetNode ?? next,
    outcome: 'branch',
    value: isSo,
    branch: isSo ? 'then' : 'else',
  }
}

/** By a condition. */
const ifNode = defineNodeType({
  type: 'if',
  isPure: true,
  settings: objectShape({ condition: requiredExpression('condition'), ...conditionTargets }),
  enter: (visit) => leaveByCondition(visit, visit.holds(visit.settings.condition!)),
})

/** By whether the contact is in a segment, or fits criteria. */
const matchNode = defineNodeType({
  type: 'match',
  isPure: true,
  settings: objectShape(
    {
      segment: optionalMember(referenceShape<number>('segment')),
      criteria: optionalMember(criteriaShape),
      ...conditionTargets,
    },
    exactlyOneRule('segment', 'criteria'),
  ),
  enter(visit) {
    const { segment, criteria } = visit.settings
    if (visit.contact === null) return leaveByCondition(visit, false)
    return { type: 'ask', ask: segment === null ? { kind: 'match', criteria } : { kind: 'match', segment } }
  },
  resumeWithAnswer: (visit, isMember) => leaveByCondition(visit, isMember === true),
})

/** Comparisons of a count of events. */
const countComparisons = {
  equals: (n: number, value: number) => n === value,
  notEquals: (n: number, value: number) => n !== value,
  greater: (n: number, value: number) => n > value,
  greaterOrEqual: (n: number, value: number) => n >= value,
  less: (n: number, value: number) => n < value,
  lessOrEqual: (n: number, value: number) => n <= value,
}
type ComparisonOperator = keyof typeof countComparisons
const comparisonOperators = Object.keys(countComparisons) as ComparisonOperator[]
const atLeastOne = { operator: 'greaterOrEqual' as const, value: 1 }

/** By how many events of a contact are stored. */
const historyNode = defineNodeType({
  type: 'data-explorer-v2.match',
  isPure: true,
  settings: objectShape({
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
  listEventFilters: ({ event }) => (event ? [['', event]] : []),
  enter({ settings: { event, period, correlation } }) {
    const by = correlation ?? findDefaultCorrelation(event!.type)
    return {
      type: 'ask',
      ask: { kind: 'history', event: event!, correlation: by, periodMs: period && timeSpanLengthMs(period) },
    }
  },
  resumeWithAnswer(visit, n) {
    const { operator, value } = visit.settings.count
    return leaveByCondition(visit, countComparisons[operator](n as number, value))
  },
})

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
const switchNode = defineNodeType({
  type: 'switch',
  isPure: true,
  settings: objectShape({
    value: requiredExpression('any'),
    cases: requiredMember(listShape(scalarShape, { least: 1, most: MAX_BRANCHES })),
    default: optionalMember(targetNodeShape),
  }),
  enter({ settings, next, value }) {
    const switchValue = value(settings.value!)
    const caseIndex = settings.cases!.findIndex((switchCase) => isDeepStrictEqual(switchCase.value, switchValue))
    const targetNode = caseIndex < 0 ? settings.default : settings.cases![caseIndex]!.next
    return {
      type: 'leave',
      next: targetNode ?? next,
      outcome: 'branch',
      value: switchValue,
      branch: caseIndex < 0 ? 'default' : `case ${caseIndex}`,
    }
  },
})

/** By weights; hundredths add up exactly where fractions do not. */
function hasWholeWeights(weights: readonly (number | null)[]): boolean {
  return weights.reduce<number>((sum, weight) => sum + Math.round((weight ?? 0) * 100), 0) === 10_000
}

const branchIdMember = defaultedMember(clientIdShape, ({ reading }) => reading.makeId())

function leaveByBranch({ next }: NodeVisit, branch: { id: string; next: string | null }): LeavePlan {
  return { type: 'leave', next: branch.next ?? next, outcome: 'branch', value: branch.id, branch: branch.id }
}

const splitNode = defineNodeType({
  type: 'split',
  isPure: true,
  settings: objectShape(
    {
      branches: requiredMember(
        listShape(
          objectShape({
            id: branchIdMember,
            weight: requiredMember(numberShape(0, 100, 6)),
            next: optionalMember(targetNodeShape),
          }),
          { least: 2, most: MAX_BRANCHES, unique: ({ id }) => id },
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
          createFlaw('weights', `${path}/branches`, 'Weights must have at most 2 decimals and a sum of 100.'),
        )
    },
  ),
  enter(visit) {
    const { branches, by } = visit.settings
    const share = computeVisitShare(visit, by)
    let weightLimit = 0
    const chosenBranch =
      branches!.find(({ weight }) => share < (weightLimit += Math.round(weight! * 100))) ?? branches!.at(-1)!
    return leaveByBranch(visit, chosenBranch)
  },
})

/** Tries branches on contacts and finds the best. */
export const experimentNode = defineNodeType({
  type: 'experiment',
  awaitsEvents: true,
  settings: objectShape({
    branches: requiredMember(
      listShape(objectShape({ id: branchIdMember, next: optionalMember(targetNodeShape) }), {
        least: 2,
        most: MAX_EXPERIMENT_BRANCHES,
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
  listEventFilters: ({ metric }) => (metric ? [['metric', metric]] : []),
  enter(visit) {
    const { branches, holdout, holdoutNext } = visit.settings
    const share = computeVisitShare(visit, 'contact')
    if (share < Math.round(100 * holdout)) {
      return { type: 'ask', ask: { kind: 'experiment', branches: [], share, settings: visit.settings } }
    }
    const branchIds = branches!.map(({ id }) => id)
    if (branchIds.length === 0) return { type: 'leave', next: holdoutNext ?? visit.next, outcome: 'branch' }
    return { type: 'ask', ask: { kind: 'experiment', branches: branchIds, share, settings: visit.settings } }
  },
  resumeWithAnswer(visit, branch) {
    const { branches, holdoutNext } = visit.settings
    if (branch === null) {
      return { type: 'leave', next: holdoutNext ?? visit.next, outcome: 'branch', value: null, branch: 'holdout' }
    }
    const chosenBranch = branches!.find(({ id }) => id === branch)
    if (!chosenBranch) throw new StepFailure('experiment', `There is no branch ${JSON.stringify(branch)}.`)
    return leaveByBranch(visit, chosenBranch)
  },
})

/** A part of the visits, or the first of them. */
const sampleNode = defineNodeType({
  type: 'sample',
  settings: objectShape(
    {
      percent: optionalMember(numberShape(0, 100, 2)),
      count: optionalMember(numberShape(0, MAX_INT32)),
      ...conditionTargets,
    },
    exactlyOneRule('percent', 'count'),
  ),
  enter(visit) {
    const { percent, count } = visit.settings
    if (count !== null) return { type: 'ask', ask: { kind: 'sample', count } }
    return leaveByCondition(visit, computeVisitShare(visit, 'contact') < Math.round(100 * percent!))
  },
  resumeWithAnswer: (visit, isTaken) => leaveByCondition(visit, isTaken === true),
})

export const branchNodeTypes = [ifNode, matchNode, historyNode, switchNode, splitNode, experimentNode, sampleNode]
