import type { StoredAttachment } from '../channels/email/attachments.ts'
import { type ComposedMail, composeMail, mailPieces } from '../channels/email/mime.ts'
import { attachmentPart } from '../channels/email/mime-parts.ts'
import { signMail } from '../channels/email/signing.ts'
import type { NamedCampaign } from '../features/campaigns/oldest.ts'
import type { Cancellation } from '../features/events/record.ts'
import type { ShortLink } from '../features/rendering/message-links.ts'
import { type Piece, textOf } from '../features/rendering/pieces.ts'
import { type RenderedMessage, type RenderInput, renderPieces } from '../features/rendering/render.ts'
import type { ContactValues, ScopeInput } from '../features/rendering/scope.ts'
import type { Outgoing, OutgoingMail } from '../gateways/gateway.ts'
import { actionId } from '../lib/ids.ts'
import { type MessageSigner, messageSigner, type TokenKeys } from '../lib/tokens.ts'
import { addressOf, contactAddress, saysYes } from './exclusions.ts'
import { type FromAddress, fromAddress } from './from-address.ts'
import type { Ready } from './materials.ts'
import type { Claimed } from './outbox.ts'
import { composeSms } from './sms-compose.ts'
import { zoneOf } from './zones.ts'

/** What a template used beside the request: kept, so that the mirror page shows the same for ever. */
export interface UsedValues {
  contact: ContactValues | null
  related: ContactValues | null
  /** Where the template names it. */
  campaign?: NamedCampaign | null
  zone: string
  /** Milliseconds: the `now` of the templates. */
  now: number
}

/** A message ready for a gateway. */
export interface Composed {
  outgoing: Outgoing
  address: string
  values: UsedValues
  /** To be stored before the message goes out. */
  shortLinks: ShortLink[]
}

type RenderedPieces = RenderedMessage<readonly Piece[]>

/** What is written into the Feedback-ID of this program's mail. */
const INSTALLATION = 'stentor'

const MODES = { message: 'live', campaign: 'live', test: 'proof', copy: 'copy' } as const

/** The names of `rendering.md` 2 for one message. */
export function scopeOf({ message, source }: Pick<Ready, 'message' | 'source'>, values: UsedValues): ScopeInput {
  const { request, stamp } = message
  const variables = { ...source.test?.variables, ...request.variables }
  return {
    contact: values.contact,
    related: values.related,
    data: request.data ?? {},
    variables: Object.entries(variables).map(([key, value]) => ({ key, value })),
    blocks: request.blocks ?? [],
    action: { id: actionId(source.action.id), name: source.action.name },
    campaign: values.campaign ?? null,
    stamp,
    event: null,
    account: { ...source.account, culture: source.settings.culture },
    now: values.now,
  }
}

function mayHavePixel({ source, facts, rules }: Ready): boolean {
  const { openConsentField } = source.settings
  return openConsentField === null || (facts.contact !== null && saysYes(rules, facts.contact, openConsentField))
}

function valuesOf(ready: Ready, now: number): UsedValues {
  const { facts, owner, version, campaign, rules, source } = ready
  const { needs } = version.compiled
  return {
    contact: facts.contact && owner.valuesOf(facts.contact, needs.contact),
    related: facts.related && owner.valuesOf(facts.related, needs.related),
    ...(campaign && { campaign }),
    zone: zoneOf(rules, facts.contact, source.settings),
    now,
  }
}

function renderInput(ready: Ready, tokens: TokenKeys, values: UsedValues): RenderInput {
  const { message, source } = ready
  const { account, action, version, contact, stamp, request, kind } = message
  return {
    mode: MODES[kind],
    scope: scopeOf(ready, values),
    links: {
      trackingUrl: source.sender.trackingUrl,
      key: tokens.signing(account),
      account,
      action,
      version,
      contact: contact ?? 0,
      stamp: stamp.id,
    },
    zone: values.zone,
    pixel: mayHavePixel(ready),
    strict: false,
    ...(request.part && { part: request.part }),
    ...(source.test && { prefix: source.test.subjectPrefix }),
    ...(request.subject !== undefined && { subject: request.subject }),
    ...(request.content && { inline: request.content }),
  }
}

/** Which parts go out: those of the content, of the part that was asked for, or those the request gave. */
function formatOf({ message, source }: Ready, rendered: RenderedPieces): 1 | 2 | 3 {
  const { part, content } = message.request
  if (part) return part === 'html' ? 1 : 3
  if (!content) return source.settings.contentFormat
  if (rendered.html.length === 0) return 3
  return rendered.text.length === 0 ? 1 : 2
}

/** Signs the links of the headers and the addresses that carry the stamp. */
function signerOf({ account, action, version, contact, stamp, kind }: Claimed, tokens: TokenKeys): MessageSigner {
  const token = {
    account,
    action,
    version,
    contact: contact ?? 0,
    stamp: stamp.id,
    test: kind === 'test',
    silent: false,
  }
  return messageSigner(tokens.signing(account), token)
}

function contentOf(attachment: StoredAttachment, { fetched }: Ready): Buffer {
  if ('base64' in attachment) return Buffer.from(attachment.base64, 'base64')
  const content = fetched?.get(attachment.url)
  if (!content) throw new Error('an attachment was not fetched before its message was composed')
  return content
}

function assemble(
  ready: Ready,
  { rendered, sender }: { rendered: RenderedPieces; sender: FromAddress },
  signer: MessageSigner,
  now: number,
): ComposedMail | { invalidAddress: string } {
  const { message, source, version } = ready
  const { action, stamp, request, kind } = message
  const { purpose, importance } = source.settings
  const { trackingUrl, bounceDomain } = source.sender
  const hasUnsubscribe = purpose === 'marketing' && kind !== 'copy'
  return composeMail({
    from: { address: sender.address, label: sender.label },
    // A copy names the contact it is a copy of; only its envelope is its own.
    to: { address: kind === 'copy' ? contactAddress(ready) : addressOf(ready) },
    cc: (request.cc ?? []).map((address) => ({ address })),
    replyTo: sender.reply === null ? null : { address: sender.reply },
    subject: rendered.subject,
    timeMs: now,
    stamp: stamp.id,
    stampToken: signer.address('stamp'),
    unsubscribe: hasUnsubscribe
      ? {
          url: `${trackingUrl}/t/u/${signer.sign('unsubscribe', 0)}`,
          address: `unsub+${signer.address('unsub')}@${bounceDomain}`,
        }
      : null,
    feedbackId: `${actionId(action)}:${source.account.agency}${source.account.customer}:${kind}:${INSTALLATION}`,
    purpose,
    important: request.important ?? importance,
    content: {
      format: formatOf(ready, rendered),
      html: rendered.html,
      text: rendered.text,
      amp: rendered.amp,
      encode: version.encode,
    },
    attachments: (request.attachments ?? []).map((one) =>
      attachmentPart({ name: one.name, type: one.mime, content: contentOf(one, ready) }),
    ),
  })
}

function failed(rendered: { message: string; part: string; position: unknown }): { cancellation: Cancellation } {
  const { message, part, position } = rendered
  return {
    cancellation: {
      type: 'render error',
      value: { type: 'render', message, position: position === null ? null : { part, ...(position as object) } },
    },
  }
}

/** A domain that the account refuses while it is not verified. No type of cancellation is nearer. */
function refused(domain: string): { cancellation: Cancellation } {
  const message = `The domain ${domain} is not verified: nothing is sent from it.`
  return { cancellation: { type: 'render error', value: { type: 'render', message, position: null } } }
}

/** Makes one message: rendered, with its tokens, ready for a gateway. What cannot be made is a cancellation. `now` in milliseconds. */
export function compose(ready: Ready, tokens: TokenKeys, now: number): Composed | { cancellation: Cancellation } {
  const { source, version } = ready
  const values = valuesOf(ready, now)
  const rendered = renderPieces(version.compiled, renderInput(ready, tokens, values))
  if (rendered.outcome === 'cancelled') {
    return { cancellation: { type: 'user defined policy', value: { type: 'render', message: rendered.message } } }
  }
  if (rendered.outcome === 'failed') return failed(rendered)
  const address = addressOf(ready)
  const { shortLinks, text } = rendered
  const outgoing =
    source.channel === 'sms'
      ? composeSms(ready, { address, text: textOf(text) })
      : composeEmail(ready, rendered, { tokens, now })
  return 'cancellation' in outgoing ? outgoing : { address, values, shortLinks, outgoing }
}

function composeEmail(
  ready: Ready,
  rendered: RenderedPieces,
  { tokens, now }: { tokens: TokenKeys; now: number },
): OutgoingMail | { cancellation: Cancellation } {
  const { message, source } = ready
  const sender = fromAddress(ready)
  if ('refusedDomain' in sender) return refused(sender.refusedDomain)
  const signer = signerOf(message, tokens)
  const mail = assemble(ready, { rendered, sender }, signer, now)
  if ('invalidAddress' in mail)
    return { cancellation: { type: 'invalid address', value: { field: source.settings.field } } }
  return {
    id: message.id,
    envelope: { from: `bounce+${signer.address('bounce')}@${source.sender.bounceDomain}`, to: addressOf(ready) },
    bytes: mailPieces(signMail(mail, ready.keys.get(mail.domain) ?? [])),
    // Every part is encoded so, and only an address that needs SMTPUTF8 is written as it is.
    isPlain: !mail.smtputf8,
    smtputf8: mail.smtputf8,
    domain: mail.domain,
    isBulk: message.kind === 'campaign',
    origin: { account: message.account, action: message.action, stamp: message.stamp.id },
  }
}
