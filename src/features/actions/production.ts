import { families } from '../../channels/families.ts'
import { contentSourceOf } from '../../channels/version-source.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/connect.ts'
import { freezeVersion } from '../../outbox/version.ts'
import { CONTENT_CHANGED, isContentApproved } from './approved.ts'
import { beginCampaigns } from './campaign-run.ts'
import { conclude, cut } from './conclusion.ts'
import { draftOf } from './drafts.ts'
import { loadAction } from './stored.ts'

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
  const draft = await draftOf(context, action, null)
  const report = await renders.compile(contentSourceOf(draft.source))
  const changed = isContentApproved(action.approved, draft.source) ? [] : [CONTENT_CHANGED]
  const errors = [...changed, ...draft.errors, ...report.errors]
  const now = new Date(clock.now())
  const outcome = {
    endedAt: now.toISOString(),
    errors: cut(errors),
    findings: cut([...draft.findings, ...report.findings]),
  }
  await inTransaction(db, async (tx) => {
    if (errors.length > 0) {
      await conclude(tx, action, { from: 40, to: 20, validation: { ...outcome, result: 'failed' } })
      return
    }
    const owner = { account, sourceKind: families.action.sourceKind, source: id }
    const version = await freezeVersion(
      tx,
      owner,
      { source: draft.source, links: report.links, design: action.content.design },
      now,
    )
    const isValid = await conclude(tx, action, {
      from: 40,
      to: 50,
      validation: { ...outcome, result: 'passed' },
      changes: { version },
    })
    if (isValid) await beginCampaigns(tx, now, id)
  })
}
