import { escapeHtml } from '../../features/rendering/templates/liquid.ts'
import { decodeEncodedWords, findMailField } from '../../lib/text/mail/fields.ts'
import { type MailPart, parseMimeMail } from '../../lib/text/mail/mime.ts'
import { decodeMailBytes, decodeTransferEncoding } from '../../lib/text/mail/part-text.ts'
import type { CapturedMessageBytes, CapturedMessageParts } from '../captured-parts.ts'

/** A mail of this program is read whole. */
const MAX_BYTES = 32 * 1024 * 1024

const NAME = /(?:^|[;\s])(?:file)?name\*?=(?:"([^"]*)"|([^;\s]*))/i

const isAttached = ({ fields }: MailPart): boolean =>
  /^attachment/i.test(findMailField(fields, 'content-disposition') ?? '')

function attachmentOf(part: MailPart): CapturedMessageParts['attachments'][number] {
  const [, quoted, plain] = NAME.exec(findMailField(part.fields, 'content-disposition') ?? '') ?? []
  const name = quoted ?? plain
  return {
    name: name === undefined ? null : decodeEncodedWords(name),
    type: part.media.type,
    size: decodeTransferEncoding(part).length,
  }
}

/** A mail as readers take it apart. */
export function parseCapturedMail({ bytes }: { bytes: Buffer }): CapturedMessageParts {
  const { fields, parts } = parseMimeMail(bytes, MAX_BYTES)
  const attached = parts.filter(isAttached)
  const textIn = (type: string): string | null => {
    const part = parts.find((one) => one.media.type === type && !isAttached(one))
    if (part === undefined) return null
    // The line end before a boundary belongs to the boundary (RFC 2046, 5.1.1).
    return decodeMailBytes(decodeTransferEncoding(part), part.media.parameters.get('charset')).replace(/\n$/, '')
  }
  return {
    html: textIn('text/html'),
    text: textIn('text/plain'),
    headers: fields.map(([name, value]) => ({ name, value: decodeEncodedWords(value) })),
    attachments: attached.map(attachmentOf),
    content: null,
  }
}

/** Text as a reader shows it, its addresses as links. */
function textBody(text: string): string {
  const linked = escapeHtml(text).replaceAll(
    /https?:\/\/[^\s<>"']+/g,
    (address) => `<a href="${address}">${address}</a>`,
  )
  return `<pre>${linked}</pre>`
}

/** A mail as a reader shows it, its HTML in a frame that may do nothing, and as it would have left. */
export function renderCapturedMail(message: CapturedMessageBytes): string {
  const { html, text } = parseCapturedMail(message)
  const shown =
    html === null
      ? textBody(text ?? '')
      : `<iframe sandbox="allow-popups" title="The message" srcdoc="${escapeHtml(html)}"></iframe>`
  return `${shown}<h2>Source</h2><pre>${escapeHtml(message.bytes.toString('latin1'))}</pre>`
}
