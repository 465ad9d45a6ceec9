// `npm test`, and with `--all` `npm run test:all`: runs the checks, then the test files of the suite, and prints the results.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { FileResult } from './lanes.ts'
import { printResults, showResult } from './print.ts'
import { describeFailures, hasFailed, mayRunAgain, type UnsteadyFile } from './results.ts'
import { type RunFiles, withTestRun } from './suite-run.ts'
import { filesOf, isLong, type TestFile } from './suites.ts'
import { calibrate, compareTimes, readTestTimes, timesOf } from './test-times.ts'

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } })
/** A failed file of `npm run test:all` runs again at most this often. */
const RERUNS = 2

function runChecks(): boolean {
  return (
    spawnSync(process.execPath, ['scripts/check.ts', '--no-tests', '--generated'], { stdio: 'inherit' }).status === 0
  )
}

/** Orders files: those that share processes, those that run alone, those with a column store; the longest of each first, so that the lanes end together. */
function inOrder(files: readonly TestFile[]): TestFile[] {
  const times = readTestTimes()
  const group = ({ isAlone, isCrossing }: TestFile): number => (isCrossing ? 2 : isAlone ? 1 : 0)
  const length = ({ file }: TestFile): number => times[file] ?? Number.POSITIVE_INFINITY
  return files.toSorted((one, other) => group(one) - group(other) || length(other) - length(one) || 0)
}

/** Runs failed files again, each alone; returns the final results and the files that passed only then. */
async function runAgain(run: RunFiles, results: readonly FileResult[]): Promise<[FileResult[], UnsteadyFile[]]> {
  const unsteady: UnsteadyFile[] = []
  const counted: FileResult[] = []
  for (const first of results) {
    let last = first
    for (let time = 0; time < RERUNS && hasFailed(last) && mayRunAgain(last); time++) {
      console.log(`running again, alone: ${first.file.file}`)
      last = (await run([{ ...first.file, isAlone: true }], { lanes: 1, onResult: showResult }))[0]!
    }
    if (last !== first && !hasFailed(last))
      unsteady.push({ file: first.file.file, firstFailure: describeFailures(first) })
    counted.push(last)
  }
  return [counted, unsteady]
}

const startedAt = performance.now()
if (!runChecks()) {
  printResults([], { startedAt })
  process.exit(1)
}
const calibrationMs = calibrate()
const [results, unsteady] = await withTestRun(async (run) => {
  const first = await run(inOrder(filesOf(values.all ? 'all' : 'short')), { onResult: showResult })
  return values.all ? runAgain(run, first) : ([first, []] as const)
})
const timed = results.filter(({ file }) => !file.isCrossing && !isLong(file.file))
const growth = compareTimes(timesOf(timed, calibrationMs), readTestTimes())
const isGreen = printResults(results, { startedAt, unsteady, notes: growth.lines })
process.exitCode = isGreen && !growth.isTooMuch ? 0 : 1
