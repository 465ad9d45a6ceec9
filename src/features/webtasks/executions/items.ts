import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { createUuidV7, parseUuid } from '../../../lib/ids.ts'
import { findContacts } from '../../contacts/records/find.ts'
import type { ContactIdentification } from '../../contacts/records/identification-schemas.ts'
import type { WebtaskItem } from './execution-schemas.ts'

/** A request as the public route was sent it. */
export interface PublicWebtaskRequest {
  method: string
  query: object
  body: unknown
  ip: string | null
}

/** A run as it is asked for. */
export interface WebtaskRunRequest {
  /** The id of the stamp. */
  id: string
  /** The item brought the id. */
  hasStamp: boolean
  /** Numbers of contacts; null: none is named. */
  receiver: number | null
  related: number | null
  /** The first of these that is no contact. */
  unknown: ContactIdentification | null
  data: Record<string, unknown>
  variables: Record<string, unknown>
  event: Record<string, unknown> | null
  stamp: { id: string; thread: string; set: string; time: number }
}

/** The contacts that items name, in one statement: receivers and related ones, in the order of the items. */
async function resolveItemContacts(db: Db, account: AccountId, items: readonly WebtaskItem[]) {
  const identifications = items.flatMap(({ receiver, related }) => [receiver ?? [], related ?? []].flat())
  const foundContacts = (identifications.length === 0 ? [] : await findContacts(db, account, identifications)).values()
  const takeNextContact = (identification: ContactIdentification | null | undefined) => {
    const contact = identification == null ? undefined : foundContacts.next().value
    return {
      contact: contact?.id ?? null,
      unknown: identification != null && contact === undefined ? identification : null,
    }
  }
  return items.map(({ receiver, related }) => ({
    receiver: takeNextContact(receiver),
    related: takeNextContact(related),
  }))
}

/** Reads items; those of one request share a set. */
export async function resolveWebtaskItems(
  db: Db,
  account: AccountId,
  items: readonly WebtaskItem[],
  now: number,
): Promise<WebtaskRunRequest[]> {
  const stampSet = createUuidV7(now)
  const contacts = await resolveItemContacts(db, account, items)
  return items.map(({ data, variables, event, stamp }, index) => {
    const { receiver, related } = contacts[index]!
    const id = stamp?.id == null ? createUuidV7(now) : parseUuid(stamp.id)!
    return {
      id,
      hasStamp: stamp?.id != null,
      receiver: receiver.contact,
      related: related.contact,
      unknown: receiver.unknown ?? related.unknown,
      data: data ?? {},
      event: event ?? null,
      variables: Object.fromEntries((variables ?? []).map(({ key, value }) => [key, value])),
      stamp: {
        id,
        thread: stamp?.thread == null ? id : parseUuid(stamp.thread)!,
        set: stamp?.set == null ? stampSet : parseUuid(stamp.set)!,
        time: stamp?.time ?? now,
      },
    }
  })
}
