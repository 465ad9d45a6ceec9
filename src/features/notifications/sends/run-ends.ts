import { notification } from '../../../channels/push/facts.ts'
import type { Context } from '../../../context.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import { areEnded, hasEnds, takeEnds } from '../../../sending/plan/sendings.ts'
import { type EndedRun, readRuns } from '../../../sending/record/ended-runs.ts'

const OWN = [notification.sourceKind] as const

/** Condition: there are ends of runs to take. */
export const isRunEnded = areEnded(OWN)

/** Takes the ends of runs, and says in the log how they went. Any number of processes may do so. */
export async function takeRunEnds({ db, log }: Pick<Context, 'db' | 'log'>): Promise<void> {
  if (!(await hasEnds(db, OWN))) return
  const ended = await inTransaction(db, async (tx) => {
    const taken = await takeEnds(tx, OWN)
    return readRuns(
      tx,
      taken.map(({ sending }) => sending),
    )
  })
  for (const run of ended) logEnd(log, run)
}

function logEnd(log: Context['log'], { account, source, sending, failedConditions, figures }: EndedRun): void {
  const { recipients, sent, cancelled, refused, held, deferred } = figures
  const facts = { account, notification: source, sending, recipients, sent, cancelled, refused, held, deferred }
  if (failedConditions > 0)
    log.warn({ ...facts, failedConditions }, 'a run of a notification has ended: conditions could not be evaluated')
  else log.info(facts, 'a run of a notification has ended')
}
