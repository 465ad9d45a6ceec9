import type { CapturedMessageBytes } from '../../channels/captured-parts.ts'
import { channelTraits, getChannelTraits, type SendingChannelName } from '../../channels/channel-traits.ts'
import { loadChannel } from '../../channels/load-channel.ts'
import type { CapturedMessageRecord } from '../../gateways/capture/files.ts'
import { escapeHtml } from '../rendering/templates/liquid.ts'

/** The style of the page. */
const PAGE_STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #8884;font-variant-numeric:tabular-nums}
iframe{width:100%;height:70vh;border:1px solid #8884;background:#fff}pre{overflow:auto;padding:1rem;border:1px solid #8884}`

function renderPage(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${PAGE_STYLE}</style></head><body>${body}</body></html>`
}

/** Gateways carry more than the channels that send. */
function isSendingChannel(name: string): name is SendingChannelName {
  return Object.hasOwn(channelTraits, name)
}

/** The newest captured messages. */
export function renderCapturedList(list: readonly CapturedMessageRecord[]): string {
  const rows = list.map(
    ({ id, channel, to, capturedAt, size }) =>
      `<tr><td>${escapeHtml(capturedAt.replace('T', ' ').slice(0, 19))}</td><td>${isSendingChannel(channel) ? getChannelTraits(channel).title : escapeHtml(channel)}</td><td><a href="/captured/${escapeHtml(id)}">${escapeHtml(to)}</a></td><td>${size}</td></tr>`,
  )
  const table = `<table><thead><tr><th>Captured (UTC)</th><th>Channel</th><th>To</th><th>Octets</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  return renderPage(
    'Captured messages',
    `<h1>Captured messages</h1>${list.length === 0 ? '<p>No messages yet. Messages are captured while no gateway is set up.</p>' : table}`,
  )
}

/** One captured message. */
export async function renderCapturedMessage(message: CapturedMessageBytes): Promise<string> {
  const { channel, to, from } = message
  const pageHeader = `<p><a href="/captured">All captured messages</a></p><h1>To ${escapeHtml(to)}</h1><p>From ${escapeHtml(from)}</p>`
  const body = isSendingChannel(channel)
    ? (await loadChannel(channel)).capturedBody(message)
    : `<pre>${escapeHtml(message.bytes.toString())}</pre>`
  return renderPage(`To ${to}`, `${pageHeader}${body}`)
}
