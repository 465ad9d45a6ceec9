import { pushChannelTraits } from '../../../channels/push/traits.ts'
import type { ServiceContext } from '../../../context.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import { hasSendingEnds, hasSendingEndsCondition, takeSendingEnds } from '../../../sending/plan/sendings.ts'
import { readSendingRunResults, type SendingRunResult } from '../../../sending/record/ended-runs.ts'

const PUSH_SOURCE_KINDS = [pushChannelTraits.sourceKind] as const

/** Condition: there are ends of runs to take. */
export const hasEndedPushRuns = hasSendingEndsCondition(PUSH_SOURCE_KINDS)

/** Takes the ends of runs, and says in the log how they went. Any number of processes may do so. */
export async function finalizePushRuns({ db, log }: Pick<ServiceContext, 'db' | 'log'>): Promise<void> {
  if (!(await hasSendingEnds(db, PUSH_SOURCE_KINDS))) return
  const endedRuns = await inTransaction(db, async (tx) => {
    const sendingEnds = await takeSendingEnds(tx, PUSH_SOURCE_KINDS)
    return readSendingRunResults(
      tx,
      sendingEnds.map(({ sending }) => sending),
    )
  })
  for (const run of endedRuns) logRunEnd(log, run)
}

function logRunEnd(
  log: ServiceContext['log'],
  { account, source, sending, failedConditions, figures }: SendingRunResult,
): void {
  const {
    recipients,
    sent: sentCount,
    cancelled,
    refused: refusedCount,
    held: heldCount,
    deferred: deferredCount,
  } = figures
  const logMembers = {
    account,
    notification: source,
    sending,
    recipients,
    sent: sentCount,
    cancelled,
    refused: refusedCount,
    held: heldCount,
    deferred: deferredCount,
  }
  if (failedConditions > 0)
    log.warn({ ...logMembers, failedConditions }, 'notification run ended: conditions could not be evaluated')
  else log.info(logMembers, 'notification run ended')
}
