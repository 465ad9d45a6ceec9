import type { FileResult } from './lanes.ts'
import {
  describeFailures,
  describeResult,
  describeSkips,
  describeTotals,
  hasFailed,
  totalsOf,
  type UnsteadyFile,
} from './results.ts'

export function showResult(result: FileResult): void {
  console.log(describeResult(result))
  if (hasFailed(result)) console.log(describeFailures(result))
}

/** Prints failures once more, why tests were skipped, the totals and what was unsteady; true when nothing failed. `startedAt`: of `performance.now()`. */
export function printResults(
  results: readonly FileResult[],
  {
    startedAt,
    unsteady = [],
    notes = [],
  }: { startedAt: number; unsteady?: readonly UnsteadyFile[]; notes?: readonly string[] },
): boolean {
  const failed = results.filter(hasFailed)
  if (failed.length > 0) console.log(`\nfailing tests:\n\n${failed.map(describeFailures).join('\n\n')}\n`)
  for (const line of [...describeSkips(results), ...notes]) console.log(line)
  console.log(describeTotals(totalsOf(results), unsteady, performance.now() - startedAt))
  return failed.length === 0
}
