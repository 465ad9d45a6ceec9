import { families } from '../../../channels/families.ts'
import type { Context } from '../../../context.ts'
import { inTransaction, json } from '../../../database/connection/connect.ts'
import { hurryWork } from '../../../jobs/due-watch.ts'
import { compileContents, flawsOf, freezeContents } from '../content/content-versions.ts'
import { draftsOf } from '../content/draft-content.ts'
import { beginCampaigns } from '../execution/campaign-run.ts'
import { conclude, cut } from '../execution/conclusion.ts'
import { loadAction } from '../resource/action-repository.ts'
import { areContentsApproved, CONTENT_CHANGED } from './approved.ts'

/** One validation for production of one action. */
export interface Attempt {
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
  context: Pick<Context, 'db' | 'config' | 'clock' | 'renders'>,
  { account, action: id, attempt }: Attempt,
): Promise<void> {
  const { db, clock, renders } = context
  const action = await loadAction(db, { family: families.action, account, id })
  if (action.state !== 40 || action.attempt !== attempt || action.deleted_at !== null) return
  const contents = await compileContents({ renders }, await draftsOf(context, action, null))
  const changed = areContentsApproved(action.approved, contents) ? [] : [CONTENT_CHANGED]
  const flaws = flawsOf(contents)
  const errors = [...changed, ...flaws.errors]
  const now = new Date(clock.now())
  const outcome = {
    endedAt: now.toISOString(),
    errors: cut(errors),
    findings: cut(flaws.findings),
  }
  await inTransaction(db, async (tx) => {
    if (errors.length > 0) {
      await conclude(tx, action, { from: 40, to: 20, validation: { ...outcome, result: 'failed' } })
      return
    }
    const frozen = await freezeContents(tx, action, contents, { sourceKind: families.action.sourceKind, now })
    const isValid = await conclude(tx, action, {
      from: 40,
      to: 50,
      validation: { ...outcome, result: 'passed' },
      changes: { version: frozen.version, versions: frozen.versions && json(frozen.versions) },
    })
    if (isValid) await beginCampaigns(tx, now, id)
  })
  hurryWork(db)
}
