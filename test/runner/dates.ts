// `npm run test:dates [-- FILE...]`: runs units and tests of the interface, or the given files, at dates and in zones where days are easily counted
// wrongly. The clocks of the database and of all processes are shifted.
import { buildShiftedClockEnvironment, NO_SHIFTED_CLOCK } from '../fakes/shifted-clock.ts'
import { printResults, showResult } from './print.ts'
import { withTestRun } from './suite-run.ts'
import { filesOf, testFile } from './suites.ts'

/** The instant at which a run begins, and the zone of its processes. */
interface TestedDate {
  name: string
  at: string
  zone: string
}

/** All are past: libfaketime shows the true time to timers that end a wait, and a clock that is ahead would put them off. */
const DATES: readonly TestedDate[] = [
  { name: 'the end of a year', at: '2025-12-31T23:58:00Z', zone: 'UTC' },
  { name: 'a leap day', at: '2024-02-29T10:58:00Z', zone: 'Pacific/Apia' },
  { name: 'the last day of a month of 30 days', at: '2026-05-01T02:28:00Z', zone: 'America/St_Johns' },
  { name: 'clocks put forward', at: '2026-03-29T00:58:00Z', zone: 'Europe/Paris' },
  { name: 'clocks put back', at: '2026-10-25T00:58:00Z', zone: 'Europe/Paris' },
]

/** Files that compare the times of files, which are the true ones, with the clock. */
const MISLED = ['src/gateways/sms-smpp/part-store.test.ts', 'src/lib/files/spool.test.ts']

const namedFiles = process.argv.slice(2)
const files =
  namedFiles.length > 0
    ? namedFiles.map((file) => testFile(file))
    : filesOf('short').filter(({ file }) => /^(?:src|test\/api)\//.test(file) && !MISLED.includes(file))

/** Runs all files at a date; returns true if they pass. */
async function runAt({ name, at, zone }: TestedDate): Promise<boolean> {
  const startedAt = performance.now()
  console.log(`${name}: ${at}, ${zone}`)
  const environment = { ...buildShiftedClockEnvironment(Date.parse(at) - Date.now()), TZ: zone }
  const results = await withTestRun((run) => run(files, { onResult: showResult }), environment)
  return printResults(results, { startedAt })
}

if (NO_SHIFTED_CLOCK) {
  console.error(NO_SHIFTED_CLOCK)
  process.exit(1)
}
for (const date of DATES) if (!(await runAt(date))) process.exitCode = 1
