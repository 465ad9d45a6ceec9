import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ChannelModule } from '../../../channels/channel.ts'
import { loadChannel } from '../../../channels/load-channel.ts'
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
import { findOldestCampaign } from '../../campaign-groups/oldest.ts'
import type { RenderInput, RenderMode, RenderOutcome } from '../../rendering/render.ts'
import { buildUnsentLinks, buildUnsentScope } from './content-scopes.ts'

type SentContext = Pick<ServiceContext, 'db' | 'clock' | 'tokens' | 'renders'>

/** A message as it was sent: from its own content version with the values that it used. */
export interface SentMessageContent {
  source: ContentVersionSource
  channel: ChannelModule
  rendered: RenderOutcome
}

/** Options of rendering a sent message again. `contact` is the contact that its links name. */
export interface SentRenderOptions {
  mode: RenderMode
  display?: number
  contact: number | null
  /** Personal fields to mask: values are masked, and links belong to no contact and no message. */
  personal?: PersonalFields | null
}

/** True if parts of a message were erased together with its contact. */
export function isMessageErased({ isRecorded, address, values }: StampedMessage): boolean {
  return isRecorded && (address === null || values === null)
}

/** For a message that is being sent: its contacts as they are now, as the values used are recorded a moment later. */
async function readCurrentValues(
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
  const [contactRow, relatedRow] = [contact, related].map((id) => rows.find((row) => row.id === id) ?? null)
  return {
    contact: contactRow ? valuesOf(contactRow) : null,
    related: relatedRow ? valuesOf(relatedRow) : null,
    campaign,
    zone: resolveRecipientZone(rules, contactRow, settings),
    now: clock.now(),
  }
}

interface RenderingSource {
  source: ContentVersionSource
  values: UsedTemplateValues
  channel: Pick<ChannelModule, 'inlineParts'>
}

function buildSentRenderInput(
  { tokens }: SentContext,
  account: AccountId,
  stampedMessage: StampedMessage,
  { source, values, channel, contact, personal: _, ...outputOptions }: RenderingSource & SentRenderOptions,
): RenderInput {
  const { stamp, request, version } = stampedMessage
  const { data = {}, variables = {}, blocks = [], event, part, subject, content } = request
  const { contact: contactValues, related, campaign = null } = values
  const message = { contact: contactValues, related, data, variables, blocks, event, campaign, stamp }
  return {
    ...outputOptions,
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
function maskSentContent(
  stampedMessage: StampedMessage,
  values: UsedTemplateValues,
  { contact, personal }: Pick<SentRenderOptions, 'contact' | 'personal'>,
): { sent: StampedMessage; values: UsedTemplateValues; contact: number | null } {
  if (!personal) return { sent: stampedMessage, values, contact }
  const { contact: maskedContact, related: maskedRelated } = maskJsonDocument(
    { contact: values.contact, related: values.related },
    personal,
  ) as {
    contact: UsedTemplateValues['contact']
    related: UsedTemplateValues['related']
  }
  const id = randomUUID()
  const request = maskJsonDocument(stampedMessage.request, personal) as StampedMessage['request']
  const stamp = { ...stampedMessage.stamp, id, thread: id, set: id }
  return {
    sent: { ...stampedMessage, request, stamp },
    values: { ...values, contact: maskedContact, related: maskedRelated },
    contact: null,
  }
}

/** Renders a message again as it was sent. Returns `undefined` if it was erased, or if its content no longer exists. */
export async function renderSentMessage(
  context: SentContext,
  account: AccountId,
  stampedMessage: StampedMessage,
  renderOptions: SentRenderOptions,
): Promise<SentMessageContent | undefined> {
  const contentVersion = await loadContentVersion(context.db, account, stampedMessage.version)
  if (!contentVersion || isMessageErased(stampedMessage)) return undefined
  const { source } = contentVersion
  const usedValues = stampedMessage.values ?? (await readCurrentValues(context, account, stampedMessage, source))
  const { values, ...maskedMessage } = maskSentContent(stampedMessage, usedValues, renderOptions)
  const channel = await loadChannel(source.channel)
  // What is looked at needs no honeypot.
  const content = { ...toContentSource(source), honeypot: false }
  const rendered = await context.renders.render(
    content,
    buildSentRenderInput(context, account, maskedMessage.sent, {
      source,
      values,
      channel,
      ...renderOptions,
      contact: maskedMessage.contact,
    }),
  )
  return { source, channel, rendered }
}
