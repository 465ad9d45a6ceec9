import type { Db } from '../../../database/connection/connect.ts'
import type { MessageLinkToken } from '../../../lib/crypto/tokens.ts'
import { findMessageAddress } from '../hits/address.ts'
import type { AddressDetailCache } from '../hits/address-details.ts'
import type { HitRecorder, HitRequester } from '../hits/hit-recorder.ts'
import { toHitMessage } from '../hits/hits.ts'
import { withDatabaseTimeout } from '../unavailable.ts'
import type { ContentVersionCache, TrackedContentVersion } from '../version-cache.ts'
import {
  maskRecipientAddress,
  type RecipientPage,
  renderStatusPage,
  renderUnsubscribedPage,
  renderUnsubscribeForm,
  type UnsubscribePageSubject,
} from './pages.ts'
import { type UnsubscribeDependencies, type UnsubscribeMethod, unsubscribeContact } from './unsubscribe.ts'

/** Dependencies of the unsubscription page. */
export interface UnsubscribePageContext extends UnsubscribeDependencies {
  versions: ContentVersionCache
  addressDetails: AddressDetailCache
  recorder: Pick<HitRecorder, 'requestOf'>
}

async function loadUnsubscriber(
  db: Db,
  token: MessageLinkToken,
  { language, accountName, field }: TrackedContentVersion,
): Promise<UnsubscribePageSubject> {
  const address = await withDatabaseTimeout(findMessageAddress(db, token, field))
  return { language, account: accountName, maskedAddress: address === null ? null : maskRecipientAddress(address) }
}

/** The page that asks for confirmation; it changes nothing. Undefined when the content of the message is unknown. */
export async function renderUnsubscribePage(
  { db, versions }: UnsubscribePageContext,
  token: MessageLinkToken,
): Promise<RecipientPage | undefined> {
  const version = await versions.find(token.account, token.version)
  if (!version) return undefined
  if (token.silent) return renderStatusPage('copy', version.language, version.accountName)
  return renderUnsubscribeForm(await loadUnsubscriber(db, token, version))
}

/** Detects how a form was submitted: by a mail reader's button (RFC 8058), by our page, or neither. */
function detectMethod(form: ReadonlyMap<string, string>): Exclude<UnsubscribeMethod, 'mailto'> | undefined {
  const fields = new Map([...form].map(([name, text]) => [name.trim().toLowerCase(), text.trim().toLowerCase()]))
  if (fields.get('list-unsubscribe') === 'one-click') return 'one-click'
  return fields.get('confirm') === '1' ? 'page' : undefined
}

/**
 * Unsubscribes as a posted form requests, and returns the page that confirms it; `empty` for a mail reader, which shows
 * none. Undefined when the content of the message is unknown. Rejects when it cannot be stored.
 */
export async function submitUnsubscription(
  { db, masterKeys, versions, addressDetails, recorder }: UnsubscribePageContext,
  token: MessageLinkToken,
  form: ReadonlyMap<string, string>,
  requester: HitRequester,
): Promise<RecipientPage | 'empty' | undefined> {
  const version = await versions.find(token.account, token.version)
  if (!version) return undefined
  const submissionMethod = detectMethod(form)
  if (submissionMethod === undefined) return renderStatusPage('unclear', version.language, version.accountName)
  if (token.silent) return renderStatusPage('copy', version.language, version.accountName)
  await unsubscribeContact(
    { db, masterKeys },
    {
      message: toHitMessage(token, version),
      via: submissionMethod,
      request: recorder.requestOf(token.account, requester),
      addressDetail: await addressDetails(token.account),
    },
  )
  return submissionMethod === 'one-click' ? 'empty' : renderUnsubscribedPage(await loadUnsubscriber(db, token, version))
}
