import { isDatabaseUnavailable } from '../../../database/errors.ts'
import { createGroupCommit } from '../../../lib/concurrency/group-commit.ts'
import { isResolvedWithin } from '../../../lib/concurrency/within.ts'
import { type ReceivedRcsReport, storeRcsReports } from './rcs-inbox.ts'
import { ingestRcsReports, type RcsIngestContext } from './rcs-ingest.ts'

/** Takes what was reported of RCS. */
export interface RcsIntake {
  /** Resolves once the report is stored, and as a rule its event can be read. Rejects when it cannot be stored. */
  take(received: ReceivedRcsReport): Promise<unknown>
  idle(): Promise<void>
}

const GROUP_LIMITS = { most: 200, atOnce: 1 }
/** Maximum time a request waits: stored reports are recorded in any case. */
const RECORD_TIMEOUT_MS = 1000

/** Reports that come together are stored and recorded together. */
export function openRcsIntake(context: RcsIngestContext): RcsIntake {
  const { db, clock, log } = context

  async function recordReports(): Promise<void> {
    try {
      await ingestRcsReports(context)
    } catch (error) {
      // The periodic task records them.
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'cannot record RCS reports')
    }
  }

  const group = createGroupCommit(async (received: ReceivedRcsReport[]) => {
    await storeRcsReports(db, received, clock.now())
    await isResolvedWithin(RECORD_TIMEOUT_MS, recordReports())
    return received.map(() => ({}))
  }, GROUP_LIMITS)
  return { take: (received) => group.add(received), idle: () => group.idle() }
}
