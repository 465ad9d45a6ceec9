import { isObject } from '../../../../../lib/objects.ts'
import type { Expression } from '../../../expressions/expression.ts'
import { type NodeSteps, StepFailure } from '../../engine/step.ts'
import { EVENT_NAME } from '../effects.ts'

/** Of the JSON of what is published, in bytes: it becomes the event of runs. */
const MAX_BYTES = 64 * 1024

export const publishSteps: NodeSteps<{ event: Expression; data: Expression | null }> = {
  enter(visit) {
    const { event, data } = visit.settings
    const name = visit.value(event)
    if (typeof name !== 'string' || !EVENT_NAME.test(name))
      throw new StepFailure('invalid value', 'The name of an event has 1 to 128 letters, digits or "_.:-".')
    const value = (data && visit.value(data)) ?? {}
    if (!isObject(value)) throw new StepFailure('invalid value', 'The data of an event is an object.')
    if (Buffer.byteLength(JSON.stringify(value)) > MAX_BYTES)
      throw new StepFailure('too large', 'The data of an event is larger than 64 KB.')
    return { type: 'ask', ask: { kind: 'publish', name, data: value } }
  },
  answered: ({ next }) => ({ type: 'leave', next, outcome: 'done' }),
}
