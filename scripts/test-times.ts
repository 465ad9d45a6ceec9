// `npm run test:times`: runs `npm test`'s files and writes what processor time each took to test/test-times.json, as a ratio to a fixed piece of work.
import { printResults, showResult } from '../test/runner/print.ts'
import { withTestRun } from '../test/runner/suite-run.ts'
import { filesOf } from '../test/runner/suites.ts'
import { calibrate, timesOf, writeTestTimes } from '../test/runner/test-times.ts'

const startedAt = performance.now()
const calibrationMs = calibrate()
const results = await withTestRun((run) => run(filesOf('short'), { onResult: showResult }))
if (printResults(results, { startedAt })) writeTestTimes(timesOf(results, calibrationMs))
else process.exitCode = 1
