import { actionFamilies } from '../../../channels/action-families.ts'
import type { ServiceContext } from '../../../context.ts'
import { inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { signalDueWork } from '../../../jobs/due-watch.ts'
import { collectContentFlaws, compileActionContents, storeContentVersions } from '../content/content-versions.ts'
import { snapshotVersionContents } from '../content/draft-content.ts'
import { beginCampaigns } from '../execution/campaign-run.ts'
import { applyValidationTransition, truncateFlaws } from '../execution/conclusion.ts'
import { loadAction } from '../resource/action-repository.ts'
import { CONTENT_CHANGED_FLAW, hasApprovedContents } from './approved.ts'

/** One validation for production of one action. */
export interface ValidationAttempt {
  account: number
  action: number
  attempt: number
}

/**
 * Takes an action from 40 to 50: freezes its content and compiles it; back to 20 when it cannot be compiled, or is not
 * what was approved. A campaign whose start has come begins at once. May run twice: it goes by the state and the number
 * of the attempt.
 */
export async function completeValidation(
  context: Pick<ServiceContext, 'db' | 'config' | 'clock' | 'renders'>,
  { account, action: id, attempt }: ValidationAttempt,
): Promise<void> {
  const { db, clock, renders } = context
  const action = await loadAction(db, { family: actionFamilies.action, account, id })
  if (action.state !== 40 || action.attempt !== attempt || action.deleted_at !== null) return
  const contents = await compileActionContents({ renders }, await snapshotVersionContents(context, action, null))
  const changeFlaws = hasApprovedContents(action.approved, contents) ? [] : [CONTENT_CHANGED_FLAW]
  const flaws = collectContentFlaws(contents)
  const errors = [...changeFlaws, ...flaws.errors]
  const now = new Date(clock.now())
  const outcome = {
    endedAt: now.toISOString(),
    errors: truncateFlaws(errors),
    findings: truncateFlaws(flaws.findings),
  }
  await inTransaction(db, async (tx) => {
    if (errors.length > 0) {
      await applyValidationTransition(tx, action, { from: 40, to: 20, validation: { ...outcome, result: 'failed' } })
      return
    }
    const storedVersions = await storeContentVersions(tx, action, contents, {
      sourceKind: actionFamilies.action.sourceKind,
      now,
    })
    const isValid = await applyValidationTransition(tx, action, {
      from: 40,
      to: 50,
      validation: { ...outcome, result: 'passed' },
      changes: {
        version: storedVersions.version,
        versions: storedVersions.versions && toJsonbText(storedVersions.versions),
      },
    })
    if (isValid) await beginCampaigns(tx, now, id)
  })
  signalDueWork(db)
}
