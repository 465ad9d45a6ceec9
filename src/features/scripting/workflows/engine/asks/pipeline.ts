import type { Performers } from '../performers.ts'
import { StepFailure } from '../step.ts'

/** Answers nodes that name a compilable: an account has none. */
export const noPipeline: NonNullable<Performers['calls']['pipeline']> = async (_, { asked }) =>
  new StepFailure('unknown-reference', `There is no compilable ${asked.compilable}.`)
