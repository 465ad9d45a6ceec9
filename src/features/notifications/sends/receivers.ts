import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { formatContactId, parseUuid } from '../../../lib/ids.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { type ContactLookup, type FoundContact, findContacts } from '../../contacts/records/find.ts'
import type { ContactIdentification } from '../../contacts/records/identification-schemas.ts'
import type { PushReceiver } from '../item-schemas.ts'

/** Recipient of a request: a contact, or one device. */
export type RequestedReceiver = { type: 'contact'; sought: ContactLookup } | { type: 'subscription'; id: string }

/** Found recipient: a contact, one device with its contact, or one device without a contact. */
export interface FoundPushReceiver {
  contact: FoundContact | null
  /** The one device that was named. */
  subscription: string | null
}

const IDENTITY_MEMBERS = ['id', 'unicity', 'hash'] as const
const IDENTIFICATION_TYPES = ['id', 'unicity', 'hash', 'footprint']

/** Reads who is meant. Adds what is wrong to `faults`. */
export function parsePushReceiver(
  rawReceiver: PushReceiver,
  pointer: string,
  faults: ProblemFault[],
): RequestedReceiver | undefined {
  const receiverMembers = rawReceiver as Record<string, unknown>
  const { type, value } = receiverMembers
  if (type === 'subscription') return { type, id: parseUuid(String(value)) ?? '' }
  const identification = type === 'contact' && isJsonObject(value) ? value : receiverMembers
  if (IDENTIFICATION_TYPES.includes(String(identification['type'])))
    return { type: 'contact', sought: identification as ContactIdentification }
  const firstIdentity =
    type === undefined ? IDENTITY_MEMBERS.find((identity) => receiverMembers[identity] != null) : undefined
  if (firstIdentity)
    return { type: 'contact', sought: { type: firstIdentity, value: receiverMembers[firstIdentity] } as ContactLookup }
  faults.push({ pointer, detail: 'must name a contact by id, unicity or hash, or a subscription' })
  return undefined
}

interface FoundDevice {
  id: string
  contact: number | null
}

/** The devices of an application that are named. */
async function findDevices(
  db: Db,
  { account, application }: { account: AccountId; application: string | null },
  ids: readonly string[],
): Promise<Map<string, FoundDevice>> {
  const nonEmptyIds = ids.filter((id) => id !== '')
  if (nonEmptyIds.length === 0 || application === null) return new Map()
  const { rows } = await sql<FoundDevice>`
    select id, contact from subscriptions
    where account = ${account} and application = ${application}::uuid and id = any(${nonEmptyIds}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Finds receivers, and the contacts of related ones, in their order; `undefined` for those not found. */
export async function findPushReceivers(
  db: Db,
  owner: { account: AccountId; application: string | null },
  receivers: readonly (RequestedReceiver | null)[],
): Promise<(FoundPushReceiver | undefined)[]> {
  const devices = await findDevices(
    db,
    owner,
    receivers.flatMap((receiver) => (receiver?.type === 'subscription' ? [receiver.id] : [])),
  )
  const contactLookups = receivers.map((receiver): ContactLookup | undefined => {
    if (receiver?.type === 'contact') return receiver.sought
    const contact = receiver && devices.get(receiver.id)?.contact
    return contact == null ? undefined : { type: 'id', value: formatContactId(contact) }
  })
  const presentLookups = contactLookups.filter((receiver) => receiver !== undefined)
  const foundContacts = presentLookups.length === 0 ? [] : await findContacts(db, owner.account, presentLookups)
  const contactsByLookup = new Map(presentLookups.map((receiver, index) => [receiver, foundContacts[index]]))
  return receivers.map((receiver, index) => {
    const contact = contactLookups[index] && contactsByLookup.get(contactLookups[index])
    if (receiver === null) return { contact: null, subscription: null }
    if (receiver.type === 'contact') return contact && { contact, subscription: null }
    return devices.has(receiver.id) ? { contact: contact ?? null, subscription: receiver.id } : undefined
  })
}
