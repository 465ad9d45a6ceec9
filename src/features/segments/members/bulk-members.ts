import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { noticeInsertPartSql } from '../../notices/notices.ts'
import { buildMembershipNotices } from './membership-notices.ts'

/** Parts of a `with` that make `contacts`, another part with their `id`, members of a static segment. */
export function buildSegmentJoinParts(
  shape: Pick<ContactShape, 'account' | 'listening'>,
  segment: number,
  contacts: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const entryNotices = sql`select contact, jsonb_build_object('segment', ${segment}::integer) as data from joined`
  return sql`, joined as (
      insert into segment_members (account, segment, contact) select ${shape.account}, ${segment}, id from ${contacts}
      on conflict do nothing returning contact)
    ${noticeInsertPartSql(shape, 'segment.entered', entryNotices)}`
}

/**
 * Makes a static segment hold exactly some contacts: `members`, a relation of `contact`. Contacts deleted meanwhile are
 * left out.
 */
export async function replaceSegmentMembers(
  tx: Db,
  account: AccountId,
  segment: number,
  members: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with moved as (
      delete from segment_members m where m.account = ${account} and m.segment = ${segment}
        and not exists (select from ${members} s where s.contact = m.contact)
      returning contact),
    ${buildMembershipNotices(account, 'segment.left', segment)} select`.execute(tx)
  await sql`
    with moved as (
      insert into segment_members (account, segment, contact)
      select ${account}, ${segment}, c.id from ${members} s join contacts c on c.account = ${account} and c.id = s.contact
      order by c.id for key share of c
      on conflict do nothing returning contact),
    ${buildMembershipNotices(account, 'segment.entered', segment)} select`.execute(tx)
}
