import { escapeHtml } from '../../features/rendering/templates/liquid.ts'
import { decodedWords, fieldOf } from '../../lib/text/mail/fields.ts'
import { type Part, readMail } from '../../lib/text/mail/mime.ts'
import { textOf, unencoded } from '../../lib/text/mail/part-text.ts'
import type { CapturedBytes, CapturedParts } from '../captured-parts.ts'

/** A mail of this program is read whole. */
const MAX_BYTES = 32 * 1024 * 1024

const NAME = /(?:^|[;\s])(?:file)?name\*?=(?:"([^"]*)"|([^;\s]*))/i

const isAttached = ({ fields }: Part): boolean => /^attachment/i.test(fieldOf(fields, 'content-disposition') ?? '')

function attachmentOf(part: Part): CapturedParts['attachments'][number] {
  const [, quoted, plain] = NAME.exec(fieldOf(part.fields, 'content-disposition') ?? '') ?? []
  const name = quoted ?? plain
  return {
    name: name === undefined ? null : decodedWords(name),
    type: part.media.type,
    size: unencoded(part).length,
  }
}

/** A mail as readers take it apart. */
export function capturedMail({ bytes }: { bytes: Buffer }): CapturedParts {
  const { fields, parts } = readMail(bytes, MAX_BYTES)
  const attached = parts.filter(isAttached)
  const textIn = (type: string): string | null => {
    const part = parts.find((one) => one.media.type === type && !isAttached(one))
    if (part === undefined) return null
    // The line end before a boundary belongs to the boundary (RFC 2046, 5.1.1).
    return textOf(unencoded(part), part.media.parameters.get('charset')).replace(/\n$/, '')
  }
  return {
    html: textIn('text/html'),
    text: textIn('text/plain'),
    headers: fields.map(([name, value]) => ({ name, value: decodedWords(value) })),
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
export function mailBody(message: CapturedBytes): string {
  const { html, text } = capturedMail(message)
  const shown =
    html === null
      ? textBody(text ?? '')
      : `<iframe sandbox="allow-popups" title="The message" srcdoc="${escapeHtml(html)}"></iframe>`
  return `${shown}<h2>Source</h2><pre>${escapeHtml(message.bytes.toString('latin1'))}</pre>`
}
