import { factsOf } from '../../channels/facts.ts'
import type { Db } from '../../database/connect.ts'
import { actionId } from '../../lib/ids.ts'
import { addToRedList } from '../contacts/red-list.ts'
import type { AddressDetail } from '../events/address.ts'
import { recordEvents } from '../events/effects.ts'
import { type HitMessage, type HitRequest, hit } from '../events/record.ts'
import { isRecent } from './age.ts'

/** How somebody said so: the button of a mail reader, that of our page, or a mail. */
export type Via = 'one-click' | 'page' | 'mailto'

/** What the link or the mail of an unsubscription says, and the request that came with it. */
export interface Unsubscription {
  message: HitMessage
  via: Via
  request: HitRequest
  addressDetail: AddressDetail
}

/** Where the wish comes from: `contacts.md`, origins of red list entries. */
const ORIGIN = 4

/**
 * Puts the contact on the red list of the channel and records the act, in one transaction; asked for again it changes
 * nothing. It never expires: when the message is too old for hits to be recorded, the entry alone is made. Rejects when
 * it cannot be stored, so that it comes again.
 */
export async function unsubscribe(db: Db, { message, via, request, addressDetail }: Unsubscription): Promise<void> {
  if (await isRecent(db, message, request.time)) {
    const verdict = { classification: null, early: null }
    await recordEvents(db, [hit(message, { type: 'unsubscribe', via }, request, { verdict, addressDetail })])
    return
  }
  const { account, channel, action, contact, kind } = message
  if (contact === null || kind === 'test') return
  const entry = { at: new Date(request.time), origin: ORIGIN, detail: { action: actionId(action) } }
  await addToRedList(db, account, factsOf(channel).redList, { contacts: [contact], entry })
}
