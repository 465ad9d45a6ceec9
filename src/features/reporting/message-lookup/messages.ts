import { sql } from 'kysely'
import { findActionFamily } from '../../../channels/action-families.ts'
import { loadActionChannel } from '../../../channels/load-channel.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import type { PersonalFields } from '../../../lib/text/masking.ts'
import { findMessage, type StampedMessage } from '../../../sending/claim/find-messages.ts'
import { loadContentVersion } from '../../../sending/plan/content-version.ts'
import { isMessageErased, renderSentMessage, type SentMessageContent } from '../../actions/content/sent-content.ts'
import { withEventTable } from '../../events/history/older-events.ts'
import { PREVIEW_DISPLAY_BITS } from '../../rendering/render.ts'
import type { MessageResource } from './message-schemas.ts'

type MessageLookupContext = Pick<ServiceContext, 'db' | 'clock' | 'tokens' | 'renders'>

function messageGoneProblem(): Problem {
  return new Problem(
    410,
    'gone',
    'This message is no longer available: its contact was erased, or its retention period has ended.',
  )
}

/** True if events exist for a message that is no longer stored. */
async function hasMessageEvents(db: Db, account: AccountId, stamp: string): Promise<boolean> {
  const eventQuery = { account, stamps: [stamp], first: { sort: 'asc', limit: 1 }, paths: [] } as const
  return withEventTable(db, [eventQuery], async (tx, events) => {
    const { rows } = await sql`select from ${events} e where account = ${account} and stamp = ${stamp} limit 1`.execute(
      tx,
    )
    return rows.length > 0
  })
}

async function isContactErased(db: Db, account: AccountId, contact: number | null): Promise<boolean> {
  if (contact === null) return false
  const { rows } = await sql`
    select from erased_contacts where account = ${account} and contact = ${contact}`.execute(db)
  return rows.length > 0
}

/** Builds the preview of the channel, in addition to the rendered parts. */
async function buildChannelPreview(
  { source, channel, rendered }: SentMessageContent,
  sentMessage: StampedMessage,
): Promise<Pick<MessageResource, 'sender' | 'message'>> {
  if (!('authoring' in channel) || rendered.outcome !== 'rendered') return { sender: null, message: null }
  const { authoring } = await loadActionChannel(source.channel)
  const channelPreview = authoring.preview({
    source,
    settings: { ...source.settings, purpose: { type: source.settings.purpose } },
    recipient: sentMessage.address ?? '',
    headers: sentMessage.request.headers,
    stamp: sentMessage.stamp.id,
    rendered,
  })
  if ('failure' in channelPreview) return { sender: null, message: null }
  if ('agent' in channelPreview) return { sender: channelPreview.agent, message: { ...channelPreview.message } }
  return { sender: channelPreview.sender, message: null }
}

async function formatContent(content: SentMessageContent, sentMessage: StampedMessage) {
  const { rendered } = content
  if (rendered.outcome === 'rendered')
    return { parts: { ...rendered.parts }, ...(await buildChannelPreview(content, sentMessage)), error: null }
  const error = {
    type: rendered.outcome === 'failed' ? ('render' as const) : ('cancelled' as const),
    message: rendered.message,
  }
  return { parts: {}, sender: null, message: null, error }
}

/** Members that every message has, rendered or not. */
function buildEnvelope(sentMessage: StampedMessage, name: string) {
  const { stamp, channel, kind, sourceKind, source, contact, address, outcome, lastReply } = sentMessage
  return {
    stamp,
    channel,
    kind,
    address,
    lastReply,
    state: outcome ?? (sentMessage.waits === 'held' ? ('held' as const) : ('queued' as const)),
    source: { type: sourceKind, id: findActionFamily(sourceKind)?.showId(source) ?? source, name },
    contact: contact === null ? null : formatContactId(contact),
  }
}

/**
 * A message by its stamp, rendered from its own content and the values that it used; links lead on and record nothing.
 * `personal`: what is masked. Throws notFound, and 410 when its contact was erased or its time is over.
 */
export async function renderMessageResource(
  context: MessageLookupContext,
  account: AccountId,
  stamp: string,
  personal: PersonalFields | null = null,
): Promise<MessageResource> {
  const { db } = context
  const sentMessage = await findMessage(db, account, stamp)
  if (!sentMessage)
    throw (await hasMessageEvents(db, account, stamp)) ? messageGoneProblem() : notFoundProblem('message', stamp)
  const version = await loadContentVersion(db, account, sentMessage.version)
  if (!version || (await isContactErased(db, account, sentMessage.contact))) throw messageGoneProblem()
  const messageEnvelope = buildEnvelope(sentMessage, version.source.action.name)
  const renderOptions = {
    mode: 'preview',
    display: PREVIEW_DISPLAY_BITS.tracking,
    contact: sentMessage.contact,
    personal,
  } as const
  const content = await renderSentMessage(context, account, sentMessage, renderOptions)
  if (content) return { ...messageEnvelope, ...(await formatContent(content, sentMessage)) }
  // What was stopped before it was made has neither values nor parts.
  if (isMessageErased(sentMessage) && sentMessage.outcome !== 'cancelled') throw messageGoneProblem()
  return { ...messageEnvelope, parts: {}, sender: null, message: null, error: null }
}
