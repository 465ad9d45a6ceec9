import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeShiftedClock, NO_SHIFTED_CLOCK } from '../../fakes/shifted-clock.ts'
import { prepareService } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const HOUR = 3_600_000
/** A minute until the schedule notices, one until its next run, and as much again: much less than the two hours of the step. */
const TIMEOUT_MS = 480_000

test('the housekeeping of each minute goes on after the clock of the service was put back', {
  skip: NO_SHIFTED_CLOCK,
  timeout: TIMEOUT_MS,
}, async (t) => {
  const { signal } = t
  const clock = await makeShiftedClock()
  t.after(() => clock.remove())
  const { database, start, log } = await prepareService(t, { STENTOR_LOG_LEVEL: 'warn', ...clock.environment })
  const lastRun = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ at: Date | null }>(
      `select last_execution as at from graphile_worker._private_known_crontabs where identifier = 'housekeeping.minutely'`,
    )
    return rows[0]?.at?.getTime() ?? 0
  }
  await start()
  await eventually(async () => (await lastRun()) > 0, signal)
  clock.shift(-2 * HOUR)
  const isPutBack = async () => {
    const at = await lastRun()
    return at < Date.now() - HOUR && at
  }
  const before = await eventually(isPutBack, signal)
  await eventually(async () => (await lastRun()) > before, signal)
  assert.doesNotMatch(log(), /declared dead/)
})
