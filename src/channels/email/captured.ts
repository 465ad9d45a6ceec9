import { escapeHtml } from '../../features/rendering/liquid.ts'

function decode(encoding: string, body: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(encoding)) return Buffer.from(body, 'latin1').toString()
  const octets = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(octets, 'latin1').toString()
}

/** The HTML of a message this program composed; undefined when it has none. */
function htmlOf(message: string): string | undefined {
  const start = message.search(/^content-type: text\/html/im)
  if (start < 0) return undefined
  const end = message.indexOf('\r\n\r\n', start)
  const boundary = /boundary="?([^"\r\n;]+)/i.exec(message)?.[1]
  const stop = boundary === undefined ? -1 : message.indexOf(`\r\n--${boundary}`, end)
  const encoding = /content-transfer-encoding: *(\S+)/i.exec(message.slice(start, end))?.[1] ?? ''
  return decode(encoding, message.slice(end + 4, stop < 0 ? undefined : stop))
}

/** A mail as a reader shows it, in a frame that may do nothing, and as it would have left. */
export function mailBody({ bytes }: { bytes: Buffer }): string {
  const message = bytes.toString('latin1')
  const html = htmlOf(message)
  const frame =
    html === undefined
      ? ''
      : `<iframe sandbox="allow-popups" title="The message" srcdoc="${escapeHtml(html)}"></iframe>`
  return `${frame}<h2>Source</h2><pre>${escapeHtml(message)}</pre>`
}
