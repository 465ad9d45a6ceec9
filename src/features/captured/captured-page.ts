import type { Captured } from '../../gateways/capture-files.ts'
import { escapeHtml } from '../rendering/liquid.ts'

/** The style of the page. */
const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #8884;font-variant-numeric:tabular-nums}
iframe{width:100%;height:70vh;border:1px solid #8884;background:#fff}pre{overflow:auto;padding:1rem;border:1px solid #8884}`

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`
}

const CHANNEL_NAMES: Readonly<Record<Captured['channel'], string>> = { email: 'email', sms: 'SMS' }

/** The newest captured messages. */
export function capturedList(list: readonly Captured[]): string {
  const rows = list.map(
    ({ id, channel, to, capturedAt, size }) =>
      `<tr><td>${escapeHtml(capturedAt.replace('T', ' ').slice(0, 19))}</td><td>${CHANNEL_NAMES[channel]}</td><td><a href="/captured/${escapeHtml(id)}">${escapeHtml(to)}</a></td><td>${size}</td></tr>`,
  )
  const table = `<table><thead><tr><th>Captured (UTC)</th><th>Channel</th><th>To</th><th>Octets</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  return page(
    'Captured messages',
    `<h1>Captured messages</h1>${list.length === 0 ? '<p>None yet: messages are captured while no gateway is set up.</p>' : table}`,
  )
}

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
function mailBody(bytes: Buffer): string {
  const message = bytes.toString('latin1')
  const html = htmlOf(message)
  const frame =
    html === undefined
      ? ''
      : `<iframe sandbox="allow-popups" title="The message" srcdoc="${escapeHtml(html)}"></iframe>`
  return `${frame}<h2>Source</h2><pre>${escapeHtml(message)}</pre>`
}

function smsBody({ bytes, encoding, segments }: Captured & { bytes: Buffer }): string {
  const many = segments === 1 ? '1 segment' : `${segments} segments`
  return `<pre>${escapeHtml(bytes.toString())}</pre><p>${many} of ${encoding === 'gsm7' ? 'GSM-7' : 'UCS-2'}</p>`
}

/** One captured message. */
export function capturedMessage(message: Captured & { bytes: Buffer }): string {
  const { channel, to, from, bytes } = message
  const head = `<p><a href="/captured">All captured messages</a></p><h1>To ${escapeHtml(to)}</h1><p>From ${escapeHtml(from)}</p>`
  return page(`To ${to}`, `${head}${channel === 'sms' ? smsBody(message) : mailBody(bytes)}`)
}
