import type { PressureRulePorts } from './rules/rules.ts'
import type { ContactPressurePorts } from './standing.ts'

/** Functions of other features that pressure requires. */
export type PressurePorts = PressureRulePorts & ContactPressurePorts
