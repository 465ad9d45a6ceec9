import { isDeepStrictEqual } from 'node:util'
import { timeSpanLengthMs } from '../../../lib/time/spans.ts'
import { findDefaultCorrelation } from '../definition/event-filters.ts'
import type {
  experimentNode,
  historyNode,
  ifNode,
  matchNode,
  sampleNode,
  splitNode,
  switchNode,
} from '../nodes/branches.ts'
import { type NodeSteps, type NodeVisit, StepFailure } from '../nodes/node-contract.ts'
import type { NodeSettingsOf } from '../nodes/node-type.ts'
import { computeVisitShare } from './shares.ts'

interface ConditionTargets {
  then: string | null
  else: string | null
}

/** Leaves by one of two ways; one that is null leads to `next`. */
function leaveByCondition({ settings, next }: NodeVisit<ConditionTargets>, isSo: boolean) {
  const targetNode = isSo ? settings.then : settings.else
  return {
    type: 'leave',
    next: targetNode ?? next,
    outcome: 'branch',
    value: isSo,
    branch: isSo ? 'then' : 'else',
  } as const
}

export const ifSteps: NodeSteps<NodeSettingsOf<typeof ifNode>> = {
  enter: (visit) => leaveByCondition(visit, visit.holds(visit.settings.condition!)),
}

export const matchSteps: NodeSteps<NodeSettingsOf<typeof matchNode>> = {
  enter(visit) {
    const { segment, criteria } = visit.settings
    if (visit.contact === null) return leaveByCondition(visit, false)
    return { type: 'ask', ask: segment === null ? { kind: 'match', criteria } : { kind: 'match', segment } }
  },
  answered: (visit, isMember) => leaveByCondition(visit, isMember === true),
}

/** Comparisons of a count of events. */
const countComparisons: Record<
  NonNullable<NodeSettingsOf<typeof historyNode>['count']>['operator'],
  (n: number, value: number) => boolean
> = {
  equals: (n, value) => n === value,
  notEquals: (n, value) => n !== value,
  greater: (n, value) => n > value,
  greaterOrEqual: (n, value) => n >= value,
  less: (n, value) => n < value,
  lessOrEqual: (n, value) => n <= value,
}

export const historySteps: NodeSteps<NodeSettingsOf<typeof historyNode>> = {
  enter({ settings: { event, period, correlation } }) {
    const by = correlation ?? findDefaultCorrelation(event!.type)
    return {
      type: 'ask',
      ask: { kind: 'history', event: event!, correlation: by, periodMs: period && timeSpanLengthMs(period) },
    }
  },
  answered(visit, n) {
    const { operator, value } = visit.settings.count
    return leaveByCondition(visit, countComparisons[operator](n as number, value))
  },
}

export const switchSteps: NodeSteps<NodeSettingsOf<typeof switchNode>> = {
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
}

export const splitSteps: NodeSteps<NodeSettingsOf<typeof splitNode>> = {
  enter(visit) {
    const { branches, by } = visit.settings
    const share = computeVisitShare(visit, by)
    let weightLimit = 0
    const chosenBranch =
      branches!.find(({ weight }) => share < (weightLimit += Math.round(weight! * 100))) ?? branches!.at(-1)!
    return {
      type: 'leave',
      next: chosenBranch.next ?? visit.next,
      outcome: 'branch',
      value: chosenBranch.id,
      branch: chosenBranch.id,
    }
  },
}

export const sampleSteps: NodeSteps<NodeSettingsOf<typeof sampleNode>> = {
  enter(visit) {
    const { percent, count } = visit.settings
    if (count !== null) return { type: 'ask', ask: { kind: 'sample', count } }
    return leaveByCondition(visit, computeVisitShare(visit, 'contact') < Math.round(100 * percent!))
  },
  answered: (visit, isTaken) => leaveByCondition(visit, isTaken === true),
}

export const experimentSteps: NodeSteps<NodeSettingsOf<typeof experimentNode>> = {
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
  answered(visit, branch) {
    const { branches, holdoutNext } = visit.settings
    if (branch === null) {
      return { type: 'leave', next: holdoutNext ?? visit.next, outcome: 'branch', value: null, branch: 'holdout' }
    }
    const chosenBranch = branches!.find(({ id }) => id === branch)
    if (!chosenBranch) throw new StepFailure('experiment', `There is no branch ${JSON.stringify(branch)}.`)
    return {
      type: 'leave',
      next: chosenBranch.next ?? visit.next,
      outcome: 'branch',
      value: chosenBranch.id,
      branch: chosenBranch.id,
    }
  },
}
