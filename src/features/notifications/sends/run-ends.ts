import { pushChannelTraits } from '../../../channels/push/facts.ts'
import type { ServiceContext } from '../../../context.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import { hasSendingEnds, hasSendingEndsCondition, takeSendingEnds } from '../../../sending/plan/sendings.ts'
import { readSendingRunResults, type SendingRunResult } from '../../../sending/record/ended-runs.ts'

const OWN = [pushChannelTraits.sourceKind] as const

/** Condition: there are ends of runs to take. */
export const hasEndedPushRuns = hasSendingEndsCondition(OWN)

/** Takes the ends of runs, and says in the log how they went. Any number of processes may do so. */
export async function finalizePushRuns({ db, log }: Pick<ServiceContext, 'db' | 'log'>): Promise<void> {
  if (!(await hasSendingEnds(db, OWN))) return
  const ended = await inTransaction(db, async (tx) => {
    const taken = await takeSendingEnds(tx, OWN)
    return readSendingRunResults(
      tx,
      taken.map(({ sending }) => sending),
    )
  })
  for (const run of ended) logEnd(log, run)
}

function logEnd(
  log: ServiceContext['log'],
  { account, source, sending, failedConditions, figures }: SendingRunResult,
): void {
  const { recipients, sent, cancelled, refused, held, deferred } = figures
  const facts = { account, notification: source, sending, recipients, sent, cancelled, refused, held, deferred }
  if (failedConditions > 0)
    log.warn({ ...facts, failedConditions }, 'a run of a notification has ended: conditions could not be evaluated')
  else log.info(facts, 'a run of a notification has ended')
}
