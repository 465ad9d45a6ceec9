import assert from 'node:assert/strict'
import { threadCpuMs } from '../../src/lib/thread-limit.ts'

/** Does some work, which may take so many milliseconds of the processor time of its thread. What else the machine does is not counted. */
export function within<Result>(limitMs: number, work: () => Result): Result {
  const before = threadCpuMs()
  const result = work()
  const ms = threadCpuMs() - before
  assert.ok(ms < limitMs, `${ms} ms of processor time`)
  return result
}
