import { factsOf } from '../../channels/facts.ts'
import type { Db } from '../../database/connect.ts'
import { addToRedList } from '../contacts/red-list.ts'
import type { AddressDetail } from '../events/address.ts'
import { recordEvents } from '../events/effects.ts'
import { type HitMessage, type HitRequest, hit, unsubscribedEntry } from '../events/hit.ts'
import { isRecent } from './age.ts'

/** How the recipient unsubscribed: the button of a mail reader, that of our page, or a mail. */
export type Via = 'one-click' | 'page' | 'mailto'

/** The message named by the link or the mail of an unsubscription, and its request. */
export interface Unsubscription {
  message: HitMessage
  via: Via
  request: HitRequest
  addressDetail: AddressDetail
}

/**
 * Puts the contact on the red list of the channel and records the event, in one transaction; repeated, it changes
 * nothing. It never expires: when the message is too old for hits to be recorded, only the entry is made. Rejects when
 * it cannot be stored, so that the caller retries.
 */
export async function unsubscribe(db: Db, { message, via, request, addressDetail }: Unsubscription): Promise<void> {
  if (await isRecent(db, message, request.time)) {
    const verdict = { classification: null, early: null }
    await recordEvents(db, [hit(message, { type: 'unsubscribe', via }, request, { verdict, addressDetail })])
    return
  }
  const { account, channel, contact, kind } = message
  const { redList } = factsOf(channel)
  if (contact === null || kind === 'test' || redList === null) return
  await addToRedList(db, account, redList, {
    contacts: [contact],
    entry: unsubscribedEntry(message, request.time),
  })
}
