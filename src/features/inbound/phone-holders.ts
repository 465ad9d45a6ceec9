import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/** A phone (E.164) in an account. */
export interface PhoneKey {
  account: AccountId
  phone: string
}

/** The key of `contactsWith`. */
export function phoneKey({ account, phone }: PhoneKey): string {
  return `${account} ${phone}`
}

/** The contacts of accounts with these numbers in any of their phone fields, in one pass over the account's contacts. */
export async function contactsWith(db: Db, wanted: readonly PhoneKey[]): Promise<Map<string, number[]>> {
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<PhoneKey & { contact: number }>`
    select distinct w.account, w.phone, c.id as contact
    from (select distinct * from unnest(${wanted.map(({ account }) => account)}::integer[], ${wanted.map(({ phone }) => phone)}::text[]) as w (account, phone)) w
    join fields f on f.account = w.account and f.type = 'phone'
    join contacts c on c.account = w.account and c.fields ->> f.id::text = w.phone
    order by w.account, w.phone, c.id`.execute(db)
  const groups = Map.groupBy(rows, phoneKey)
  return new Map([...groups].map(([key, list]) => [key, list.map(({ contact }) => contact)]))
}
