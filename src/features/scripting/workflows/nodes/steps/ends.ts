import type { NodeSteps } from '../../engine/step.ts'
import type { goal, terminal } from '../ends.ts'
import type { SettingsOf } from '../node-type.ts'

export const terminalSteps: NodeSteps<SettingsOf<typeof terminal>> = {
  enter: ({ settings }) => ({ type: 'end', outcome: settings.outcome }),
}

/** Runs have no position at a goal; one that is moved there goes on. */
export const goalSteps: NodeSteps<SettingsOf<typeof goal>> = {
  enter: ({ next }) => ({ type: 'leave', next, outcome: 'done' }),
}
