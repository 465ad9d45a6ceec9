import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileResult } from './lanes.ts'

/** The processor time of each file of `npm test`, in calibrations of the same run. */
export type TestTimes = Record<string, number>

const FILE = join(import.meta.dirname, '../test-times.json')
/** A file is listed when it grew by this factor, and by at least this many calibrations. */
const [GROWTH, LEAST_GROWTH] = [1.2, 1]
const WHOLE_GROWTH = 1.5
const ROUNDS = 5

/** Milliseconds of processor time that a fixed piece of work takes now: hashing, sorting and JSON, about a quarter of a second. */
export function calibrate(): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    let text = ''
    for (let round = 0; round < 12; round++) {
      const rows = Array.from({ length: 20_000 }, (_, row) => ({ row, name: `name ${(row * 7919) % 20_000}` }))
      rows.sort((one, other) => (one.name < other.name ? -1 : 1))
      text = createHash('sha256')
        .update(JSON.stringify(JSON.parse(JSON.stringify(rows))))
        .update(text)
        .digest('hex')
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return times.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)]!
}

/** The committed times; empty where there are none. */
export const readTestTimes = (): TestTimes =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as TestTimes) : {}

export function timesOf(results: readonly FileResult[], calibrationMs: number): TestTimes {
  const times = results.map(({ file, cpuMs }) => [file.file, Math.round((100 * cpuMs) / calibrationMs) / 100] as const)
  return Object.fromEntries(times.sort(([one], [other]) => (one < other ? -1 : 1)))
}

export const writeTestTimes = (times: TestTimes): void =>
  writeFileSync(FILE, `${JSON.stringify(times, undefined, 2)}\n`)

const sum = (times: TestTimes, files: readonly string[]): number =>
  files.reduce((total, file) => total + (times[file] ?? 0), 0)

export interface Growth {
  /** A line for each file that grew, and one for the whole. */
  lines: string[]
  isTooMuch: boolean
}

/** Compares the files that both runs have. */
export function compareTimes(now: TestTimes, before: TestTimes): Growth {
  const files = Object.keys(now).filter((file) => before[file] !== undefined)
  const grown = files.filter((file) => now[file]! > GROWTH * before[file]! && now[file]! - before[file]! > LEAST_GROWTH)
  const [total, budget] = [sum(now, files), sum(before, files)]
  const isTooMuch = budget > 0 && total > WHOLE_GROWTH * budget
  const lines = grown.map((file) => `slower: ${file} takes ${now[file]} instead of ${before[file]} calibrations`)
  if (isTooMuch)
    lines.push(
      `✖ all files take ${total.toFixed(0)} calibrations of processor time, the budget of test/test-times.json is ${budget.toFixed(0)}`,
    )
  return { lines, isTooMuch }
}
