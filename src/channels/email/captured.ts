import { escapeHtml } from '../../features/rendering/liquid.ts'

function decode(encoding: string, body: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(encoding)) return Buffer.from(body, 'latin1').toString()
  const octets = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(octets, 'latin1').toString()
}

/** The HTML or the text of a message this program composed; undefined when it has none. */
function partOf(message: string, type: 'html' | 'plain'): string | undefined {
  const start = message.search(new RegExp(`^content-type: text/${type}`, 'im'))
  if (start < 0) return undefined
  const end = message.indexOf('\r\n\r\n', start)
  const boundary = /boundary="?([^"\r\n;]+)/i.exec(message)?.[1]
  const stop = boundary === undefined ? -1 : message.indexOf(`\r\n--${boundary}`, end)
  const encoding = /content-transfer-encoding: *(\S+)/i.exec(message.slice(start, end))?.[1] ?? ''
  return decode(encoding, message.slice(end + 4, stop < 0 ? undefined : stop))
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
export function mailBody({ bytes }: { bytes: Buffer }): string {
  const message = bytes.toString('latin1')
  const html = partOf(message, 'html')
  const shown =
    html === undefined
      ? textBody(partOf(message, 'plain') ?? '')
      : `<iframe sandbox="allow-popups" title="The message" srcdoc="${escapeHtml(html)}"></iframe>`
  return `${shown}<h2>Source</h2><pre>${escapeHtml(message)}</pre>`
}
