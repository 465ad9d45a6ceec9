import { createHmac, hkdfSync } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import {
  actionChannelNames,
  type ChannelRedListName,
  channelRedListNames,
  getChannelTraits,
} from '../../../channels/channel-traits.ts'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { MasterKey, MasterKeys } from '../../../lib/crypto/tokens.ts'
import { foldUnicodeCase } from '../../../lib/text/fold.ts'
import { toMailAddressKey } from '../../../lib/text/mail-address.ts'
import { noticeInsertSql } from '../../notices/notices.ts'
import type { StoredFields } from '../fields/identity.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import type { NewRedListEntry } from './red-list-schemas.ts'

/** Origins of entries the person made: unsubscribe link, complaint, SMS stop reply. */
const PERSON_ORIGINS = [4, 5, 6]

interface AddressHolder {
  id: number
  fields: StoredFields
}

interface RememberedAddress {
  contact: number
  channel: ChannelRedListName
  mac: Buffer
}

/** The part of a `with` that writes notices of new entries. `entries`: a select of rows of `red_list`. */
export function buildRedListNotices(account: AccountId, entries: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`noticed as (${noticeInsertSql(
    account,
    'target.redlisted',
    sql`select contact, jsonb_build_object('channels', array[channel], 'origin', origin) as data from (${entries}) e`,
  )})`
}

/** The keys differ from those that seal and sign (HKDF-SHA256, RFC 5869). */
function deriveMacKey({ key }: MasterKey): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'red list memory', 32))
}

function computeAddressMac(
  { account, channel, address }: { account: AccountId; channel: ChannelRedListName; address: string },
  key: Buffer,
): Buffer {
  return createHmac('sha256', key).update(`${account} ${channel} ${address}`).digest()
}

/** The type of the addresses of each red list. */
const addressTypesByList = new Map(
  actionChannelNames.map((name) => getChannelTraits(name)).map(({ redList, addressType }) => [redList, addressType]),
)

/** The forms in which an address may be remembered: entries from before decision 127 hold the folded form. */
const addressForms = (address: string): Set<string> => new Set([toMailAddressKey(address), foldUnicodeCase(address)])

/** One entry per contact, channel, form of an address, and key. The memory holds these entries, never the address. */
function computeAddressMacs(
  shape: ContactShape,
  holders: readonly AddressHolder[],
  masterKeys: MasterKeys,
  formsOf: (address: string) => Iterable<string> = addressForms,
): RememberedAddress[] {
  const macKeys = masterKeys.map(deriveMacKey)
  return [...addressTypesByList].flatMap(([channel, addressType]) => {
    const addressFields = shape.fields.filter(({ type }) => type === addressType)
    return holders.flatMap(({ id, fields: values }) =>
      addressFields.flatMap((field) => {
        const value = values[field.id]
        if (typeof value !== 'string') return []
        const listedAddresses = [...formsOf(value)].map((address) => ({ account: shape.account, channel, address }))
        return macKeys.flatMap((key) =>
          listedAddresses.map((listedAddress) => ({
            contact: id,
            channel,
            mac: computeAddressMac(listedAddress, key),
          })),
        )
      }),
    )
  })
}

function unnestMacs(addressMacs: readonly RememberedAddress[]) {
  return sql`unnest(
    ${addressMacs.map(({ contact }) => contact)}::bigint[], ${addressMacs.map(({ channel }) => channel)}::text[],
    ${addressMacs.map(({ mac }) => mac)}::bytea[]) as a(contact, channel, mac)`
}

/** Remembers, of contacts about to be deleted, the addresses whose entry the person made; the first memory stays. */
export async function rememberDeletedRedList(
  tx: Db,
  shape: ContactShape,
  holders: readonly AddressHolder[],
  masterKeys: MasterKeys,
): Promise<void> {
  if (shape.settings.forgetRedListOnDelete) return
  const listedContacts = await sql<{ contact: number }>`
    select contact from red_list
    where account = ${shape.account} and channel = any(${channelRedListNames}::text[]) and origin = any(${PERSON_ORIGINS}::integer[])
      and contact = any(${holders.map(({ id }) => id)}::bigint[])`.execute(tx)
  if (listedContacts.rows.length === 0) return
  const listedIds = new Set(listedContacts.rows.map(({ contact }) => contact))
  const addressMacs = computeAddressMacs(
    shape,
    holders.filter(({ id }) => listedIds.has(id)),
    masterKeys.slice(0, 1),
    (address) => [toMailAddressKey(address)],
  )
  await sql`
    insert into red_list_memory (account, channel, address_mac, listed_at, origin, detail)
    select r.account, r.channel, a.mac, r.listed_at, r.origin, r.detail
    from ${unnestMacs(addressMacs)} join red_list r on r.account = ${shape.account} and r.channel = a.channel and r.contact = a.contact
    where r.origin = any(${PERSON_ORIGINS}::integer[])
    on conflict do nothing`.execute(tx)
}

/** Remembers an entry that a person has made by the address alone, as its contact was deleted; the first memory stays. */
export async function rememberRedListAddress(
  tx: Db,
  { account, settings }: Pick<ContactShape, 'account' | 'settings'>,
  { channel, address, entry }: { channel: ChannelRedListName; address: string; entry: NewRedListEntry },
  [masterKey]: MasterKeys,
): Promise<void> {
  if (settings.forgetRedListOnDelete) return
  await sql`
    insert into red_list_memory (account, channel, address_mac, listed_at, origin, detail)
    values (${account}, ${channel}, ${computeAddressMac({ account, channel, address: toMailAddressKey(address) }, deriveMacKey(masterKey!))}, ${entry.at}, ${entry.origin}, ${toJsonbText(entry.detail)})
    on conflict do nothing`.execute(tx)
}

/** Puts contacts just created on the red lists their addresses are remembered on; gives whether there was one. */
export async function restoreRedListEntries(
  tx: Db,
  shape: ContactShape,
  created: readonly AddressHolder[],
  masterKeys: MasterKeys,
): Promise<boolean> {
  const memoryRows = await sql`select from red_list_memory where account = ${shape.account} limit 1`.execute(tx)
  if (memoryRows.rows.length === 0) return false
  const { rows } = await sql`
    with listed as (
      insert into red_list (account, channel, contact, listed_at, origin, detail)
      select m.account, m.channel, a.contact, m.listed_at, m.origin, m.detail
      from ${unnestMacs(computeAddressMacs(shape, created, masterKeys))}
      join red_list_memory m on m.account = ${shape.account} and m.channel = a.channel and m.address_mac = a.mac
      on conflict do nothing returning *),
    ${buildRedListNotices(shape.account, sql`select * from listed`)}
    select from listed limit 1`.execute(tx)
  return rows.length > 0
}

/** Forgets the addresses of a contact on one red list: the entry was removed, and must not come back. */
export async function eraseRedListMemory(
  tx: Db,
  shape: ContactShape,
  { channel, holder }: { channel: ChannelRedListName; holder: AddressHolder },
  masterKeys: MasterKeys,
): Promise<void> {
  const addressMacs = computeAddressMacs(shape, [holder], masterKeys).filter((mac) => mac.channel === channel)
  await sql`
    delete from red_list_memory m using ${unnestMacs(addressMacs)}
    where m.account = ${shape.account} and m.channel = a.channel and m.address_mac = a.mac`.execute(tx)
}
