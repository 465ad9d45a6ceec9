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

const GROUP = { most: 200, atOnce: 1 }
/** What is stored is recorded in any case: nobody is kept waiting longer for it. */
const RECORDED_WITHIN_MS = 1000

/** Reports that come together are stored and recorded together. */
export function openRcsIntake(context: RcsIngestContext): RcsIntake {
  const { db, clock, log } = context

  async function record(): Promise<void> {
    try {
      await ingestRcsReports(context)
    } catch (error) {
      // The periodic task records them.
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'cannot record RCS reports')
    }
  }

  const group = createGroupCommit(async (received: ReceivedRcsReport[]) => {
    await storeRcsReports(db, received, clock.now())
    await isResolvedWithin(RECORDED_WITHIN_MS, record())
    return received.map(() => ({}))
  }, GROUP)
  return { take: (received) => group.add(received), idle: () => group.idle() }
}
