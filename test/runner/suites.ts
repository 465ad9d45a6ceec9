import { globSync } from 'node:fs'

/** A file of tests, and how it is run. */
export interface TestFile {
  file: string
  /** A process of its own, for what counts threads or memory, or ends processes. */
  isAlone: boolean
  /** With a column store behind the interface, and each read across the border to it. */
  isCrossing: boolean
}

export type SuiteName = 'short' | 'all'

/** The long suite: whole processes, kills, races, browsers, proxies, the column store, many rows, and long comparisons. */
const LONG = 'test/long/'

/** Files that count threads or memory, or change their process, and so have a process of their own. */
const ALONE = [
  /^src\/scripting\/sandbox\//,
  /^src\/service\/memory\.test\.ts$/,
  /^test\/long\/(?:column-store|comparisons|races|sandbox|timing)\//,
]

/** Files that the long suite runs a second time, with a column store behind the interface. */
const CROSSING = [
  'test/api/events/event-cases.test.ts',
  'test/api/events/exports.test.ts',
  'test/api/events/history-channels.test.ts',
  'test/api/events/history.test.ts',
  'test/api/events/reactivities.test.ts',
  'test/api/events/summaries.test.ts',
  'test/api/events/webhooks.test.ts',
  'test/api/campaigns/campaign-results.test.ts',
  'test/api/display/display.test.ts',
  'test/api/experiments/experiments.test.ts',
  'test/api/personal-data/contact-export.test.ts',
  'test/api/push/push-history.test.ts',
  'test/api/reports/report-counts.test.ts',
  'test/api/segments/criteria-random.test.ts',
  'test/long/volumes/history-streams.test.ts',
  'test/api/scripts/reads.test.ts',
  'test/api/workflows/histories.test.ts',
]

/** Describes how a file runs, by its path. */
export function testFile(file: string, isCrossing = false): TestFile {
  return { file, isCrossing, isAlone: ALONE.some((pattern) => pattern.test(file)) }
}

/** Tells whether a file runs in the long suite only. */
export const isLong = (file: string): boolean => file.startsWith(LONG)

/** All files of tests, relative to the root of the checkout, in the order of their names. */
export const allTestFiles = (): string[] =>
  globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])
    .map((path) => path.replaceAll('\\', '/'))
    .sort()

/** The files of a suite. */
export function filesOf(suite: SuiteName): TestFile[] {
  const files = allTestFiles().filter((file) => suite === 'all' || !isLong(file))
  return [
    ...files.map((file) => testFile(file)),
    ...(suite === 'all' ? CROSSING.map((file) => testFile(file, true)) : []),
  ]
}
