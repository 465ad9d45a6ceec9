import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'

/** What the present rule of addresses would make of the contacts of an account whose keys are older. */
export interface OldKeys {
  /** The account's code. */
  code: string
  /** How many contacts have another key than their address would have. */
  others: number
  /** Ids of contacts that would have the same key, in groups; at most ten groups. */
  together: number[][]
}

/** The accounts whose keys are folded as before decision 127. Reads all their contacts. */
export async function findOldKeys(db: Db): Promise<OldKeys[]> {
  const { rows } = await sql<OldKeys>`
    select a.agency || a.customer as code,
      (select count(*)::integer from contacts c where c.account = a.id and c.key <> address_key(c.unicity)) as others,
      coalesce((select jsonb_agg(g.ids) from (
        select jsonb_agg(c.id order by c.id) as ids from contacts c where c.account = a.id
        group by address_key(c.unicity) having count(*) > 1 order by min(c.id) limit 10) g), '[]') as together
    from accounts a where a.folds_keys order by code`.execute(db)
  return rows
}
