import type { VersionSource } from '../../../channels/version-source.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { fingerprint } from '../../../lib/fingerprint.ts'
import type { FlawShown } from '../../rendering/flaw-schemas.ts'
import { holdCriteria } from '../../segments/criteria/criteria-held.ts'
import type { DraftedContent } from '../content/draft-content.ts'
import type { Approved, Segments } from '../resource/action-repository.ts'

/** A content as it is compiled. What fields and forms an account has says nothing of one of its contents. */
export function compiledParts({ fields: _, forms: __, ...source }: VersionSource): unknown {
  return source
}

/** The contents of an action as they are compiled: one, or those of the versions of its experiment. */
export function contentParts(contents: readonly DraftedContent[]): unknown {
  const [first] = contents
  if (first?.id === null) return compiledParts(first.draft.source)
  return contents.map(({ id, draft }) => ({ id, parts: compiledParts(draft.source) }))
}

/** A hash of plain JSON, as hex. */
export const hashOf = (parts: unknown): string => fingerprint(parts).toString('hex')

/** Whether the contents of an action are those that were approved, or nobody was asked. */
export const areContentsApproved = (approved: Approved | null, contents: readonly DraftedContent[]): boolean =>
  approved === null || approved.content === hashOf(contentParts(contents))

/**
 * Whether criteria of segments are those that were approved, or nobody was asked. What is approved stays so until the
 * transaction ends.
 */
export async function areCriteriaApproved(
  tx: Db,
  approved: Approved | null,
  account: AccountId,
  { selected, excluded }: Segments,
): Promise<boolean> {
  if (approved === null) return true
  return approved.criteria === hashOf(await holdCriteria(tx, account, [...selected, ...excluded]))
}

const flaw = (type: string, message: string): FlawShown => ({ type, message, part: null, position: null })

/** Of a content that is not the one that was approved. */
export const CONTENT_CHANGED = flaw(
  'changed-since-approval',
  'What the content is made of, such as settings of the account, has changed since it was approved: ask for its approval again.',
)

/** Of a campaign whose audience would not be the one that was approved. */
export const CRITERIA_CHANGED = flaw(
  'changed-since-approval',
  'The criteria of its segments have changed since the campaign was approved, so it did not begin: ask for its approval again.',
)
