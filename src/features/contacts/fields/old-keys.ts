import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'

/** The effect of the present comparison of addresses on an account with older keys. */
export interface OutdatedContactKeys {
  /** The account's code. */
  code: string
  /** The number of contacts whose key would change. */
  others: number
  /** Ids of contacts that would have the same key, in at most ten groups. */
  together: number[][]
}

/** The accounts whose keys are folded as before decision 127. Reads all their contacts. */
export async function findOutdatedContactKeys(db: Db): Promise<OutdatedContactKeys[]> {
  const { rows } = await sql<OutdatedContactKeys>`
    select a.agency || a.customer as code,
      (select count(*)::integer from contacts c where c.account = a.id and c.key <> address_key(c.unicity)) as others,
      coalesce((select jsonb_agg(g.ids) from (
        select jsonb_agg(c.id order by c.id) as ids from contacts c where c.account = a.id
        group by address_key(c.unicity) having count(*) > 1 order by min(c.id) limit 10) g), '[]') as together
    from accounts a where a.folds_keys order by code`.execute(db)
  return rows
}
