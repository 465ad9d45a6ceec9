import { escapeHtml } from '../../features/rendering/templates/liquid.ts'
import { decodeEncodedWords, findMailField } from '../../lib/text/mail/fields.ts'
import { type MailPart, parseMimeMail } from '../../lib/text/mail/mime.ts'
import { decodeMailBytes, decodeTransferEncoding } from '../../lib/text/mail/part-text.ts'
import type { CapturedMessageBytes, CapturedMessageParts } from '../captured-parts.ts'

/** A mail of this program is read whole. */
const MAX_MAIL_BYTES = 32 * 1024 * 1024

const FILE_NAME_PATTERN = /(?:^|[;\s])(?:file)?name\*?=(?:"([^"]*)"|([^;\s]*))/i

const isAttachmentPart = ({ fields }: MailPart): boolean =>
  /^attachment/i.test(findMailField(fields, 'content-disposition') ?? '')

function buildAttachment(part: MailPart): CapturedMessageParts['attachments'][number] {
  const [, quotedName, unquotedName] =
    FILE_NAME_PATTERN.exec(findMailField(part.fields, 'content-disposition') ?? '') ?? []
  const name = quotedName ?? unquotedName
  return {
    name: name === undefined ? null : decodeEncodedWords(name),
    type: part.media.type,
    size: decodeTransferEncoding(part).length,
  }
}

/** A mail as readers take it apart. */
export function parseCapturedMail({ bytes }: { bytes: Buffer }): CapturedMessageParts {
  const { fields, parts } = parseMimeMail(bytes, MAX_MAIL_BYTES)
  const attachmentParts = parts.filter(isAttachmentPart)
  const findPartText = (type: string): string | null => {
    const part = parts.find((mailPart) => mailPart.media.type === type && !isAttachmentPart(mailPart))
    if (part === undefined) return null
    // The line end before a boundary belongs to the boundary (RFC 2046, 5.1.1).
    return decodeMailBytes(decodeTransferEncoding(part), part.media.parameters.get('charset')).replace(/\n$/, '')
  }
  return {
    html: findPartText('text/html'),
    text: findPartText('text/plain'),
    headers: fields.map(([name, value]) => ({ name, value: decodeEncodedWords(value) })),
    attachments: attachmentParts.map(buildAttachment),
    content: null,
  }
}

/** Text as a reader shows it, its addresses as links. */
function renderTextBody(text: string): string {
  const linkedText = escapeHtml(text).replaceAll(
    /https?:\/\/[^\s<>"']+/g,
    (address) => `<a href="${address}">${address}</a>`,
  )
  return `<pre>${linkedText}</pre>`
}

/** A mail as a reader shows it, its HTML in a frame that may do nothing, and as it would have left. */
export function renderCapturedMail(message: CapturedMessageBytes): string {
  const { html, text } = parseCapturedMail(message)
  const bodyHtml =
    html === null
      ? renderTextBody(text ?? '')
      : `<iframe sandbox="allow-popups" title="The message" srcdoc="${escapeHtml(html)}"></iframe>`
  return `${bodyHtml}<h2>Source</h2><pre>${escapeHtml(message.bytes.toString('latin1'))}</pre>`
}
