import { sql } from 'kysely'
import { sms } from '../../channels/sms/facts.ts'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { type Activated, type ActivationRow, activated } from './activations.ts'

/** A send, named by its account and its stamp. */
export interface SmsKey {
  account: AccountId
  stamp: string
}

interface Row extends ActivationRow {
  n: number
}

/** The activations of SMS in the order of their keys, in one statement; undefined where none is stored any more. */
export async function findSmsActivations(db: Db, keys: readonly SmsKey[]): Promise<(Activated | undefined)[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<Row>`
    select k.n::integer, e.account, e.subject as source, e.contact, e.activation
    from unnest(${keys.map(({ account }) => account)}::integer[], ${keys.map(({ stamp }) => stamp)}::uuid[])
      with ordinality as k (account, stamp, n)
    cross join lateral (
      select account, subject, contact, detail -> 'activation' as activation from events
      where account = k.account and stamp = k.stamp and kind = 'activations' and channel = ${sms.name} limit 1) e`.execute(
    db,
  )
  const found = new Map(rows.map((row) => [row.n - 1, row]))
  return keys.map((_, index) => {
    const row = found.get(index)
    return row && activated(row, sms.name)
  })
}
