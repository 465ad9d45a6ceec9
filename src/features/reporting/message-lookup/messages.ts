import { sql } from 'kysely'
import { findActionFamily } from '../../../channels/families.ts'
import { loadActionChannel } from '../../../channels/registry.ts'
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

type MessageContext = Pick<ServiceContext, 'db' | 'clock' | 'tokens' | 'renders'>

function gone(): Problem {
  return new Problem(410, 'gone', 'This message is kept no more: its contact was erased, or its time is over.')
}

/** Whether events tell of a message that is kept no more. */
async function wasSent(db: Db, account: AccountId, stamp: string): Promise<boolean> {
  const wanted = { account, stamps: [stamp], first: { sort: 'asc', limit: 1 }, paths: [] } as const
  return withEventTable(db, [wanted], async (tx, events) => {
    const { rows } = await sql`select from ${events} e where account = ${account} and stamp = ${stamp} limit 1`.execute(
      tx,
    )
    return rows.length > 0
  })
}

async function isErased(db: Db, account: AccountId, contact: number | null): Promise<boolean> {
  if (contact === null) return false
  const { rows } = await sql`
    select from erased_contacts where account = ${account} and contact = ${contact}`.execute(db)
  return rows.length > 0
}

/** What the channel shows of rendered parts beside themselves. */
async function shownBy(
  { source, channel, rendered }: SentMessageContent,
  sent: StampedMessage,
): Promise<Pick<MessageResource, 'sender' | 'message'>> {
  if (!('authoring' in channel) || rendered.outcome !== 'rendered') return { sender: null, message: null }
  const { authoring } = await loadActionChannel(source.channel)
  const shown = authoring.preview({
    source,
    settings: { ...source.settings, purpose: { type: source.settings.purpose } },
    recipient: sent.address ?? '',
    headers: sent.request.headers,
    stamp: sent.stamp.id,
    rendered,
  })
  if ('failure' in shown) return { sender: null, message: null }
  if ('agent' in shown) return { sender: shown.agent, message: { ...shown.message } }
  return { sender: shown.sender, message: null }
}

async function contentOf(content: SentMessageContent, sent: StampedMessage) {
  const { rendered } = content
  if (rendered.outcome === 'rendered')
    return { parts: { ...rendered.parts }, ...(await shownBy(content, sent)), error: null }
  const error = {
    type: rendered.outcome === 'failed' ? ('render' as const) : ('cancelled' as const),
    message: rendered.message,
  }
  return { parts: {}, sender: null, message: null, error }
}

/** What is known of every message, made or not. */
function envelope(sent: StampedMessage, name: string) {
  const { stamp, channel, kind, sourceKind, source, contact, address, outcome, lastReply } = sent
  return {
    ...{ stamp, channel, kind, address, lastReply },
    state: outcome ?? (sent.waits === 'held' ? ('held' as const) : ('queued' as const)),
    source: { type: sourceKind, id: findActionFamily(sourceKind)?.showId(source) ?? source, name },
    contact: contact === null ? null : formatContactId(contact),
  }
}

/**
 * A message by its stamp, rendered from its own content and the values that it used; links lead on and record nothing.
 * `personal`: what is masked. Throws notFound, and 410 when its contact was erased or its time is over.
 */
export async function renderMessageResource(
  context: MessageContext,
  account: AccountId,
  stamp: string,
  personal: PersonalFields | null = null,
): Promise<MessageResource> {
  const { db } = context
  const sent = await findMessage(db, account, stamp)
  if (!sent) throw (await wasSent(db, account, stamp)) ? gone() : notFoundProblem('message', stamp)
  const version = await loadContentVersion(db, account, sent.version)
  if (!version || (await isErased(db, account, sent.contact))) throw gone()
  const known = envelope(sent, version.source.action.name)
  const how = { mode: 'preview', display: PREVIEW_DISPLAY_BITS.tracking, contact: sent.contact, personal } as const
  const content = await renderSentMessage(context, account, sent, how)
  if (content) return { ...known, ...(await contentOf(content, sent)) }
  // What was stopped before it was made has neither values nor parts.
  if (isMessageErased(sent) && sent.outcome !== 'cancelled') throw gone()
  return { ...known, parts: {}, sender: null, message: null, error: null }
}
