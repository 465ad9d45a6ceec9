import type { RulePorts } from './rules/rules.ts'
import type { StandingPorts } from './standing.ts'

/** What pressure needs of rooms to its right. */
export type PressurePorts = RulePorts & StandingPorts
