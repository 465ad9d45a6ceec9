import { sql } from 'kysely'
import { email } from '../../../channels/email/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { type Fault, invalid } from '../../../lib/errors/problem.ts'
import { stoppingCodes } from '../../contacts/bounces/bounce-codes.ts'
import { type FoundContact, findContacts } from '../../contacts/records/find.ts'
import type { Identification } from '../../contacts/records/identification-schemas.ts'
import { isSenderDomain } from '../resource/parse-action-body.ts'
import type { AskedItem, Copy, RenderItem } from './item-schemas.ts'

/** The contacts one item names; undefined: it names one that there is not. Null: it names none. */
export interface Named {
  recipient: FoundContact | null | undefined
  related: FoundContact | null | undefined
  /** In the order of its copies; null for those that are addresses. */
  copies: (FoundContact | null | undefined)[]
}

type Item = AskedItem | RenderItem

/** An item that says who it is for. */
export type Addressed = AskedItem & { recipient: Identification }

const MAX_FAULTS = 100

/** Who an item is for, by either name. */
export function recipientOf(item: Item): Identification | undefined {
  return item.recipient ?? item.receiver
}

/** Throws 400 with every structural fault that the schema does not see; of a list pointers begin with the place. */
export function refuseFaulty(items: readonly Item[], isList: boolean, needsRecipient: boolean): void {
  const faults = items.flatMap((item, index): Fault[] => {
    const at = isList ? `/${index}` : ''
    const domain = item.headers?.from?.domain
    return [
      ...(needsRecipient && recipientOf(item) === undefined
        ? [{ pointer: `${at}/recipient`, detail: 'is required' }]
        : []),
      ...(domain != null && !isSenderDomain(domain)
        ? [{ pointer: `${at}/headers/from/domain`, detail: 'must be a domain name' }]
        : []),
    ]
  })
  if (faults.length > 0) throw invalid(faults.slice(0, MAX_FAULTS))
}

/** Items of an execution by the one name of who they are for. Throws 400 as refuseFaulty does. */
export function addressed(items: readonly AskedItem[], isList: boolean): Addressed[] {
  refuseFaulty(items, isList, true)
  return items.flatMap((item) => {
    const recipient = recipientOf(item)
    return recipient ? [{ ...item, recipient }] : []
  })
}

/** Finds every contact that items name, and those that their copies go to, in one statement. */
export async function findNamed(
  db: Db,
  account: AccountId,
  items: readonly Item[],
  copies: readonly (readonly Copy[])[] = [],
): Promise<Named[]> {
  const sought: Identification[] = []
  const place = (identification: Identification | null | undefined): number | null =>
    identification ? sought.push(identification) - 1 : null
  const places = items.map((item, index) => ({
    recipient: place(recipientOf(item)),
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
export async function excludedCopies(
  db: Db,
  account: AccountId,
  field: number,
  named: readonly Named[],
): Promise<Set<number>> {
  const contacts = named.flatMap(({ copies }) => copies.flatMap((copy) => copy?.id ?? []))
  if (contacts.length === 0) return new Set()
  const { rows } = await sql<{ contact: number }>`
    select contact from red_list where account = ${account} and channel = ${email.redList} and contact = any(${contacts}::bigint[])
    union
    select contact from bounce_flags
    where account = ${account} and field = ${field} and contact = any(${contacts}::bigint[]) and code = any(${[...stoppingCodes]}::smallint[])`.execute(
    db,
  )
  return new Set(rows.map(({ contact }) => contact))
}
