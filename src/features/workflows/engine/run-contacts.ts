import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { SenderCache } from '../../../sending/prepare/sender-cache.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import type { ContactValues } from '../../rendering/scope.ts'
import { indexByIdAndName } from '../../script-host/reads/contact-reads.ts'
import type { ReadyDefinition } from './ready-definition.ts'

/** A contact of an account; null: none. */
export interface RunContactKey {
  account: number
  contact: number | null
}

const formatContactKey = ({ account, contact }: RunContactKey): string => `${account} ${contact}`

/** Contacts as they are now, by their keys; null for none, and for one that is gone. */
async function loadContactRows(db: Db, keys: readonly RunContactKey[]): Promise<Map<string, FoundContact>> {
  const contactKeys = keys.filter(({ contact }) => contact !== null)
  if (contactKeys.length === 0) return new Map()
  const { rows } = await sql<FoundContact & { account: number }>`
    select c.account, c.id, c.fields, c.unicity, encode(c.hash, 'hex') as hash
    from unnest(${contactKeys.map(({ account }) => account)}::integer[], ${contactKeys.map(({ contact }) => contact)}::bigint[]) as k (account, id)
    join contacts c using (account, id)`.execute(db)
  return new Map(rows.map(({ account, ...row }) => [`${account} ${row.id}`, row]))
}

/** Values of a contact in expressions: by id and, at the top level and in `fields`, by name. */
export type ContactScope = ContactValues & Record<string, unknown>

/** A contact with the zone its field names, where it names one. */
export interface RunContact {
  values: ContactScope
  zone(field: number): string | undefined
}

const TIME_ZONE_PATTERN = /^(?:[a-z][\w+-]*(?:\/[\w+-]+)*|[+-]\d{2}:\d{2})$/i

/** A zone that a text names: an IANA name or an offset; undefined for anything else. */
export function findNamedZone(text: unknown): string | undefined {
  const name = typeof text === 'string' ? text.trim() : ''
  if (!TIME_ZONE_PATTERN.test(name)) return undefined
  try {
    Temporal.Now.zonedDateTimeISO(name)
    return name
  } catch {
    return undefined
  }
}

/** Reads contacts of several accounts, in the order of the keys; null for none. */
export async function readRunContacts(
  db: Db,
  cache: SenderCache,
  keys: readonly RunContactKey[],
): Promise<(RunContact | null)[]> {
  const rows = await loadContactRows(db, keys)
  return Promise.all(
    keys.map(async (key) => {
      const row = rows.get(formatContactKey(key))
      if (!row) return null
      const account = await cache.account(key.account, db)
      const { id, unicity, hash, fields: fieldsById } = account.valuesOf(row)
      const fields = indexByIdAndName(fieldsById, account.fieldNames)
      const values = { ...fields, id, unicity, hash, fields } as unknown as ContactScope
      return { values, zone: (field) => findNamedZone(account.rules.valueOf(row, field)) }
    }),
  )
}

/** The zones of a run: that of its workflow, and of its contact where it names one. */
export function resolveRunZones(
  { settings }: Pick<ReadyDefinition, 'settings'>,
  contact: RunContact | null,
): { workflow: string; contact: string } {
  const { timeZone, timeZoneField } = settings
  const fieldZone = timeZoneField === null || contact === null ? undefined : contact.zone(timeZoneField)
  return { workflow: timeZone, contact: fieldZone ?? timeZone }
}
