import type { Db } from '../../database/connect.ts'
import type { Token } from '../../lib/tokens.ts'
import { findAddress } from './address.ts'
import type { AddressDetails } from './address-details.ts'
import { soon } from './away.ts'
import { messageOf } from './hits.ts'
import { askPage, donePage, maskAddress, noticePage, type Page, type Unsubscriber } from './pages.ts'
import type { Recording, Seen } from './recording.ts'
import { unsubscribe, type Via } from './unsubscribe.ts'
import type { VersionCache, VersionFacts } from './version-cache.ts'

/** What the page of an unsubscription is made with. */
export interface Unsubscribing {
  db: Db
  versions: VersionCache
  addressDetails: AddressDetails
  recording: Pick<Recording, 'requestOf'>
}

async function unsubscriberOf(
  db: Db,
  token: Token,
  { language, accountName, field }: VersionFacts,
): Promise<Unsubscriber> {
  const address = await soon(findAddress(db, token, field))
  return { language, account: accountName, maskedAddress: address === null ? null : maskAddress(address) }
}

/** The page that asks; it changes nothing. Undefined when the content of the message is not known. */
export async function askToUnsubscribe({ db, versions }: Unsubscribing, token: Token): Promise<Page | undefined> {
  const version = await versions.find(token.account, token.version)
  if (!version) return undefined
  if (token.silent) return noticePage('copy', version.language, version.accountName)
  return askPage(await unsubscriberOf(db, token, version))
}

/** Which act the fields of a form are: the button of a mail reader (RFC 8058), that of our page, or neither. */
function actOf(form: ReadonlyMap<string, string>): Exclude<Via, 'mailto'> | undefined {
  if (form.get('List-Unsubscribe') === 'One-Click') return 'one-click'
  return form.get('confirm') === '1' ? 'page' : undefined
}

/**
 * Does what a posted form asks for, and gives the page that says so; `empty` for a mail reader, which shows none.
 * Undefined when the content of the message is not known. Rejects when it cannot be stored.
 */
export async function confirmUnsubscription(
  { db, versions, addressDetails, recording }: Unsubscribing,
  token: Token,
  form: ReadonlyMap<string, string>,
  seen: Seen,
): Promise<Page | 'empty' | undefined> {
  const version = await versions.find(token.account, token.version)
  if (!version) return undefined
  const via = actOf(form)
  if (via === undefined) return noticePage('unclear', version.language, version.accountName)
  if (token.silent) return noticePage('copy', version.language, version.accountName)
  await unsubscribe(db, {
    message: messageOf(token, version),
    via,
    request: recording.requestOf(token.account, seen),
    addressDetail: await addressDetails(token.account),
  })
  return via === 'one-click' ? 'empty' : donePage(await unsubscriberOf(db, token, version))
}
