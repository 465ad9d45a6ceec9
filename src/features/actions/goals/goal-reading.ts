import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { parseActionId, parseUuid } from '../../../lib/ids.ts'
import { DAY_MS, HOUR_MS, timeSpanLengthMs } from '../../../lib/time/spans.ts'
import type { EventFilterRule } from '../../events/kinds/listened-types.ts'
import { goalEventTypes } from './goal-schemas.ts'
import type { GoalEvent, StoredGoal } from './stored-goal.ts'

const AT = '/settings/experiment/goal'
const LONGEST_MS = 30 * DAY_MS
const MAX_INT32 = 0x7fffffff

/** A goal as it is given. */
export interface ExperimentGoalInput {
  event: { type: string; filter?: unknown; [member: string]: unknown }
  within: StoredGoal['within'] & { type?: 'rolling' }
}

/** An item of a list as it is kept; undefined when it is none. */
function readItem(rule: EventFilterRule, given: unknown): string | number | undefined {
  if (rule.of === 'ids') {
    if (rule.what === 'action')
      return typeof given === 'string' && parseActionId(given) !== undefined ? given.toUpperCase() : undefined
    return typeof given === 'number' && given >= 1 && given <= MAX_INT32 ? given : undefined
  }
  if (typeof given !== 'string') return undefined
  if (rule.of === 'uuids') return parseUuid(given)
  if (rule.of === 'words') return rule.words.includes(given) ? given : undefined
  return given.length >= 1 && given.length <= rule.most ? given : undefined
}

function wordsFor(rule: EventFilterRule): string {
  if (rule.of === 'ids') return rule.what === 'action' ? 'must be the id of an action' : 'must be an id: a number'
  if (rule.of === 'uuids') return 'must be a UUID'
  return rule.of === 'words' ? `must be one of ${rule.words.join(', ')}` : `must have 1 to ${rule.most} characters`
}

function readEvent({ type, filter, ...given }: ExperimentGoalInput['event'], faults: ProblemFault[]): GoalEvent {
  const at = `${AT}/event`
  const rules = goalEventTypes.get(type) ?? {}
  if (filter != null) faults.push({ pointer: `${at}/filter`, detail: 'is for workflows: a goal has no condition' })
  const lists = Object.entries(given).flatMap(([name, list]) =>
    Array.isArray(list) && list.length > 0 ? [[name, list as unknown[]] as const] : [],
  )
  const kept = lists.flatMap(([name, list]) => {
    const rule = rules[name]
    if (!rule) {
      faults.push({ pointer: `${at}/${name}`, detail: `is not of the event ${type}` })
      return []
    }
    const items = list.flatMap((one, index) => {
      const item = readItem(rule, one)
      if (item === undefined) faults.push({ pointer: `${at}/${name}/${index}`, detail: wordsFor(rule) })
      return item ?? []
    })
    return [[name, items] as const]
  })
  for (const [name, rule] of Object.entries(rules))
    if ('required' in rule && !lists.some(([other]) => other === name))
      faults.push({ pointer: `${at}/${name}`, detail: `is required of the event ${type}` })
  return { type, ...Object.fromEntries(kept) } as GoalEvent
}

/** A goal as it is kept. Adds what is wrong to `faults`. */
export function parseExperimentGoal({ event, within }: ExperimentGoalInput, faults: ProblemFault[]): StoredGoal {
  const { unit, value } = within
  const length = timeSpanLengthMs({ unit, value })
  if (length < HOUR_MS || length > LONGEST_MS)
    faults.push({ pointer: `${AT}/within`, detail: 'must be from 1 hour to 30 days' })
  return { event: readEvent(event, faults), within: { unit, value } }
}
