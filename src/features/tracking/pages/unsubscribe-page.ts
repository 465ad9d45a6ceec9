import type { Db } from '../../../database/connection/connect.ts'
import type { Token } from '../../../lib/crypto/tokens.ts'
import { findAddress } from '../hits/address.ts'
import type { AddressDetails } from '../hits/address-details.ts'
import type { HitRecorder, Requester } from '../hits/hit-recorder.ts'
import { messageOf } from '../hits/hits.ts'
import { withTimeout } from '../unavailable.ts'
import type { VersionCache, VersionFacts } from '../version-cache.ts'
import { confirmationPage, maskAddress, type Page, statusPage, type Unsubscriber, unsubscribedPage } from './pages.ts'
import { type UnsubscribingContext, unsubscribe, type Via } from './unsubscribe.ts'

/** Dependencies of the unsubscription page. */
export interface UnsubscribeContext extends UnsubscribingContext {
  versions: VersionCache
  addressDetails: AddressDetails
  recorder: Pick<HitRecorder, 'requestOf'>
}

async function unsubscriberOf(
  db: Db,
  token: Token,
  { language, accountName, field }: VersionFacts,
): Promise<Unsubscriber> {
  const address = await withTimeout(findAddress(db, token, field))
  return { language, account: accountName, maskedAddress: address === null ? null : maskAddress(address) }
}

/** The page that asks for confirmation; it changes nothing. Undefined when the content of the message is unknown. */
export async function showUnsubscription(
  { db, versions }: UnsubscribeContext,
  token: Token,
): Promise<Page | undefined> {
  const version = await versions.find(token.account, token.version)
  if (!version) return undefined
  if (token.silent) return statusPage('copy', version.language, version.accountName)
  return confirmationPage(await unsubscriberOf(db, token, version))
}

/** How a posted form was submitted: by a mail reader's button (RFC 8058), by our page, or neither. */
function submissionOf(form: ReadonlyMap<string, string>): Exclude<Via, 'mailto'> | undefined {
  const fields = new Map([...form].map(([name, text]) => [name.trim().toLowerCase(), text.trim().toLowerCase()]))
  if (fields.get('list-unsubscribe') === 'one-click') return 'one-click'
  return fields.get('confirm') === '1' ? 'page' : undefined
}

/**
 * Unsubscribes as a posted form requests, and returns the page that confirms it; `empty` for a mail reader, which shows
 * none. Undefined when the content of the message is unknown. Rejects when it cannot be stored.
 */
export async function confirmUnsubscription(
  { db, masterKeys, versions, addressDetails, recorder }: UnsubscribeContext,
  token: Token,
  form: ReadonlyMap<string, string>,
  requester: Requester,
): Promise<Page | 'empty' | undefined> {
  const version = await versions.find(token.account, token.version)
  if (!version) return undefined
  const via = submissionOf(form)
  if (via === undefined) return statusPage('unclear', version.language, version.accountName)
  if (token.silent) return statusPage('copy', version.language, version.accountName)
  await unsubscribe(
    { db, masterKeys },
    {
      message: messageOf(token, version),
      via,
      request: recorder.requestOf(token.account, requester),
      addressDetail: await addressDetails(token.account),
    },
  )
  return via === 'one-click' ? 'empty' : unsubscribedPage(await unsubscriberOf(db, token, version))
}
