import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { SenderCache } from '../../../sending/prepare/sender-cache.ts'

/** A contact as scripts see it; its fields by id and by name. */
export interface ScriptContact {
  id: string
  unicity: string
  hash: string
  creationDate: string
  lastUpdateDate: string
  fields: Record<string, unknown>
}

interface ContactRow {
  id: number
  fields: Record<string, never>
  unicity: string
  hash: string
  createdAt: Date
  updatedAt: Date
}

/** Values of fields by id and by name; an empty one is null. */
export function indexByIdAndName(
  values: Readonly<Record<string, unknown>>,
  fields: readonly { id: number; name: string }[],
): Record<string, unknown> {
  const indexedValues: Record<string, unknown> = { ...values }
  for (const { id, name } of fields) if (name !== '__proto__') indexedValues[name] = values[id] ?? null
  return indexedValues
}

/** Finds a contact by its number. Returns null if it does not exist. */
export async function readScriptContact(
  { db, cache }: { db: Db; cache: SenderCache },
  account: AccountId,
  contact: number | null,
): Promise<ScriptContact | null> {
  if (contact === null) return null
  const { rows } = await sql<ContactRow>`
    select id, fields, unicity, encode(hash, 'hex') as hash, created_at as "createdAt", updated_at as "updatedAt"
    from contacts where account = ${account} and id = ${contact}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { valuesOf, fieldNames } = await cache.account(account)
  const { fields, ...identityValues } = valuesOf(row)
  return {
    ...identityValues,
    creationDate: row.createdAt.toISOString(),
    lastUpdateDate: row.updatedAt.toISOString(),
    fields: indexByIdAndName(fields, fieldNames),
  }
}
