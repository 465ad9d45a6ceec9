import type { ServiceContext } from '../../context.ts'
import type { AccessRight, AccountId } from '../../lib/account.ts'
import { sentSourceKinds } from '../../lib/sources.ts'
import type { ActionApproval } from '../actions/resource/action-repository.ts'
import type { SegmentAudience } from '../segments/members/segment-audience.ts'

/** Kinds of what is approved. */
export const approvalKinds = [...sentSourceKinds, 'workflow'] as const

export type ApprovalKind = (typeof approvalKinds)[number]

/** Services that approvals require. `db` may be a transaction. */
export type ApprovalContext = Pick<ServiceContext, 'db' | 'config' | 'clock' | 'renders' | 'sandbox' | 'log'>

/** Account and id of an object. */
export interface ApprovableKey {
  account: AccountId
  id: number
}

/** An object as it is asked for. */
export interface ApprovableDescription {
  name: string
  /** Every part of it that a decision is about: plain JSON. `content`: of an action, as it is compiled. */
  parts: { definition: unknown; content?: unknown; [part: string]: unknown }
  /** Audience the object is sent to; null if the object names none. */
  audience: SegmentAudience | null
  /** Every segment that it names. */
  segments: readonly number[]
}

/** Operations that request and perform the approval of objects of one kind. All but `assertCompiles` and `committed` are called in a transaction. */
export interface Approvable {
  /** Parses an id sent by a caller; `undefined` if the id is not valid. */
  readId(idText: string): number | undefined
  showId(id: number): string | number
  /** Locks an object, and says what it is. Throws notFound; also gone, where a deleted one is still there. */
  lock(context: ApprovalContext, key: ApprovableKey): Promise<ApprovableDescription>
  /** Does what is asked for. Gives the attempt that is to be completed, or null. Throws conflict with all that speaks against it. */
  perform(
    context: ApprovalContext,
    key: ApprovableKey,
    by: { rights: readonly AccessRight[]; comment: string | null; approved: ActionApproval },
  ): Promise<number | null>
  /** Throws conflict for a content that would be found not to compile only after the commit. Asked where it is only tried. */
  assertCompiles?(context: ApprovalContext, key: ApprovableKey): Promise<void>
  /** Completes it after the commit; what is not completed by then goes on by itself. */
  committed?(context: ApprovalContext, key: ApprovableKey, attempt: number | null): Promise<void>
}
