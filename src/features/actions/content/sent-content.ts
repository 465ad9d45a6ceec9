import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ChannelModule } from '../../../channels/channel.ts'
import { loadChannel } from '../../../channels/registry.ts'
import { type ContentVersionSource, toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { AccountId } from '../../../lib/account.ts'
import { maskJsonDocument, type PersonalFields } from '../../../lib/text/masking.ts'
import type { StampedMessage } from '../../../sending/claim/find-messages.ts'
import { loadContentVersion } from '../../../sending/plan/content-version.ts'
import { resolveRecipientZone } from '../../../sending/plan/zone-moments.ts'
import type { UsedTemplateValues } from '../../../sending/prepare/compose-message.ts'
import type { RecipientContactRow } from '../../../sending/prepare/load-recipients.ts'
import { openSenderCache } from '../../../sending/prepare/sender-cache.ts'
import { findOldestCampaign } from '../../campaigns/oldest.ts'
import type { RenderInput, RenderMode, RenderOutcome } from '../../rendering/render.ts'
import { buildUnsentLinks, buildUnsentScope } from './content-scopes.ts'

type SentContext = Pick<ServiceContext, 'db' | 'clock' | 'tokens' | 'renders'>

/** A message as it was sent: from its own content version with the values that it used. */
export interface SentMessageContent {
  source: ContentVersionSource
  channel: ChannelModule
  rendered: RenderOutcome
}

/** How it is rendered anew. `contact`: whom its links name. */
export interface SentRenderOptions {
  mode: RenderMode
  display?: number
  contact: number | null
  /** What is masked: values are, and links are of no contact and no message. */
  personal?: PersonalFields | null
}

/** Whether something of a message was emptied, as its contact was erased. */
export function isMessageErased({ isRecorded, address, values }: StampedMessage): boolean {
  return isRecorded && (address === null || values === null)
}

/** For a message that is being sent: its contacts as they are now, as the values used are recorded a moment later. */
async function presentValues(
  { db, clock }: SentContext,
  account: AccountId,
  { contact, request }: StampedMessage,
  { action: { id: action }, settings }: ContentVersionSource,
): Promise<UsedTemplateValues> {
  const related = request.related ?? null
  const { rows } = await sql<RecipientContactRow>`
    select id, unicity, encode(hash, 'hex') as hash, fields from contacts
    where account = ${account} and id = any(${[contact, related]}::bigint[])`.execute(db)
  const { rules, valuesOf } = await openSenderCache(db, clock).account(account)
  const campaign = await findOldestCampaign(db, account, action)
  const [main, second] = [contact, related].map((id) => rows.find((row) => row.id === id) ?? null)
  return {
    contact: main ? valuesOf(main) : null,
    related: second ? valuesOf(second) : null,
    campaign,
    zone: resolveRecipientZone(rules, main, settings),
    now: clock.now(),
  }
}

interface Rendering {
  source: ContentVersionSource
  values: UsedTemplateValues
  channel: Pick<ChannelModule, 'inlineParts'>
}

function inputOf(
  { tokens }: SentContext,
  account: AccountId,
  sent: StampedMessage,
  { source, values, channel, contact, personal: _, ...how }: Rendering & SentRenderOptions,
): RenderInput {
  const { stamp, request, version } = sent
  const { data = {}, variables = {}, blocks = [], part, subject, content } = request
  const { contact: main, related, campaign = null } = values
  const message = { contact: main, related, data, variables, blocks, campaign, stamp }
  return {
    ...how,
    scope: buildUnsentScope(source, message, values.now),
    links: buildUnsentLinks(source, message, { key: tokens.signing(account), account, version, contact }),
    zone: values.zone,
    pixel: false,
    strict: false,
    ...(part && { part }),
    ...(subject !== undefined && { headers: { subject } }),
    ...(content?.type === 'inline' && { inline: channel.inlineParts(content) }),
  }
}

/** A message and its values as they may be seen. */
function maskedContent(
  sent: StampedMessage,
  values: UsedTemplateValues,
  { contact, personal }: Pick<SentRenderOptions, 'contact' | 'personal'>,
): { sent: StampedMessage; values: UsedTemplateValues; contact: number | null } {
  if (!personal) return { sent, values, contact }
  const { contact: main, related } = maskJsonDocument(
    { contact: values.contact, related: values.related },
    personal,
  ) as {
    contact: UsedTemplateValues['contact']
    related: UsedTemplateValues['related']
  }
  const id = randomUUID()
  const request = maskJsonDocument(sent.request, personal) as StampedMessage['request']
  const stamp = { ...sent.stamp, id, thread: id, set: id }
  return { sent: { ...sent, request, stamp }, values: { ...values, contact: main, related }, contact: null }
}

/** Renders a message anew as it was sent. Undefined when it was emptied, or its content is there no more. */
export async function renderSentMessage(
  context: SentContext,
  account: AccountId,
  sent: StampedMessage,
  how: SentRenderOptions,
): Promise<SentMessageContent | undefined> {
  const version = await loadContentVersion(context.db, account, sent.version)
  if (!version || isMessageErased(sent)) return undefined
  const { source } = version
  const used = sent.values ?? (await presentValues(context, account, sent, source))
  const { values, ...shown } = maskedContent(sent, used, how)
  const channel = await loadChannel(source.channel)
  // What is looked at needs no honeypot.
  const content = { ...toContentSource(source), honeypot: false }
  const rendered = await context.renders.render(
    content,
    inputOf(context, account, shown.sent, { source, values, channel, ...how, contact: shown.contact }),
  )
  return { source, channel, rendered }
}
