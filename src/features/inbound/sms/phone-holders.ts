import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { comparisonColumns, formatFieldKey } from '../../segments/criteria/criterion-columns.ts'

/** A phone (E.164) in an account. */
export interface PhoneHolderKey {
  account: AccountId
  phone: string
}

/** The key of `findPhoneHolders`. */
export function phoneHolderKey({ account, phone }: PhoneHolderKey): string {
  return `${account} ${phone}`
}

interface PhoneField {
  account: AccountId
  field: number
}

async function loadPhoneFields(db: Db, accounts: readonly AccountId[]): Promise<PhoneField[]> {
  const { rows } = await sql<PhoneField>`
    select account, id as field from fields where account = any(${accounts}::integer[]) and type = 'phone'
    order by account, id`.execute(db)
  return rows
}

/**
 * A select of the contacts of an account that have one of some numbers in one field. The field is a literal, and the start
 * of a text stands as the index of a field has it, or the planner would not use that.
 */
function selectHolders({ account, field }: PhoneField, phones: readonly string[]): RawBuilder<unknown> {
  const { value, key } = comparisonColumns.text
  const phone = value(sql`fields`, formatFieldKey(field))
  return sql`
    select ${account}::integer as account, ${phone} as phone, id as contact from contacts
    where account = ${account} and ${key(phone)} = any(folded_start(${phones}::text[])) and ${phone} = any(${phones}::text[])`
}

/** The contacts of accounts with these numbers in any of their phone fields, field by field in one statement. */
export async function findPhoneHolders(db: Db, holderKeys: readonly PhoneHolderKey[]): Promise<Map<string, number[]>> {
  if (holderKeys.length === 0) return new Map()
  const byAccount = Map.groupBy(holderKeys, ({ account }) => account)
  const fields = await loadPhoneFields(db, [...byAccount.keys()])
  if (fields.length === 0) return new Map()
  const selects = fields.map((field) => {
    const phones = new Set(byAccount.get(field.account)?.map(({ phone }) => phone))
    return selectHolders(field, [...phones])
  })
  const { rows } = await sql<PhoneHolderKey & { contact: number }>`
    ${sql.join(selects, sql` union `)} order by account, phone, contact`.execute(db)
  const groups = Map.groupBy(rows, phoneHolderKey)
  return new Map([...groups].map(([key, list]) => [key, list.map(({ contact }) => contact)]))
}
