import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Channel } from '../../../channels/channel.ts'
import { loadChannel } from '../../../channels/registry.ts'
import { contentSourceOf, type VersionSource } from '../../../channels/version-source.ts'
import type { Context } from '../../../context.ts'
import type { AccountId } from '../../../lib/account.ts'
import { maskDocument, type Personal } from '../../../lib/text/masking.ts'
import type { StampedMessage } from '../../../sending/claim/find-messages.ts'
import { loadVersion } from '../../../sending/plan/content-version.ts'
import { zoneOf } from '../../../sending/plan/zone-moments.ts'
import type { UsedValues } from '../../../sending/prepare/compose-message.ts'
import type { ContactRow } from '../../../sending/prepare/load-recipients.ts'
import { openSenderCache } from '../../../sending/prepare/sender-cache.ts'
import { oldestCampaign } from '../../campaigns/oldest.ts'
import type { Mode, Rendered, RenderInput } from '../../rendering/render.ts'
import { linksOf, scopeOf } from './content-scopes.ts'

type SentContext = Pick<Context, 'db' | 'clock' | 'tokens' | 'renders'>

/** A message as it was sent: from its own content version with the values that it used. */
export interface SentContent {
  source: VersionSource
  channel: Channel
  rendered: Rendered
}

/** How it is rendered anew. `contact`: whom its links name. */
export interface Resent {
  mode: Mode
  display?: number
  contact: number | null
  /** What is masked: values are, and links are of no contact and no message. */
  personal?: Personal | null
}

/** Whether something of a message was emptied, as its contact was erased. */
export function isEmptied({ isRecorded, address, values }: StampedMessage): boolean {
  return isRecorded && (address === null || values === null)
}

/** For a message that is being sent: its contacts as they are now, as the values used are recorded a moment later. */
async function presentValues(
  { db, clock }: SentContext,
  account: AccountId,
  { contact, request }: StampedMessage,
  { action: { id: action }, settings }: VersionSource,
): Promise<UsedValues> {
  const related = request.related ?? null
  const { rows } = await sql<ContactRow>`
    select id, unicity, encode(hash, 'hex') as hash, fields from contacts
    where account = ${account} and id = any(${[contact, related]}::bigint[])`.execute(db)
  const { rules, valuesOf } = await openSenderCache(db, clock).account(account)
  const campaign = await oldestCampaign(db, account, action)
  const [main, second] = [contact, related].map((id) => rows.find((row) => row.id === id) ?? null)
  return {
    contact: main ? valuesOf(main) : null,
    related: second ? valuesOf(second) : null,
    campaign,
    zone: zoneOf(rules, main, settings),
    now: clock.now(),
  }
}

interface Rendering {
  source: VersionSource
  values: UsedValues
  channel: Pick<Channel, 'inlineParts'>
}

function inputOf(
  { tokens }: SentContext,
  account: AccountId,
  sent: StampedMessage,
  { source, values, channel, contact, personal: _, ...how }: Rendering & Resent,
): RenderInput {
  const { stamp, request, version } = sent
  const { data = {}, variables = {}, blocks = [], part, subject, content } = request
  const { contact: main, related, campaign = null } = values
  const message = { contact: main, related, data, variables, blocks, campaign, stamp }
  return {
    ...how,
    scope: scopeOf(source, message, values.now),
    links: linksOf(source, message, { key: tokens.signing(account), account, version, contact }),
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
  values: UsedValues,
  { contact, personal }: Pick<Resent, 'contact' | 'personal'>,
): { sent: StampedMessage; values: UsedValues; contact: number | null } {
  if (!personal) return { sent, values, contact }
  const { contact: main, related } = maskDocument({ contact: values.contact, related: values.related }, personal) as {
    contact: UsedValues['contact']
    related: UsedValues['related']
  }
  const id = randomUUID()
  const request = maskDocument(sent.request, personal) as StampedMessage['request']
  const stamp = { ...sent.stamp, id, thread: id, set: id }
  return { sent: { ...sent, request, stamp }, values: { ...values, contact: main, related }, contact: null }
}

/** Renders a message anew as it was sent. Undefined when it was emptied, or its content is there no more. */
export async function renderSent(
  context: SentContext,
  account: AccountId,
  sent: StampedMessage,
  how: Resent,
): Promise<SentContent | undefined> {
  const version = await loadVersion(context.db, account, sent.version)
  if (!version || isEmptied(sent)) return undefined
  const { source } = version
  const used = sent.values ?? (await presentValues(context, account, sent, source))
  const { values, ...shown } = maskedContent(sent, used, how)
  const channel = await loadChannel(source.channel)
  // What is looked at needs no honeypot.
  const content = { ...contentSourceOf(source), honeypot: false }
  const rendered = await context.renders.render(
    content,
    inputOf(context, account, shown.sent, { source, values, channel, ...how, contact: shown.contact }),
  )
  return { source, channel, rendered }
}
