import type { Db } from '../../database/connection/connect.ts'
import type { AccessRight, AccountId, CreatorId } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { requireCapabilityRights, SENDING_CAPABILITY } from '../../scripting/capabilities.ts'
import type { ImportedWebtasks } from '../../scripting/imports.ts'
import { readMemberSettings } from '../accounts/people-settings.ts'

/** A script outside of workflows, with all who have a part in it. */
export interface ScriptRunPermission {
  account: AccountId
  capabilities: readonly string[]
  /** The authors of the script and of those it imports, the makers of its tokens, and who starts it. */
  makers: readonly CreatorId[]
}

/** The authors of a script and of each that it imports. */
export function listScriptAuthors({ writtenBy }: { writtenBy: CreatorId }, imported: ImportedWebtasks): CreatorId[] {
  return [writtenBy, ...[...imported.values()].map((webtask) => webtask.writtenBy)]
}

/** The author of a script after a write: whoever changed what it does, or a key that sent it, even unchanged. */
export function resolveScriptAuthor(
  before: CreatorId,
  maker: CreatorId,
  { isChanged, isSent }: { isChanged: boolean; isSent: boolean },
): CreatorId {
  return isChanged || (maker === null && isSent) ? maker : before
}

/**
 * Throws 403 `approval-required` where the account requires approvals and a script that may send was made by a person, in any part.
 * Scripts of workflows are approved with them, and are not asked about here.
 */
export async function requireScriptApproval(
  db: Db,
  { account, capabilities, makers }: ScriptRunPermission,
): Promise<void> {
  if (!capabilities.includes(SENDING_CAPABILITY) || makers.every((maker) => maker === null)) return
  const { approval } = await readMemberSettings(db, account)
  if (!approval) return
  const detail = `A script with the capability "${SENDING_CAPABILITY}" can send content that nobody has approved, because a user wrote it or a script it imports, created its token or starts it. Run it in a workflow, and request approval of the workflow.`
  throw new Problem(403, 'approval-required', detail)
}

/** Throws 403 for capabilities of a script that who runs it does not have, and as requireScriptApproval. */
export async function requireScriptRunRights(
  db: Db,
  run: ScriptRunPermission,
  rights: readonly AccessRight[],
): Promise<void> {
  requireCapabilityRights(run.capabilities, [], rights)
  await requireScriptApproval(db, run)
}
