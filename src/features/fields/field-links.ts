import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { actionId } from '../../lib/ids.ts'

/** What still uses a field. */
export interface FieldLink {
  type: 'segment' | 'action'
  id: number | string
  name: string
}

const FINISHED = 60

/** Segments whose criteria name the field, by ascending id. */
export async function criteriaLinks(db: Db, account: AccountId, field: number): Promise<FieldLink[]> {
  const { rows } = await sql<FieldLink>`
    select 'segment' as type, id, name from segments
    where account = ${account} and criteria is not null
      and jsonb_path_exists(criteria, '$.**.field ? (@ == $field)', jsonb_build_object('field', ${field}::integer))
    order by id`.execute(db)
  return rows
}

/** Segments whose criteria name the field, then actions neither deleted nor finished which send to it or take the zone from it. */
export async function fieldLinks(db: Db, account: AccountId, field: number): Promise<FieldLink[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from actions
    where account = ${account} and deleted_at is null and state <> ${FINISHED}
      and to_jsonb(${field}::integer) in (settings->'field', scheduler->'timeZoneField')
    order by id`.execute(db)
  const actions = rows.map(({ id, name }): FieldLink => ({ type: 'action', id: actionId(id), name }))
  return [...(await criteriaLinks(db, account, field)), ...actions]
}
