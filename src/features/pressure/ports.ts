import type { PressureRulePorts } from './rules/rules.ts'
import type { ContactPressurePorts } from './standing.ts'

/** What pressure needs of rooms to its right. */
export type PressurePorts = PressureRulePorts & ContactPressurePorts
