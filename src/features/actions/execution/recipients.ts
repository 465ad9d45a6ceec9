import { sql } from 'kysely'
import { emailChannelTraits } from '../../../channels/email/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { stoppingBounceCodes } from '../../contacts/bounces/bounce-codes.ts'
import { type FoundContact, findContacts } from '../../contacts/records/find.ts'
import type { ContactIdentification } from '../../contacts/records/identification-schemas.ts'
import { isSenderDomain } from '../resource/parse-action-body.ts'
import type { ActionRenderItem, MessageCopy, RequestedItem } from './item-schemas.ts'

/** The contacts one item names; undefined: it names one that there is not. Null: it names none. */
export interface ItemContacts {
  recipient: FoundContact | null | undefined
  related: FoundContact | null | undefined
  /** In the order of its copies; null for those that are addresses. */
  copies: (FoundContact | null | undefined)[]
}

type Item = RequestedItem | ActionRenderItem

/** An item that says who it is for. */
export type AddressedItem = RequestedItem & { recipient: ContactIdentification }

const MAX_FAULTS = 100

/** Who an item is for, by either name. */
export function findItemRecipient(item: Item): ContactIdentification | undefined {
  return item.recipient ?? item.receiver
}

/** Throws 400 with every structural fault that the schema does not see; of a list pointers begin with the place. */
export function requireValidItems(items: readonly Item[], isList: boolean, needsRecipient: boolean): void {
  const faults = items.flatMap((item, index): ProblemFault[] => {
    const at = isList ? `/${index}` : ''
    const domain = item.headers?.from?.domain
    return [
      ...(needsRecipient && findItemRecipient(item) === undefined
        ? [{ pointer: `${at}/recipient`, detail: 'is required' }]
        : []),
      ...(domain != null && !isSenderDomain(domain)
        ? [{ pointer: `${at}/headers/from/domain`, detail: 'must be a domain name' }]
        : []),
    ]
  })
  if (faults.length > 0) throw invalidRequestProblem(faults.slice(0, MAX_FAULTS))
}

/** Items of an execution by the one name of who they are for. Throws 400 as refuseFaulty does. */
export function toAddressedItems(items: readonly RequestedItem[], isList: boolean): AddressedItem[] {
  requireValidItems(items, isList, true)
  return items.flatMap((item) => {
    const recipient = findItemRecipient(item)
    return recipient ? [{ ...item, recipient }] : []
  })
}

/** Finds every contact that items name, and those that their copies go to, in one statement. */
export async function findItemContacts(
  db: Db,
  account: AccountId,
  items: readonly Item[],
  copies: readonly (readonly MessageCopy[])[] = [],
): Promise<ItemContacts[]> {
  const sought: ContactIdentification[] = []
  const place = (identification: ContactIdentification | null | undefined): number | null =>
    identification ? sought.push(identification) - 1 : null
  const places = items.map((item, index) => ({
    recipient: place(findItemRecipient(item)),
    related: place(item.related),
    copies: (copies[index] ?? []).map((copy) => (copy.type === 'address' ? null : place(copy))),
  }))
  const found = sought.length === 0 ? [] : await findContacts(db, account, sought)
  const at = (index: number | null) => (index === null ? null : found[index])
  return places.map((named) => ({
    recipient: at(named.recipient),
    related: at(named.related),
    copies: named.copies.map(at),
  }))
}

/**
 * The contacts of copies that get none: on the red list, or with a flag that stops sends on the address field. They are
 * left out before a copy is named in Cc; the sender asks again.
 */
export async function findExcludedCopies(
  db: Db,
  account: AccountId,
  field: number,
  named: readonly ItemContacts[],
): Promise<Set<number>> {
  const contacts = named.flatMap(({ copies }) => copies.flatMap((copy) => copy?.id ?? []))
  if (contacts.length === 0) return new Set()
  const { rows } = await sql<{ contact: number }>`
    select contact from red_list where account = ${account} and channel = ${emailChannelTraits.redList} and contact = any(${contacts}::bigint[])
    union
    select contact from bounce_flags
    where account = ${account} and field = ${field} and contact = any(${contacts}::bigint[]) and code = any(${[...stoppingBounceCodes]}::smallint[])`.execute(
    db,
  )
  return new Set(rows.map(({ contact }) => contact))
}
