import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import type { AccountId, Actor } from '../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { parseUuid } from '../../lib/ids.ts'
import type { ApprovalKind } from './approvable.ts'
import type { ApprovalResource } from './approval-schemas.ts'
import { approvablesByKind } from './kinds.ts'

/** Account and id of an approval. */
export interface ApprovalKey {
  account: AccountId
  id: string
}

/** An approval as it is stored. */
export interface StoredApproval {
  id: string
  account: AccountId
  kind: ApprovalKind
  object: number
  name: string
  state: ApprovalResource['state']
  version: Buffer
  audience: number | null
  comment: string | null
  asked_by: Actor
  asked_at: Date
  decided_by: Actor | null
  decided_at: Date | null
  decision_comment: string | null
  outcome: ApprovalResource['outcome']
}

/** The approval that a path names. Throws notFound for what is no uuid. */
export function parseApprovalKey(account: AccountId, text: string): ApprovalKey {
  const id = parseUuid(text)
  if (id === undefined) throw notFoundProblem('approval', text)
  return { account, id }
}

/** One approval. Throws notFound. */
export async function loadApproval(db: Db, { account, id }: ApprovalKey): Promise<StoredApproval> {
  const { rows } = await sql<StoredApproval>`
    select * from approvals where account = ${account} and id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw notFoundProblem('approval', id)
  return row
}

/** The same, which nothing changes until the transaction ends. */
export async function lockApproval(tx: Db, { account, id }: ApprovalKey): Promise<StoredApproval> {
  const { rows } = await sql<StoredApproval>`
    select * from approvals where account = ${account} and id = ${id} for update`.execute(tx)
  const [row] = rows
  if (!row) throw notFoundProblem('approval', id)
  return row
}

/** Approvals of an account, newest first. */
export async function listApprovals(
  db: Db,
  account: AccountId,
  state: ApprovalResource['state'] | undefined,
  { after, limit }: { after: string | undefined; limit: number | undefined },
): Promise<StoredApproval[]> {
  const { rows } = await sql<StoredApproval>`
    select * from approvals where account = ${account}
      and (${state ?? null}::text is null or state = ${state ?? null})
      and (${after ?? null}::uuid is null or id < ${after ?? null}::uuid)
    order by id desc limit ${limit ?? null}::integer`.execute(db)
  return rows
}

/** Throws conflict `approval-waiting` where one waits for the object already. */
export async function assertNoPendingApproval(
  tx: Db,
  account: AccountId,
  { kind, object }: Pick<StoredApproval, 'kind' | 'object'>,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from approvals
    where account = ${account} and kind = ${kind} and object = ${object} and state = 'waiting'`.execute(tx)
  const [pendingApproval] = rows
  if (pendingApproval) throw createPendingConflict({ approval: pendingApproval.id })
}

const createPendingConflict = (extras: { approval?: string } = {}) =>
  conflictProblem(
    'approval-waiting',
    'This object already has a waiting approval. Decide on it or withdraw it first.',
    extras,
  )

/** Writes an approval that waits. Throws conflict `approval-waiting`. */
export async function insertPendingApproval(
  tx: Db,
  approval: Omit<StoredApproval, 'state' | 'decided_by' | 'decided_at' | 'decision_comment' | 'outcome'>,
): Promise<void> {
  const { asked_by, ...otherColumns } = approval
  const insertion = tx
    .insertInto('approvals')
    .values({ ...otherColumns, asked_by: toJsonbText(asked_by) })
    .execute()
  await mapConstraintErrors(insertion, { unique: () => createPendingConflict() })
}

/** Values that a decision stores in an approval. */
interface DecisionValues {
  state: 'approved' | 'refused'
  by: Actor
  at: Date
  comment: string | null
  /** Set for an action whose compilation follows. */
  attempt: number | null
}

/** Stores a decision. What is approved is done, but for an attempt that is yet to be completed. */
export async function storeApprovalDecision(
  tx: Db,
  { account, id }: ApprovalKey,
  decided: DecisionValues,
): Promise<void> {
  const { state, by: decider, at, comment, attempt } = decided
  const outcome = attempt === null ? 'done' : 'running'
  await tx
    .updateTable('approvals')
    .set({ state, decided_by: toJsonbText(decider), decided_at: at, decision_comment: comment, attempt })
    .set({ outcome: state === 'approved' ? outcome : null })
    .where('account', '=', account)
    .where('id', '=', id)
    .execute()
}

/** Notes that what was asked for has changed since. */
export async function markApprovalStale(tx: Db, { account, id }: ApprovalKey): Promise<void> {
  await tx
    .updateTable('approvals')
    .set({ state: 'stale' })
    .where('account', '=', account)
    .where('id', '=', id)
    .execute()
}

export async function deleteApproval(tx: Db, { account, id }: ApprovalKey): Promise<void> {
  await tx.deleteFrom('approvals').where('account', '=', account).where('id', '=', id).execute()
}

/** An approval as the interface shows it. */
export function toApprovalResource(row: StoredApproval): ApprovalResource {
  const {
    id,
    state,
    kind,
    object,
    name,
    version,
    audience,
    comment,
    decided_by: decider,
    decided_at: at,
    outcome,
  } = row
  return {
    id,
    state,
    object: { type: kind, id: approvablesByKind[kind].showId(object), name },
    version: version.toString('hex'),
    audience,
    comment,
    askedBy: row.asked_by,
    askedAt: row.asked_at.toISOString(),
    decision: decider && at && { by: decider, at: at.toISOString(), comment: row.decision_comment },
    outcome,
  }
}
