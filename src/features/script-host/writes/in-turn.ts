import { Problem } from '../../../lib/errors/problem.ts'
import type { PreparedScriptWrite } from './write-types.ts'

/** Does writes one after the other, up to the first that comes to a problem. */
export async function applyWritesInTurn(
  writes: readonly PreparedScriptWrite[],
  work: (write: PreparedScriptWrite) => Promise<void>,
): Promise<(Problem | null)[]> {
  const outcomes: (Problem | null)[] = []
  for (const write of writes) {
    try {
      await work(write)
      outcomes.push(null)
    } catch (error) {
      if (error instanceof Problem) return [...outcomes, error]
      throw error
    }
  }
  return outcomes
}
