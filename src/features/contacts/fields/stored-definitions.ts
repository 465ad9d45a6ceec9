import { type Selectable, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import type { FieldsTable } from '../../../database/tables.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { NoticeType } from '../../notices/notices.ts'
import { toContactSettings } from './contact-settings.ts'
import type { ContactSettings } from './contact-settings-schemas.ts'
import type { ContactDefinitions } from './definitions.ts'
import type { ContactFieldDefinition } from './field-schemas.ts'
import { sortValueList } from './label-order.ts'
import type { ValueList } from './value-list-schemas.ts'

/** A field as the interface shows it: what is unset is absent. */
export function toFieldDefinition(row: Selectable<FieldsTable>): ContactFieldDefinition {
  const { constraint_operator: operator, constraint_value: value, value_list: valueListId } = row
  return {
    type: row.type,
    id: row.id,
    name: row.name,
    isUnicity: row.is_unicity,
    isMandatory: row.is_mandatory,
    isCriterion: row.is_criterion,
    ...(operator !== null && { constraint: { operator, value: value ?? '' } }),
    ...(valueListId !== null && { valueListId }),
  }
}

/** The JSON document of a row of `value_lists l`, its values in the order given. */
export const valueListDocument = sql<ValueList>`json_build_object(
  'id', l.id, 'name', l.name, 'ordered', l.ordered,
  'values', coalesce((
    select json_agg(json_build_object('index', v.index, 'value', v.label) order by v.position)
    from value_list_labels v where v.list = l.id), '[]'))`

async function loadValueLists(db: Db, account: AccountId, ids: number[]): Promise<Map<number, ValueList>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ list: ValueList }>`
    select ${valueListDocument} as list from value_lists l
    where l.account = ${account} and l.id = any(${ids}::integer[])`.execute(db)
  return new Map(rows.map(({ list }) => [list.id, sortValueList(list)]))
}

/**
 * Fields, the value lists they use, and settings of an account: nearly every request needs them. In a transaction that writes
 * contacts call it after `enterContactWrite`: then they hold to its end.
 */
export async function loadContactDefinitions(db: Db, account: AccountId): Promise<ContactDefinitions> {
  interface DefinitionsRow extends Selectable<FieldsTable> {
    settings: Partial<ContactSettings> | null
    listening: NoticeType[]
    awaitsDevices: boolean
    foldsKeys: boolean
    version: number
  }
  const { rows } = await sql<DefinitionsRow>`${buildPreparedPrefix('fields-of-account')}
    select f.id, f.account, f.type, f.name, f.name_folded, f.is_unicity, f.is_mandatory, f.is_criterion, f.constraint_operator,
      f.constraint_value, f.value_list, a.settings->'contacts' as settings, a.listening, a.awaits_devices as "awaitsDevices",
      a.folds_keys as "foldsKeys", a.definitions as version
    from accounts a join fields f on f.account = a.id where a.id = ${account} order by f.id`.execute(db)
  const fields = rows.map(toFieldDefinition)
  return {
    account,
    fields,
    lists: await loadValueLists(db, account, [...new Set(fields.flatMap(({ valueListId }) => valueListId ?? []))]),
    version: rows[0]?.version ?? 0,
    settings: toContactSettings(rows[0]?.settings ?? null),
    listening: new Set(rows[0]?.listening),
    awaitsDevices: rows[0]?.awaitsDevices ?? false,
    foldsKeys: rows[0]?.foldsKeys ?? false,
  }
}
