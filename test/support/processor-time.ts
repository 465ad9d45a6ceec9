import assert from 'node:assert/strict'

/** Does some work, which may take so many milliseconds of the processor time of its thread. What else the machine does is not counted. */
export function within<Result>(limitMs: number, work: () => Result): Result {
  const before = process.threadCpuUsage()
  const result = work()
  const { user, system } = process.threadCpuUsage(before)
  const ms = (user + system) / 1000
  assert.ok(ms < limitMs, `${ms} ms of processor time`)
  return result
}
