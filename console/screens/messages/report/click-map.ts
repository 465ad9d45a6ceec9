import { parseMailHtml } from '../../../components/mail/parsed.ts'
import type { ApiMessageReport } from './report.ts'

type Link = ApiMessageReport['links'][number]

const BADGE =
  'display:inline-block;margin:0 0 0 4px;padding:1px 6px;border-radius:9px;background:#0f5e5c;color:#ffffff;' +
  'font:600 11px/16px system-ui,sans-serif;text-decoration:none;letter-spacing:0;text-transform:none;vertical-align:middle'

/**
 * The HTML of a message with the share of clicks of each of its links beside it, as `written` gives it. Links are found by
 * their addresses; the others stay as they are.
 */
export function annotateLinkClicks(html: string, links: readonly Link[], written: (share: number) => string): string {
  const total = links.reduce((sum, { clicks }) => sum + clicks, 0)
  if (total === 0) return html
  const shares = new Map(links.map(({ address, clicks }) => [address, clicks / total]))
  const mail = parseMailHtml(html)
  const { page } = mail
  for (const anchor of page.querySelectorAll('a[href]')) {
    const share = shares.get(mail.read(anchor.getAttribute('href')))
    if (share === undefined) continue
    anchor.setAttribute('style', `${anchor.getAttribute('style') ?? ''};outline:2px solid #0f5e5c;outline-offset:1px`)
    const badge = page.createElement('span')
    badge.setAttribute('style', BADGE)
    badge.textContent = written(share)
    anchor.append(badge)
  }
  return mail.html()
}
