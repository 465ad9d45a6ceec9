import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'

/**
 * Deletes the unmatched reports that contain any of these addresses, in all accounts, as their account is unknown. One
 * pass over the words of all reports, whatever the number of addresses.
 */
export async function eraseUnmatchedReports(tx: Db, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await sql`
    delete from unmatched_reports where id in (
      select r.id from unmatched_reports r
      cross join lateral regexp_split_to_table(lower(convert_from(r.content, 'LATIN1')), '[\\s<>()\\[\\]",;:]+') word
      join (select distinct lower(n) as name from unnest(${names}::text[]) n) n on n.name = word)`.execute(tx)
}
