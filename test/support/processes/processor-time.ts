import assert from 'node:assert/strict'
import { readThreadCpuMs } from '../../../src/lib/concurrency/thread-limit.ts'

/** Does some work; `ms`: the processor time of this thread that it took. */
export function measureCpu<Result>(work: () => Result): { result: Result; ms: number } {
  const before = readThreadCpuMs()
  const result = work()
  return { result, ms: readThreadCpuMs() - before }
}

/** Does some work, which must take less than `limitMs` of the processor time of its thread. Other work of the machine is not counted. */
export function within<Result>(limitMs: number, work: () => Result): Result {
  const { result, ms } = measureCpu(work)
  assert.ok(ms < limitMs, `${ms} ms of processor time`)
  return result
}
