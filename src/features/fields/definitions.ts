import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { type ContactSettings, contactSettingsOf } from './contact-settings.ts'
import type { Field } from './field-schemas.ts'
import { inListOrder } from './label-order.ts'
import type { ValueList } from './value-list-schemas.ts'

/** What contacts of an account are made of, as it stood at one instant. */
export interface Definitions {
  account: AccountId
  /** Every field, ascending id. */
  fields: Field[]
  /** The value lists that fields use, by id; values in the list's order. */
  lists: ReadonlyMap<number, ValueList>
  settings: ContactSettings
}

/** The JSON document of a row of `fields`, as the interface shows it: what is unset is absent. */
export const fieldDocument = sql<Field>`json_strip_nulls(json_build_object(
  'type', f.type, 'id', f.id, 'name', f.name,
  'isUnicity', f.is_unicity, 'isMandatory', f.is_mandatory, 'isCriterion', f.is_criterion,
  'constraint', case when f.constraint_operator is not null
    then json_build_object('operator', f.constraint_operator, 'value', f.constraint_value) end,
  'valueListId', f.value_list))`

/** The JSON document of a row of `value_lists`, its values in the order given. */
export const valueListDocument = sql<ValueList>`json_build_object(
  'id', l.id, 'name', l.name, 'ordered', l.ordered,
  'values', coalesce((
    select json_agg(json_build_object('index', v.index, 'value', v.label) order by v.position)
    from value_list_labels v where v.list = l.id), '[]'))`

/**
 * Fields, value lists and settings of an account in one statement. In a transaction that writes contacts call it
 * after `enterContactWrite`: then they hold until the transaction ends.
 */
export async function loadFields(db: Db, account: AccountId): Promise<Definitions> {
  const { rows } = await sql<{ fields: Field[]; lists: ValueList[]; settings: Partial<ContactSettings> | null }>`
    select a.settings->'contacts' as settings,
      coalesce((select json_agg(${fieldDocument} order by f.id) from fields f where f.account = a.id), '[]') as fields,
      coalesce((select json_agg(${valueListDocument}) from value_lists l
        where l.account = a.id and exists (select from fields f where f.account = a.id and f.value_list = l.id)), '[]') as lists
    from accounts a where a.id = ${account}`.execute(db)
  const [row] = rows
  return {
    account,
    fields: row?.fields ?? [],
    lists: new Map(row?.lists.map((list) => [list.id, inListOrder(list)])),
    settings: contactSettingsOf(row?.settings ?? null),
  }
}

/** The fields whose joined values are the unicity, ascending id. */
export function unicityFields({ fields }: Pick<Definitions, 'fields'>): Field[] {
  return fields.filter((field) => field.isUnicity)
}
