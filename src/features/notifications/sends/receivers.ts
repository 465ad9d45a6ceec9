import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { formatContactId, parseUuid } from '../../../lib/ids.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { type ContactLookup, type FoundContact, findContacts } from '../../contacts/records/find.ts'
import type { ContactIdentification } from '../../contacts/records/identification-schemas.ts'
import type { PushReceiver } from '../item-schemas.ts'

/** Who a request names: a contact, or one device. */
export type RequestedReceiver = { type: 'contact'; sought: ContactLookup } | { type: 'subscription'; id: string }

/** Who was found: a contact, one device with its contact, or one without. */
export interface FoundPushReceiver {
  contact: FoundContact | null
  /** The one device that was named. */
  subscription: string | null
}

const identities = ['id', 'unicity', 'hash'] as const
const TYPES = ['id', 'unicity', 'hash', 'footprint']

/** Reads who is meant. Adds what is wrong to `faults`. */
export function parsePushReceiver(
  given: PushReceiver,
  pointer: string,
  faults: ProblemFault[],
): RequestedReceiver | undefined {
  const named = given as Record<string, unknown>
  const { type, value } = named
  if (type === 'subscription') return { type, id: parseUuid(String(value)) ?? '' }
  const identification = type === 'contact' && isJsonObject(value) ? value : named
  if (TYPES.includes(String(identification['type'])))
    return { type: 'contact', sought: identification as ContactIdentification }
  const first = type === undefined ? identities.find((identity) => named[identity] != null) : undefined
  if (first) return { type: 'contact', sought: { type: first, value: named[first] } as ContactLookup }
  faults.push({ pointer, detail: 'must name a contact by id, unicity or hash, or a subscription' })
  return undefined
}

interface Device {
  id: string
  contact: number | null
}

/** The devices of an application that are named. */
async function findDevices(
  db: Db,
  { account, application }: { account: AccountId; application: string | null },
  ids: readonly string[],
): Promise<Map<string, Device>> {
  const known = ids.filter((id) => id !== '')
  if (known.length === 0 || application === null) return new Map()
  const { rows } = await sql<Device>`
    select id, contact from subscriptions
    where account = ${account} and application = ${application}::uuid and id = any(${known}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Finds receivers, and the contacts of related ones, in their order; undefined where there is none. */
export async function findPushReceivers(
  db: Db,
  owner: { account: AccountId; application: string | null },
  receivers: readonly (RequestedReceiver | null)[],
): Promise<(FoundPushReceiver | undefined)[]> {
  const devices = await findDevices(
    db,
    owner,
    receivers.flatMap((one) => (one?.type === 'subscription' ? [one.id] : [])),
  )
  const sought = receivers.map((one): ContactLookup | undefined => {
    if (one?.type === 'contact') return one.sought
    const contact = one && devices.get(one.id)?.contact
    return contact == null ? undefined : { type: 'id', value: formatContactId(contact) }
  })
  const asked = sought.filter((one) => one !== undefined)
  const found = asked.length === 0 ? [] : await findContacts(db, owner.account, asked)
  const contacts = new Map(asked.map((one, index) => [one, found[index]]))
  return receivers.map((one, index) => {
    const contact = sought[index] && contacts.get(sought[index])
    if (one === null) return { contact: null, subscription: null }
    if (one.type === 'contact') return contact && { contact, subscription: null }
    return devices.has(one.id) ? { contact: contact ?? null, subscription: one.id } : undefined
  })
}
