import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { parseActionId, parseUuid } from '../../../lib/ids.ts'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { DAY_MS, HOUR_MS, timeSpanLengthMs } from '../../../lib/time/spans.ts'
import type { EventFilterRule } from '../../events/kinds/listened-types.ts'
import { goalEventTypes } from './goal-schemas.ts'
import type { GoalEvent, StoredGoal } from './stored-goal.ts'

const GOAL_POINTER = '/settings/experiment/goal'
const MAX_DURATION_MS = 30 * DAY_MS

/** A goal as it is given. */
export interface ExperimentGoalInput {
  event: { type: string; filter?: unknown; [member: string]: unknown }
  within: StoredGoal['within'] & { type?: 'rolling' }
}

/** List item in its stored form; `undefined` if it is not valid. */
function parseListItem(rule: EventFilterRule, rawItem: unknown): string | number | undefined {
  if (rule.of === 'ids') {
    if (rule.what === 'action')
      return typeof rawItem === 'string' && parseActionId(rawItem) !== undefined ? rawItem.toUpperCase() : undefined
    return typeof rawItem === 'number' && rawItem >= 1 && rawItem <= MAX_INT32 ? rawItem : undefined
  }
  if (typeof rawItem !== 'string') return undefined
  if (rule.of === 'uuids') return parseUuid(rawItem)
  if (rule.of === 'words') return rule.words.includes(rawItem) ? rawItem : undefined
  return rawItem.length >= 1 && rawItem.length <= rule.most ? rawItem : undefined
}

function describeItemRule(rule: EventFilterRule): string {
  if (rule.of === 'ids') return rule.what === 'action' ? 'must be the id of an action' : 'must be a numeric id'
  if (rule.of === 'uuids') return 'must be a UUID'
  return rule.of === 'words' ? `must be one of ${rule.words.join(', ')}` : `must have 1 to ${rule.most} characters`
}

function parseGoalEvent(
  { type, filter, ...listInput }: ExperimentGoalInput['event'],
  faults: ProblemFault[],
): GoalEvent {
  const eventPointer = `${GOAL_POINTER}/event`
  const rules = goalEventTypes.get(type) ?? {}
  if (filter != null)
    faults.push({ pointer: `${eventPointer}/filter`, detail: 'is allowed only in workflows: a goal has no condition' })
  const lists = Object.entries(listInput).flatMap(([name, list]) =>
    Array.isArray(list) && list.length > 0 ? [[name, list as unknown[]] as const] : [],
  )
  const storedLists = lists.flatMap(([name, list]) => {
    const rule = rules[name]
    if (!rule) {
      faults.push({ pointer: `${eventPointer}/${name}`, detail: `is not allowed for the event ${type}` })
      return []
    }
    const items = list.flatMap((rawItem, index) => {
      const item = parseListItem(rule, rawItem)
      if (item === undefined)
        faults.push({ pointer: `${eventPointer}/${name}/${index}`, detail: describeItemRule(rule) })
      return item ?? []
    })
    return [[name, items] as const]
  })
  for (const [name, rule] of Object.entries(rules))
    if ('required' in rule && !lists.some(([otherList]) => otherList === name))
      faults.push({ pointer: `${eventPointer}/${name}`, detail: `is required for the event ${type}` })
  return { type, ...Object.fromEntries(storedLists) } as GoalEvent
}

/** A goal as it is kept. Adds what is wrong to `faults`. */
export function parseExperimentGoal({ event, within }: ExperimentGoalInput, faults: ProblemFault[]): StoredGoal {
  const { unit, value } = within
  const durationMs = timeSpanLengthMs({ unit, value })
  if (durationMs < HOUR_MS || durationMs > MAX_DURATION_MS)
    faults.push({ pointer: `${GOAL_POINTER}/within`, detail: 'must be from 1 hour to 30 days' })
  return { event: parseGoalEvent(event, faults), within: { unit, value } }
}
