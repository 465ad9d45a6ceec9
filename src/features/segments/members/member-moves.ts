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

interface Moved {
  segment: number
  contact: number
}

function noticesOf(
  type: 'segment.entered' | 'segment.left',
  moves: readonly SegmentMemberMove[],
  moved: readonly Moved[],
): NewNotice[] {
  const causes = new Map(moves.map(({ segment, contact, cause }) => [`${segment} ${contact}`, cause]))
  return moved.map(({ segment, contact }) => {
    return { type, contact, data: { segment }, cause: causes.get(`${segment} ${contact}`)! }
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
  const given = (moves: readonly SegmentMemberMove[]) => sql`
    select distinct segment, contact from unnest(
      ${moves.map(({ segment }) => segment)}::integer[], ${moves.map(({ contact }) => contact)}::bigint[]) as g (segment, contact)`
  if (entering.length > 0) {
    const { rows } = await sql<Moved>`
      insert into segment_members (account, segment, contact)
      select ${account}, segment, contact from (${given(entering)}) g order by contact, segment
      on conflict do nothing returning segment, contact`.execute(tx)
    await writeNotices(tx, account, noticesOf('segment.entered', entering, rows))
  }
  if (leaving.length > 0) {
    const { rows } = await sql<Moved>`
      delete from segment_members m using (${given(leaving)}) g
      where m.account = ${account} and m.segment = g.segment and m.contact = g.contact
      returning m.segment, m.contact`.execute(tx)
    await writeNotices(tx, account, noticesOf('segment.left', leaving, rows))
  }
}
