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
  const [firstContent] = contents
  if (firstContent?.id === null) return pickCompiledParts(firstContent.draft.source)
  return contents.map(({ id, draft }) => ({ id, parts: pickCompiledParts(draft.source) }))
}

/** A hash of plain JSON, as hex. */
export const hashContentParts = (parts: unknown): string => fingerprintJson(parts).toString('hex')

/** True if the contents of an action are the approved ones, or if no approval was required. */
export const hasApprovedContents = (
  approved: ActionApproval | null,
  contents: readonly VersionContentSnapshot[],
): boolean => approved === null || approved.content === hashContentParts(pickContentParts(contents))

/**
 * True if the criteria of segments are the approved ones, or if no approval was required. The approved criteria cannot change until the
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

const createFlaw = (type: string, message: string): ReportedFlaw => ({ type, message, part: null, position: null })

/** Flaw of a content that differs from the approved one. */
export const CONTENT_CHANGED_FLAW = createFlaw(
  'changed-since-approval',
  'A part of the content, such as a setting of the account, has changed since the approval. Request approval again.',
)

/** Flaw of a campaign whose audience would differ from the approved one. */
export const CRITERIA_CHANGED_FLAW = createFlaw(
  'changed-since-approval',
  'The criteria of its segments have changed since the campaign was approved, so it did not start. Request approval again.',
)
