import type { goal, terminal } from '../nodes/ends.ts'
import type { SettingsOf } from '../nodes/node-type.ts'
import type { NodeSteps } from '../stepping/step.ts'

export const terminalSteps: NodeSteps<SettingsOf<typeof terminal>> = {
  enter: ({ settings }) => ({ type: 'end', outcome: settings.outcome }),
}

/** Runs have no position at a goal; one that is moved there goes on. */
export const goalSteps: NodeSteps<SettingsOf<typeof goal>> = {
  enter: ({ next }) => ({ type: 'leave', next, outcome: 'done' }),
}
