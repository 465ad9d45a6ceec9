import { getChannelTraits } from '../../../channels/channel-traits.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'
import { findMessage } from '../../../sending/claim/find-messages.ts'
import { isContactDeleted } from '../../contacts/records/find.ts'
import { addToRedList } from '../../contacts/suppressions/red-list.ts'
import { rememberRedListAddress } from '../../contacts/suppressions/red-list-memory.ts'
import type { NewRedListEntry } from '../../contacts/suppressions/red-list-schemas.ts'
import { loadContactShape } from '../../contacts/values/stored-shape.ts'
import type { IpAddressDetail } from '../../events/hits/address.ts'
import { createHitEvent, createUnsubscribeEntry, type HitMessage, type HitRequest } from '../../events/hits/hit.ts'
import { recordEvents } from '../../events/record/effects.ts'
import { isRecentMessage } from '../hits/age.ts'

/** Method of an unsubscription: the button of a mail reader, that of our page, or a mail. */
export type UnsubscribeMethod = 'one-click' | 'page' | 'mailto'

/** The message named by the link or the mail of an unsubscription, and its request. */
export interface Unsubscription {
  message: HitMessage
  via: UnsubscribeMethod
  request: HitRequest
  addressDetail: IpAddressDetail
}

/** The parts of the context that an unsubscription uses. */
export interface UnsubscribeDependencies {
  db: Db
  masterKeys: MasterKeys
}

/** The stop of a contact that was deleted is remembered by the address that the message went to, as long as that is kept. */
async function addAddressToRedList(
  { db, masterKeys }: UnsubscribeDependencies,
  message: HitMessage,
  entry: NewRedListEntry,
): Promise<void> {
  const { account, channel, stamp } = message
  const { redList } = getChannelTraits(channel)
  const address = (await findMessage(db, account, stamp))?.address
  if (redList === null || address == null) return
  await rememberRedListAddress(
    db,
    await loadContactShape(db, account),
    { channel: redList, address, entry },
    masterKeys,
  )
}

/**
 * Puts the contact on the red list of the channel and records the event, in one transaction. Repeated, it records nothing more, and lists
 * a contact again whose entry was removed meanwhile. It never expires: when the message is too old for hits to be recorded, only the
 * entry is made. Rejects when it cannot be stored, so that the caller retries.
 */
export async function unsubscribeContact(
  { db, masterKeys }: UnsubscribeDependencies,
  { message, via, request, addressDetail }: Unsubscription,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (await isRecentMessage(tx, message, request.time)) {
      const verdict = { classification: null, early: null }
      await recordEvents(tx, [
        createHitEvent(message, { type: 'unsubscribe', via }, request, { verdict, addressDetail }),
      ])
    }
    const { account, channel, contact, kind } = message
    const { redList } = getChannelTraits(channel)
    if (contact === null || kind === 'test' || redList === null) return
    const redListEntry = createUnsubscribeEntry(message, request.time)
    await addToRedList(tx, account, redList, { contacts: [contact], entry: redListEntry })
    if (await isContactDeleted(tx, account, contact))
      await addAddressToRedList({ db: tx, masterKeys }, message, redListEntry)
  })
}
