import type { SendCancellation } from '../../features/events/record/record.ts'
import type { OutgoingMail } from '../../gateways/gateway.ts'
import { type AccountTokenKeys, createMessageSigner, type MessageSigner } from '../../lib/crypto/tokens.ts'
import { formatSentSourceId } from '../../lib/sources.ts'
import type { ComposeInput, ComposeTools, MessageComposer } from '../channel.ts'
import type { ContentVersionSource } from '../version-source.ts'
import type { StoredAttachment } from './attachments.ts'
import { type MailFromAddress, resolveFromAddress } from './from-address.ts'
import { type ComposedMail, composeMail, toMailPieces } from './mime/mime.ts'
import { buildAttachmentPart } from './mime/mime-parts.ts'
import { createStaticEncoder, type StaticEncoder } from './mime/mime-text.ts'
import { signMail } from './mime/signing.ts'
import { toMailPartPieces } from './parts.ts'

/** Sender identifier in the Feedback-ID of this program's mail. */
const FEEDBACK_SENDER_ID = 'stentor'

/** A version as its mails are made from: what its templates write into every message is encoded once. */
interface MailVersion {
  source: ContentVersionSource
  encode: StaticEncoder
}

/** Selects the parts to send: those of the content, the requested part, or those in the request. */
function selectMailFormat(
  source: ContentVersionSource,
  { message }: ComposeInput,
  renderedParts: ReturnType<typeof toMailPartPieces>,
): 1 | 2 | 3 {
  const { part, content: inlineContent } = message.request
  if (part) return part === 'html' ? 1 : 3
  if (!inlineContent) return source.settings.contentFormat
  if (renderedParts.html.length === 0) return 3
  return renderedParts.text.length === 0 ? 1 : 2
}

/** Signs the links of the headers and the addresses that carry the stamp. */
function createSigner(
  { account, sourceKind, source, version, contact, stamp, kind }: ComposeInput['message'],
  tokens: AccountTokenKeys,
): MessageSigner {
  const tokenPayload = {
    account,
    sourceKind,
    source,
    version,
    contact: contact ?? 0,
    stamp: stamp.id,
    test: kind === 'test',
    silent: false,
  }
  return createMessageSigner(tokens.signing(account), tokenPayload)
}

function readAttachmentContent(attachment: StoredAttachment, { fetched }: ComposeInput): Buffer {
  if ('base64' in attachment) return Buffer.from(attachment.base64, 'base64')
  const fetchedContent = fetched?.get(attachment.url)
  if (!fetchedContent) throw new Error('an attachment was not fetched before its message was composed')
  return fetchedContent
}

function assembleMail(
  { source, encode }: MailVersion,
  input: ComposeInput,
  { sender, signer, now }: { sender: MailFromAddress; signer: MessageSigner; now: number },
): ComposedMail | { invalidAddress: string } {
  const { message, address, contactAddress } = input
  const renderedParts = toMailPartPieces(input.rendered.parts)
  const { stamp, request, kind } = message
  const { purpose, importance } = source.settings
  const { trackingUrl, bounceDomain } = source.sender
  const hasUnsubscribe = purpose === 'marketing' && kind !== 'copy'
  return composeMail({
    from: { address: sender.address, label: sender.label },
    // A copy names the contact it is a copy of; only its envelope is its own.
    to: { address: kind === 'copy' ? contactAddress : address },
    cc: (request.cc ?? []).map((address) => ({ address })),
    replyTo: sender.reply === null ? null : { address: sender.reply },
    subject: renderedParts.subject,
    timeMs: now,
    stamp: stamp.id,
    stampToken: signer.address('stamp'),
    unsubscribe: hasUnsubscribe
      ? {
          url: `${trackingUrl}/t/u/${signer.sign('unsubscribe', 0)}`,
          address: `unsub+${signer.address('unsub')}@${bounceDomain}`,
        }
      : null,
    feedbackId: `${formatSentSourceId(message)}:${source.account.agency}${source.account.customer}:${kind}:${FEEDBACK_SENDER_ID}`,
    purpose,
    important: request.important ?? importance,
    content: {
      format: selectMailFormat(source, input, renderedParts),
      html: renderedParts.html,
      text: renderedParts.text,
      amp: renderedParts.amp,
      encode,
    },
    attachments: (request.attachments ?? []).map((storedAttachment) =>
      buildAttachmentPart({
        name: storedAttachment.name,
        type: storedAttachment.mime,
        content: readAttachmentContent(storedAttachment, input),
      }),
    ),
  })
}

/** A domain that the account refuses while it is not verified. No type of cancellation is nearer. */
function buildDomainRefusal(domain: string): { cancellation: SendCancellation } {
  const message = `The domain ${domain} is not verified: nothing is sent from it.`
  return { cancellation: { type: 'render error', value: { type: 'render', message, position: null } } }
}

function composeEmail(
  version: MailVersion,
  input: ComposeInput,
  { tokens, now }: ComposeTools,
): OutgoingMail | { cancellation: SendCancellation } {
  const { source } = version
  const { id, message, address, keys } = input
  const sender = resolveFromAddress(source, input)
  if ('refusedDomain' in sender) return buildDomainRefusal(sender.refusedDomain)
  const signer = createSigner(message, tokens)
  const mail = assembleMail(version, input, { sender, signer, now })
  if ('invalidAddress' in mail)
    return { cancellation: { type: 'invalid address', value: { field: source.settings.field } } }
  return {
    id,
    envelope: { from: `bounce+${signer.address('bounce')}@${source.sender.bounceDomain}`, to: address },
    bytes: toMailPieces(signMail(mail, keys.get(mail.domain) ?? [])),
    // Every part is encoded so, and only an address that needs SMTPUTF8 is written as it is.
    isPlain: !mail.smtputf8,
    smtputf8: mail.smtputf8,
    domain: mail.domain,
    isBulk: message.kind === 'campaign',
    origin: {
      account: message.account,
      sourceKind: message.sourceKind,
      source: message.source,
      stamp: message.stamp.id,
    },
  }
}

/** Creates the composer for the mails of a version. */
export function createMailComposer(source: ContentVersionSource): MessageComposer {
  const version: MailVersion = { source, encode: createStaticEncoder() }
  return (input, tools) => composeEmail(version, input, tools)
}
