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
import type { NodeSettingsOf } from '../nodes/node-type.ts'
import { type NodeSteps, type NodeVisit, StepFailure } from '../stepping/step.ts'
import { computeVisitShare } from './shares.ts'

interface Ways {
  then: string | null
  else: string | null
}

/** Leaves by one of two ways; one that is null leads to `next`. */
function either({ settings, next }: NodeVisit<Ways>, isSo: boolean) {
  const way = isSo ? settings.then : settings.else
  return { type: 'leave', next: way ?? next, outcome: 'branch', value: isSo, branch: isSo ? 'then' : 'else' } as const
}

export const ifSteps: NodeSteps<NodeSettingsOf<typeof ifNode>> = {
  enter: (visit) => either(visit, visit.holds(visit.settings.condition!)),
}

export const matchSteps: NodeSteps<NodeSettingsOf<typeof matchNode>> = {
  enter(visit) {
    const { segment, criteria } = visit.settings
    if (visit.contact === null) return either(visit, false)
    return { type: 'ask', ask: segment === null ? { kind: 'match', criteria } : { kind: 'match', segment } }
  },
  answered: (visit, isMember) => either(visit, isMember === true),
}

/** How a count of events is compared. */
const comparisons: Record<
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
    return either(visit, comparisons[operator](n as number, value))
  },
}

export const switchSteps: NodeSteps<NodeSettingsOf<typeof switchNode>> = {
  enter({ settings, next, value }) {
    const given = value(settings.value!)
    const found = settings.cases!.findIndex((one) => isDeepStrictEqual(one.value, given))
    const way = found < 0 ? settings.default : settings.cases![found]!.next
    return {
      type: 'leave',
      next: way ?? next,
      outcome: 'branch',
      value: given,
      branch: found < 0 ? 'default' : `case ${found}`,
    }
  },
}

export const splitSteps: NodeSteps<NodeSettingsOf<typeof splitNode>> = {
  enter(visit) {
    const { branches, by } = visit.settings
    const share = computeVisitShare(visit, by)
    let upTo = 0
    const taken = branches!.find(({ weight }) => share < (upTo += Math.round(weight! * 100))) ?? branches!.at(-1)!
    return { type: 'leave', next: taken.next ?? visit.next, outcome: 'branch', value: taken.id, branch: taken.id }
  },
}

export const sampleSteps: NodeSteps<NodeSettingsOf<typeof sampleNode>> = {
  enter(visit) {
    const { percent, count } = visit.settings
    if (count !== null) return { type: 'ask', ask: { kind: 'sample', count } }
    return either(visit, computeVisitShare(visit, 'contact') < Math.round(100 * percent!))
  },
  answered: (visit, isTaken) => either(visit, isTaken === true),
}

export const experimentSteps: NodeSteps<NodeSettingsOf<typeof experimentNode>> = {
  enter(visit) {
    const { branches, holdout, holdoutNext } = visit.settings
    const share = computeVisitShare(visit, 'contact')
    if (share < Math.round(100 * holdout)) {
      return { type: 'ask', ask: { kind: 'experiment', branches: [], share, settings: visit.settings } }
    }
    const ids = branches!.map(({ id }) => id)
    if (ids.length === 0) return { type: 'leave', next: holdoutNext ?? visit.next, outcome: 'branch' }
    return { type: 'ask', ask: { kind: 'experiment', branches: ids, share, settings: visit.settings } }
  },
  answered(visit, branch) {
    const { branches, holdoutNext } = visit.settings
    if (branch === null) {
      return { type: 'leave', next: holdoutNext ?? visit.next, outcome: 'branch', value: null, branch: 'holdout' }
    }
    const taken = branches!.find(({ id }) => id === branch)
    if (!taken) throw new StepFailure('experiment', `There is no branch ${JSON.stringify(branch)}.`)
    return { type: 'leave', next: taken.next ?? visit.next, outcome: 'branch', value: taken.id, branch: taken.id }
  },
}
