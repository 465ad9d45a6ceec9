import { sql } from 'kysely'
import { channelTraits } from '../../channels/channel-traits.ts'
import { toJsonbText } from '../../database/connection/connect.ts'
import { retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import { blankArchiveFrame, encodeArchiveFrame } from '../../features/archives/archive-frames.ts'
import { archivePackName } from '../../features/archives/archive-store.ts'
import type { OutgoingMail } from '../../gateways/gateway.ts'
import type { AccountId } from '../../lib/account.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import type { PreparedMessage } from '../prepare/prepared-message.ts'
import type { SenderContext } from '../senders/sender-context.ts'

/** The storage of archives did not take a pack. */
export class ArchiveUnavailable extends Error {}

/** One message to be kept, as it will be handed over. */
export interface ArchivableMessage {
  message: ClaimedMessage
  mail: OutgoingMail
}

interface PackedMessage extends ArchivableMessage {
  contact: number
  start: number
  frame: Buffer
  size: number
}

/** Returns true if a message is archived when it leaves: proofs and copies are not, and an SMS has nothing to archive. */
export function mustArchiveMessage({ message, source }: Pick<PreparedMessage, 'message' | 'source'>): boolean {
  const { channel, kind, contact } = message
  return (
    source.settings.archive &&
    channelTraits[channel].isArchived &&
    contact !== null &&
    (kind === 'message' || kind === 'campaign')
  )
}

/** Returns the size of a message in octets. */
export function getArchivedBytes({ bytes }: OutgoingMail): number {
  return bytes instanceof Uint8Array ? bytes.length : bytes.reduce((sum, piece) => sum + piece.length, 0)
}

function packMessages(list: readonly ArchivableMessage[]): PackedMessage[] {
  let nextStart = 0
  return list.flatMap(({ message, mail }) => {
    if (message.contact === null) return []
    const mailBytes = mail.bytes instanceof Uint8Array ? mail.bytes : Buffer.concat(mail.bytes)
    const packedMessage = {
      message,
      mail,
      contact: message.contact,
      start: nextStart,
      frame: encodeArchiveFrame(mailBytes),
      size: mailBytes.length,
    }
    nextStart += packedMessage.frame.length
    return [packedMessage]
  })
}

/**
 * Writes where messages are going to be; gives the stamps of those that are to be kept, which those of contacts erased
 * meanwhile are not. What an earlier try left of them is to be wiped.
 */
async function recordArchives(
  { db, clock }: SenderContext,
  account: AccountId,
  id: string,
  packed: readonly PackedMessage[],
) {
  const mapColumn = <Key extends keyof PackedMessage>(key: Key) => packed.map((packedEntry) => packedEntry[key])
  const now = new Date(clock.now())
  const namedAddresses = packed.map(({ message }) => {
    const { cc, related, copyTo } = message.request
    return toJsonbText({ cc, related, copyTo })
  })
  const { rows } = await sql<{ stamp: string }>`
    with stored as (
      insert into archives (account, stamp, id, action, contact, named, made_at, pack, start, length, size)
      select ${account}::integer, g.stamp, g.id, g.action, g.contact, named_in(g.request), ${now}, ${id}::uuid, g.start, g.length, g.size
      from unnest(
        ${packed.map(({ message }) => message.stamp.id)}::uuid[], ${packed.map(() => createUuidV7(clock.now()))}::uuid[],
        ${packed.map(({ message }) => message.source)}::integer[], ${mapColumn('contact')}::bigint[], ${namedAddresses}::jsonb[],
        ${mapColumn('start')}::integer[], ${packed.map(({ frame }) => frame.length)}::integer[], ${mapColumn('size')}::integer[]
      ) as g (stamp, id, action, contact, request, start, length, size)
      where not exists (select from erased_contacts e where e.account = ${account} and e.contact = g.contact)
      on conflict (account, stamp) do update set named = excluded.named, sent_at = null, made_at = excluded.made_at,
        pack = excluded.pack, start = excluded.start, length = excluded.length, size = excluded.size
      returning new.stamp, old.pack as old_pack, old.start as old_start, old.length as old_length
    ), replaced as (
      insert into archive_wipes (account, pack, start, length, due_at)
      select ${account}::integer, old_pack, old_start, old_length, ${now} from stored where old_pack is not null
      on conflict do nothing
    )
    select stamp from stored`.execute(db)
  return new Set(rows.map(({ stamp }) => stamp))
}

/**
 * Keeps messages that are about to be handed over: first the rows, then one pack for each account. Throws ArchiveUnavailable
 * when that is so: then none of them may leave, and the rows are overwritten by the next try.
 */
export async function archiveMessages(sender: SenderContext, list: readonly ArchivableMessage[]): Promise<void> {
  const { archives, clock } = sender
  const messagesByAccount = Map.groupBy(list, ({ message }) => message.account)
  for (const [account, accountMessages] of messagesByAccount) {
    const packedMessages = packMessages(accountMessages)
    const id = createUuidV7(clock.now())
    const retainedStamps = await retryWhileUnavailable(sender, () =>
      recordArchives(sender, account, id, packedMessages),
    )
    if (retainedStamps.size === 0) continue
    const frames = packedMessages.map(({ message, frame }) =>
      retainedStamps.has(message.stamp.id) ? frame : blankArchiveFrame(frame.length),
    )
    await archives.write(archivePackName(account, id), Buffer.concat(frames)).catch((cause) => {
      throw new ArchiveUnavailable('archives cannot be written', { cause })
    })
  }
}
