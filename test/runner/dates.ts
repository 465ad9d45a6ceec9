// `npm run test:dates`: runs units at dates where days are easily counted wrongly, and tests of the interface in zones that are far from UTC.
import { readFileSync } from 'node:fs'
import { buildShiftedClockEnvironment, NO_SHIFTED_CLOCK } from '../fakes/shifted-clock.ts'
import { printResults, showResult } from './print.ts'
import { withTestRun } from './suite-run.ts'
import { filesOf, type TestFile } from './suites.ts'

/** Instants at which the clock of a run begins, and the zone of its processes. */
const DATES = [
  { name: 'the end of a year', at: '2026-12-31T23:59:30Z', zone: 'UTC' },
  { name: 'the end of a leap day', at: '2028-02-29T10:59:30Z', zone: 'Pacific/Apia' },
  { name: 'the end of a month of 30 days', at: '2027-05-01T02:29:30Z', zone: 'America/St_Johns' },
  { name: 'clocks put forward', at: '2027-03-28T00:59:30Z', zone: 'Europe/Paris' },
  { name: 'clocks put back', at: '2027-10-31T00:59:30Z', zone: 'Europe/Paris' },
]
const ZONES = ['America/St_Johns', 'Pacific/Apia']

/** The database keeps the true time: with a shifted clock, it would not notice that a statement has waited for too long. */
const USES_DATABASE = /test\/support\/(?:database|harness|stages|processes)/
/** Files that compare the times of files, which are the true ones, with the clock. */
const COMPARES_FILE_TIMES = ['src/gateways/sms-smpp/part-store.test.ts', 'src/lib/files/spool.test.ts']

const shortFiles = filesOf('short')
const units = shortFiles.filter(
  ({ file }) =>
    file.startsWith('src/') && !COMPARES_FILE_TIMES.includes(file) && !USES_DATABASE.test(readFileSync(file, 'utf8')),
)
const apiFiles = shortFiles.filter(({ file }) => file.startsWith('test/api/'))

async function runFilesWith(name: string, files: readonly TestFile[], environment: NodeJS.ProcessEnv): Promise<void> {
  const startedAt = performance.now()
  console.log(name)
  const results = await withTestRun((run) => run(files, { onResult: showResult }), environment)
  if (!printResults(results, { startedAt })) process.exitCode = 1
}

if (NO_SHIFTED_CLOCK) {
  console.error(NO_SHIFTED_CLOCK)
  process.exit(1)
}
for (const { name, at, zone } of DATES) {
  const clock = buildShiftedClockEnvironment(Date.parse(at) - Date.now())
  await runFilesWith(`${name}: ${at}, ${zone}`, units, { ...clock, TZ: zone })
}
for (const zone of ZONES) await runFilesWith(`zone: ${zone}`, apiFiles, { TZ: zone })
