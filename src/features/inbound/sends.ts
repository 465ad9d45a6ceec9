import { sql } from 'kysely'
import { getChannelTraits } from '../../channels/channel-traits.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { findMessage } from '../../sending/claim/find-messages.ts'
import { loadContentVersion } from '../../sending/plan/content-version.ts'
import { findContacts, readContactFieldText } from '../contacts/records/find.ts'
import { type ActivatedSend, findLatestMailTo, findMailActivation } from '../events/record/activations.ts'
import type { IdentifyingHeaders } from './mail/identifying-headers.ts'

/**
 * The send with a stamp: by its activation, however old; else, as a report can come before the activation is recorded,
 * by the message itself. Undefined when it is unknown or past retention.
 */
export async function findSendByStamp(db: Db, account: AccountId, stamp: string): Promise<ActivatedSend | undefined> {
  return (await findMailActivation(db, [account], stamp)) ?? (await findUnrecordedSend(db, account, stamp))
}

async function findUnrecordedSend(db: Db, account: AccountId, stamp: string): Promise<ActivatedSend | undefined> {
  const message = await findMessage(db, account, stamp)
  if (!message || getChannelTraits(message.channel).arrivals !== 'bounces') return undefined
  const { channel, kind, sourceKind, source, version, contact, stamp: messageStamp } = message
  const addressField = (await loadContentVersion(db, account, version))?.source.settings.field ?? null
  const contactAddress =
    contact === null || addressField === null ? null : await readContactFieldText(db, account, contact, addressField)
  return {
    send: {
      account,
      channel,
      sourceKind,
      source,
      kind,
      contact,
      footprint: null,
      field: addressField,
      stamp: messageStamp,
    },
    address: message.address ?? contactAddress ?? '',
  }
}

/** The send that a mail is about by its identifying headers, the most reliable first; undefined when none is known. */
export async function findReportedSend(
  db: Db,
  { signed, messageIds }: IdentifyingHeaders,
  publicHost: string,
): Promise<ActivatedSend | undefined> {
  // A mail has few of them; nearly always the first one is known.
  for (const { account, stamp } of signed) {
    const send = await findSendByStamp(db, account, stamp)
    if (send) return send
  }
  for (const { stamp, domain } of messageIds) {
    const send = await findMailActivation(db, await listAccountsByDomain(db, domain, publicHost), stamp)
    if (send) return send
  }
  return undefined
}

const LOOKBACK_MS = 30 * 24 * 3600 * 1000

/**
 * The latest send to an address in the last 30 days, of accounts that take reports at a domain: for reports that name
 * nothing else and are trusted. Found for contacts whose unicity is that address. `now` in milliseconds.
 */
export async function findLatestSend(
  db: Db,
  { address, domain, publicHost, now }: { address: string; domain: string; publicHost: string; now: number },
): Promise<ActivatedSend | undefined> {
  // Nearly always one account.
  for (const account of await listAccountsByDomain(db, domain, publicHost)) {
    const [contact] = await findContacts(db, account, [{ type: 'unicity', value: [address] }])
    const earliestSend = new Date(now - LOOKBACK_MS)
    const stamp =
      contact && (await findLatestMailTo(db, account, { contact: contact.id, address, since: earliestSend }))
    if (stamp !== undefined) return findMailActivation(db, [account], stamp)
  }
  return undefined
}

/** The accounts that send from a domain; from the host of the public address those that have no domain of their own. */
export async function listAccountsByDomain(db: Db, domain: string, publicHost: string): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from accounts a
    where exists (select from sending_domains d where d.account = a.id and d.domain = ${domain})
      or (${domain === publicHost} and not exists (select from sending_domains d where d.account = a.id))
      or jsonb_path_exists(coalesce(a.settings #> '{sending,profiles}', '[]'), '$[*] ? (@.bounceDomain == $domain)',
        jsonb_build_object('domain', ${domain}::text))
    order by a.id`.execute(db)
  return rows.map(({ id }) => id)
}
