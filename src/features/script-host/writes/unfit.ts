import { Problem } from '../../../lib/errors/problem.ts'

/** 400 for an argument of a call. */
export const createArgumentProblem = (detail: string): Problem => new Problem(400, 'invalid-request', detail)
