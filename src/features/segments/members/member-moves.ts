import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { type NewNotice, type NoticeCause, writeNotices } from '../../notices/notices.ts'

/** A contact that enters a static segment or leaves it; what caused it is said in the notice. */
export interface SegmentMemberMove {
  segment: number
  contact: number
  cause: NoticeCause
}

/** The types of segments; these are not deleted before the transaction ends. */
export async function lockSegmentTypes(
  tx: Db,
  account: AccountId,
  segments: readonly number[],
): Promise<ReadonlyMap<number, 'static' | 'dynamic'>> {
  if (segments.length === 0) return new Map()
  const { rows } = await sql<{ id: number; type: 'static' | 'dynamic' }>`
    select id, type from segments where account = ${account} and id = any(${segments}::integer[])
    order by id for key share`.execute(tx)
  return new Map(rows.map(({ id, type }) => [id, type]))
}

interface MovedMember {
  segment: number
  contact: number
}

function buildMoveNotices(
  type: 'segment.entered' | 'segment.left',
  moves: readonly SegmentMemberMove[],
  moved: readonly MovedMember[],
): NewNotice[] {
  const causesByMove = new Map(moves.map(({ segment, contact, cause }) => [`${segment} ${contact}`, cause]))
  return moved.map(({ segment, contact }) => {
    return { type, contact, data: { segment }, cause: causesByMove.get(`${segment} ${contact}`)! }
  })
}

/**
 * Makes contacts members of static segments, then ends memberships of others, in the caller's transaction, which holds both.
 * What is so already stays, without a notice.
 */
export async function moveSegmentMembers(
  tx: Db,
  account: AccountId,
  { entering, leaving }: { entering: readonly SegmentMemberMove[]; leaving: readonly SegmentMemberMove[] },
): Promise<void> {
  const unnestMoves = (moves: readonly SegmentMemberMove[]) => sql`
    select distinct segment, contact from unnest(
      ${moves.map(({ segment }) => segment)}::integer[], ${moves.map(({ contact }) => contact)}::bigint[]) as g (segment, contact)`
  if (entering.length > 0) {
    const { rows } = await sql<MovedMember>`
      insert into segment_members (account, segment, contact)
      select ${account}, segment, contact from (${unnestMoves(entering)}) g order by contact, segment
      on conflict do nothing returning segment, contact`.execute(tx)
    await writeNotices(tx, account, buildMoveNotices('segment.entered', entering, rows))
  }
  if (leaving.length > 0) {
    const { rows } = await sql<MovedMember>`
      delete from segment_members m using (${unnestMoves(leaving)}) g
      where m.account = ${account} and m.segment = g.segment and m.contact = g.contact
      returning m.segment, m.contact`.execute(tx)
    await writeNotices(tx, account, buildMoveNotices('segment.left', leaving, rows))
  }
}
