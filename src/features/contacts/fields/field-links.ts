import { sql } from 'kysely'
import { type ActionFamilyKind, getActionFamily } from '../../../channels/action-families.ts'
import type { ChannelActionType } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { formatActionId } from '../../../lib/ids.ts'

/** A use of a field that prevents its deletion. */
export interface FieldLink {
  type: 'segment' | ActionFamilyKind | 'importFormat' | 'import' | 'form'
  id: number | string
  name: string
}

const FINISHED_ACTION_STATE = 60

/** Segments whose criteria name the field, by ascending id. */
export async function readFieldSegmentLinks(db: Db, account: AccountId, field: number): Promise<FieldLink[]> {
  const { rows } = await sql<FieldLink>`
    select 'segment' as type, s.id, s.name from segment_fields l join segments s on s.id = l.segment
    where l.account = ${account} and l.field = ${field} order by s.id`.execute(db)
  return rows
}

/** Actions neither deleted nor finished which send to the field or take the zone from it, by ascending id. */
async function readActionLinks(db: Db, account: AccountId, field: number): Promise<FieldLink[]> {
  const { rows } = await sql<{ id: number; name: string; type: ChannelActionType }>`
    select id, name, type from actions
    where account = ${account} and deleted_at is null and state <> ${FINISHED_ACTION_STATE}
      and to_jsonb(${field}::integer) in (settings->'field', scheduler->'timeZoneField')
    order by id`.execute(db)
  return rows.map(({ id, name, type }) => {
    const { sourceKind, showId: formatId } = getActionFamily(type)
    return { type: sourceKind, id: formatId(id), name }
  })
}

/** Import formats that bind the field, then imports whose features name it; the database holds them by foreign keys. */
async function readImportLinks(db: Db, account: AccountId, field: number): Promise<FieldLink[]> {
  const { rows } = await sql<FieldLink>`
    select 'importFormat' as type, f.id, f.name from import_format_binds b join import_formats f on f.id = b.format
    where b.account = ${account} and b.field = ${field}
    union all
    select 'import', i.id, i.name from import_fields l join imports i on i.id = l.import
    where l.account = ${account} and l.field = ${field}
    order by 1 desc, 2`.execute(db)
  return rows
}

/** Forms that ask for the field, by ascending id; the database holds them by a foreign key. */
async function readFormLinks(db: Db, account: AccountId, field: number): Promise<FieldLink[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select f.id, f.name from form_fields l join forms f on f.id = l.form
    where l.account = ${account} and l.field = ${field} order by f.id`.execute(db)
  return rows.map(({ id, name }) => ({ type: 'form', id: formatActionId(id), name }))
}

/** Everything that uses a field and keeps it from being deleted. */
export async function readFieldLinks(db: Db, account: AccountId, field: number): Promise<FieldLink[]> {
  return [
    ...(await readFieldSegmentLinks(db, account, field)),
    ...(await readActionLinks(db, account, field)),
    ...(await readFormLinks(db, account, field)),
    ...(await readImportLinks(db, account, field)),
  ]
}

/** The fields that take their values from a list, by ascending id. */
export async function readValueListLinks(db: Db, account: AccountId, list: number) {
  const { rows } = await sql<{ type: 'field'; id: number; name: string }>`
    select 'field' as type, id, name from fields where account = ${account} and value_list = ${list} order by id`.execute(
    db,
  )
  return rows
}
