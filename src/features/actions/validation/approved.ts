import type { ContentVersionSource } from '../../../channels/version-source.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { fingerprintJson } from '../../../lib/fingerprint.ts'
import type { ReportedFlaw } from '../../rendering/flaw-schemas.ts'
import { lockSegmentCriteria } from '../../segments/criteria/criteria-held.ts'
import type { VersionContentSnapshot } from '../content/draft-content.ts'
import type { ActionApproval, ActionSegments } from '../resource/action-repository.ts'

/** A content as it is compiled. What fields and forms an account has says nothing of one of its contents. */
export function pickCompiledParts({ fields: _, forms: __, ...source }: ContentVersionSource): unknown {
  return source
}

/** The contents of an action as they are compiled: one, or those of the versions of its experiment. */
export function pickContentParts(contents: readonly VersionContentSnapshot[]): unknown {
  const [first] = contents
  if (first?.id === null) return pickCompiledParts(first.draft.source)
  return contents.map(({ id, draft }) => ({ id, parts: pickCompiledParts(draft.source) }))
}

/** A hash of plain JSON, as hex. */
export const hashContentParts = (parts: unknown): string => fingerprintJson(parts).toString('hex')

/** Whether the contents of an action are those that were approved, or nobody was asked. */
export const hasApprovedContents = (
  approved: ActionApproval | null,
  contents: readonly VersionContentSnapshot[],
): boolean => approved === null || approved.content === hashContentParts(pickContentParts(contents))

/**
 * Whether criteria of segments are those that were approved, or nobody was asked. What is approved stays so until the
 * transaction ends.
 */
export async function hasApprovedCriteria(
  tx: Db,
  approved: ActionApproval | null,
  account: AccountId,
  { selected, excluded }: ActionSegments,
): Promise<boolean> {
  if (approved === null) return true
  return approved.criteria === hashContentParts(await lockSegmentCriteria(tx, account, [...selected, ...excluded]))
}

const flaw = (type: string, message: string): ReportedFlaw => ({ type, message, part: null, position: null })

/** Of a content that is not the one that was approved. */
export const CONTENT_CHANGED_FLAW = flaw(
  'changed-since-approval',
  'What the content is made of, such as settings of the account, has changed since it was approved: ask for its approval again.',
)

/** Of a campaign whose audience would not be the one that was approved. */
export const CRITERIA_CHANGED_FLAW = flaw(
  'changed-since-approval',
  'The criteria of its segments have changed since the campaign was approved, so it did not begin: ask for its approval again.',
)
