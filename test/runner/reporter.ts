// The reporter of a worker: each test that has ended goes to the runner. All files are suites of one run, so the first title is the file's.
import { inspect } from 'node:util'
import type { EndedTest, Report } from './messages.ts'
import { positionOf } from './registration.ts'

interface TestEvent {
  type: string
  data: {
    name: string
    nesting: number
    skip?: string | boolean
    todo?: string | boolean
    details?: { type?: string; error?: Error & { failureType?: string } }
  }
}

const CANCELLED = ['cancelledByParent', 'testAborted', 'testTimeoutFailure']

function outcomeOf({ type, data }: TestEvent): EndedTest['outcome'] {
  if (type === 'test:fail') return CANCELLED.includes(data.details?.error?.failureType ?? '') ? 'cancelled' : 'failed'
  if (data.skip !== undefined && data.skip !== false) return 'skipped'
  return data.todo !== undefined && data.todo !== false ? 'todo' : 'passed'
}

function describeError(error: (Error & { cause?: unknown }) | undefined): string | undefined {
  if (!error) return undefined
  return typeof error.cause === 'string' ? error.cause : inspect(error.cause ?? error, { depth: 8, maxArrayLength: 50 })
}

/** node:test calls it with the events of the whole process. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const titles: string[] = []
  for await (const event of events) {
    const { name, nesting, details, skip } = event.data ?? {}
    if (event.type === 'test:start') titles.splice(nesting, titles.length, name)
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const test: EndedTest = {
      titles: [...titles.slice(1, nesting), ...(nesting > 0 ? [name] : [])],
      isSuite: details?.type === 'suite',
      outcome: outcomeOf(event),
      reason: typeof skip === 'string' ? skip : undefined,
      error: describeError(details?.error),
      position: positionOf(name),
    }
    process.send?.({ type: 'ended', test } satisfies Report)
  }
  yield ''
}
