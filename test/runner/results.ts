import type { FileResult } from './lanes.ts'
import type { EndedTest } from './messages.ts'

export interface Totals {
  tests: number
  suites: number
  passed: number
  failed: number
  cancelled: number
  skipped: number
  todo: number
}

/** A file whose tests passed when it was run again, and how it failed first. */
export interface UnsteadyFile {
  file: string
  firstFailure: string
}

const bad = ({ outcome }: EndedTest): boolean => outcome === 'failed' || outcome === 'cancelled'

export const hasFailed = ({ tests, faults }: FileResult): boolean => faults.length > 0 || tests.some(bad)

/** A failure that may mean that something was lost, done twice or shown to others is looked at, however rarely it comes. */
const NEVER_BY_CHANCE =
  /\b(?:lost|loses?|twice|doubled?|duplicates?|more than once|exactly once|leak(?:s|ed)?|masked|another account|other accounts?)\b/i

/** Tells whether a failed file may run again. */
export const mayRunAgain = (result: FileResult): boolean =>
  failuresOf(result).every(({ titles, error }) => !NEVER_BY_CHANCE.test(`${titles.join(' ')} ${error ?? ''}`))

/** The failures of a file that say why: a suite fails with each of its tests, which is not repeated. */
const failuresOf = ({ tests }: FileResult): EndedTest[] =>
  tests.filter(
    (test) =>
      bad(test) && !(test.isSuite && tests.some((other) => other !== test && bad(other) && isWithin(other, test))),
  )

const isWithin = (inner: EndedTest, outer: EndedTest): boolean =>
  inner.titles.length > outer.titles.length && outer.titles.every((title, index) => inner.titles[index] === title)

export function totalsOf(results: readonly FileResult[]): Totals {
  const totals: Totals = { tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 }
  for (const result of results) {
    for (const { isSuite, outcome } of result.tests) {
      if (isSuite) totals.suites++
      else {
        totals.tests++
        totals[outcome]++
      }
    }
    // A suite that could not be built, or what a file left behind, is a failure without a test.
    const isUncounted = failuresOf(result).every(({ isSuite }) => isSuite)
    if (hasFailed(result) && isUncounted) totals.failed++
  }
  return totals
}

const indent = (text: string): string => text.replace(/^/gm, '    ')

/** The failures of a file, each with its titles, its place and its error; and what it wrote. */
export function describeFailures(result: FileResult): string {
  const { file } = result.file
  const tests = failuresOf(result).map(({ titles, outcome, error, position }) => {
    const place = position ? `${file}:${position}` : file
    return `✖ ${[file, ...titles].join(' › ')}${outcome === 'cancelled' ? ' (cancelled)' : ''}\n  at ${place}\n${indent(error ?? '')}`
  })
  const faults = result.faults.map((fault) => `✖ ${file}: ${fault}`)
  const output = result.output.trim() === '' ? [] : [`  its output:\n${indent(result.output.trim().slice(-8_000))}`]
  return [...tests, ...faults, ...output].join('\n')
}

/** One line for a file that has ended. */
export function describeResult(result: FileResult): string {
  const { tests, skipped } = totalsOf([result])
  const seconds = (result.wallMs / 1000).toFixed(1)
  const name = result.file.isCrossing ? `${result.file.file} (column store)` : result.file.file
  return `${hasFailed(result) ? '✖' : '✔'} ${name} (${tests} tests${skipped > 0 ? `, ${skipped} skipped` : ''}, ${seconds} s)`
}

/** Why tests were skipped, with how many for each reason. */
export function describeSkips(results: readonly FileResult[]): string[] {
  const reasons = new Map<string, number>()
  for (const { tests } of results)
    for (const { outcome, isSuite, reason } of tests)
      if (outcome === 'skipped' && !isSuite)
        reasons.set(reason ?? 'no reason given', (reasons.get(reason ?? 'no reason given') ?? 0) + 1)
  return [...reasons].map(([reason, count]) => `﹣ ${count} skipped: ${reason}`)
}

/** The closing lines of node's own runner, then all in one plain line, then what was unsteady. */
export function describeTotals(totals: Totals, unsteady: readonly UnsteadyFile[], durationMs: number): string {
  const lines = [
    `ℹ tests ${totals.tests}`,
    `ℹ suites ${totals.suites}`,
    `ℹ pass ${totals.passed}`,
    `ℹ fail ${totals.failed}`,
    `ℹ cancelled ${totals.cancelled}`,
    `ℹ skipped ${totals.skipped}`,
    `ℹ todo ${totals.todo}`,
    `ℹ duration_ms ${Math.round(durationMs)}`,
    '',
    `${totals.passed} passed, ${totals.failed + totals.cancelled} failed, ${totals.skipped} skipped`,
  ]
  const listed = unsteady.map(
    ({ file, firstFailure }) => `\n${file} passed only when it was run again; it failed first with:\n${firstFailure}`,
  )
  return [...lines, ...(listed.length > 0 ? ['', `unsteady: ${listed.length}`, ...listed] : [])].join('\n')
}
