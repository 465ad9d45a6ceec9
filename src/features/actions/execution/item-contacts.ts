import { sql } from 'kysely'
import { emailChannelTraits } from '../../../channels/email/traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { stoppingBounceCodes } from '../../contacts/bounce-flags/bounce-codes.ts'
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

type AnyItem = RequestedItem | ActionRenderItem

/** An item that says who it is for. */
export type AddressedItem = RequestedItem & { recipient: ContactIdentification }

const MAX_REPORTED_FAULTS = 100

/** Recipient of an item, by either member name. */
export function findItemRecipient(item: AnyItem): ContactIdentification | undefined {
  return item.recipient ?? item.receiver
}

/** Throws 400 with every structural fault that the schema does not see; of a list pointers begin with the place. */
export function requireValidItems(items: readonly AnyItem[], isList: boolean, needsRecipient: boolean): void {
  const faults = items.flatMap((item, index): ProblemFault[] => {
    const itemPointer = isList ? `/${index}` : ''
    const domain = item.headers?.from?.domain
    return [
      ...(needsRecipient && findItemRecipient(item) === undefined
        ? [{ pointer: `${itemPointer}/recipient`, detail: 'is required' }]
        : []),
      ...(domain != null && !isSenderDomain(domain)
        ? [{ pointer: `${itemPointer}/headers/from/domain`, detail: 'must be a domain name' }]
        : []),
    ]
  })
  if (faults.length > 0) throw invalidRequestProblem(faults.slice(0, MAX_REPORTED_FAULTS))
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
  items: readonly AnyItem[],
  copies: readonly (readonly MessageCopy[])[] = [],
): Promise<ItemContacts[]> {
  const identifications: ContactIdentification[] = []
  const addIdentification = (identification: ContactIdentification | null | undefined): number | null =>
    identification ? identifications.push(identification) - 1 : null
  const itemPositions = items.map((item, index) => ({
    recipient: addIdentification(findItemRecipient(item)),
    related: addIdentification(item.related),
    copies: (copies[index] ?? []).map((copy) => (copy.type === 'address' ? null : addIdentification(copy))),
  }))
  const foundContacts = identifications.length === 0 ? [] : await findContacts(db, account, identifications)
  const contactAt = (index: number | null) => (index === null ? null : foundContacts[index])
  return itemPositions.map((itemPosition) => ({
    recipient: contactAt(itemPosition.recipient),
    related: contactAt(itemPosition.related),
    copies: itemPosition.copies.map(contactAt),
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
  itemContacts: readonly ItemContacts[],
): Promise<Set<number>> {
  const copyContactIds = itemContacts.flatMap(({ copies }) => copies.flatMap((copy) => copy?.id ?? []))
  if (copyContactIds.length === 0) return new Set()
  const { rows } = await sql<{ contact: number }>`
    select contact from red_list where account = ${account} and channel = ${emailChannelTraits.redList} and contact = any(${copyContactIds}::bigint[])
    union
    select contact from bounce_flags
    where account = ${account} and field = ${field} and contact = any(${copyContactIds}::bigint[]) and code = any(${[...stoppingBounceCodes]}::smallint[])`.execute(
    db,
  )
  return new Set(rows.map(({ contact }) => contact))
}
