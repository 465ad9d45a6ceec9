import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../lib/account.ts'

export interface Selection {
  /** Contacts of any of these. */
  selected: readonly number[]
  /** Their contacts are taken out. */
  excluded: readonly number[]
}

/**
 * A select of one column, the ids of the contacts of an audience, each once: the union of the selected segments without
 * the union of the excluded ones. A dynamic segment without criteria selects nobody.
 */
export function audienceSql(account: AccountId, { selected, excluded }: Selection): RawBuilder<{ contact: number }> {
  return sql<{ contact: number }>`
    select distinct m.contact from segment_members m
    where m.account = ${account} and m.segment = any(${selected}::integer[])
      and not exists (
        select from segment_members x
        where x.account = ${account} and x.segment = any(${excluded}::integer[]) and x.contact = m.contact)`
}
