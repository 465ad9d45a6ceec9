import { parseMailHtml } from '../../../components/mail/parsed.ts'
import type { ApiMessageReport } from './report.ts'

type ReportLink = ApiMessageReport['links'][number]

const BADGE_STYLE =
  'display:inline-block;margin:0 0 0 4px;padding:1px 6px;border-radius:9px;background:#0f5e5c;color:#ffffff;' +
  'font:600 11px/16px system-ui,sans-serif;text-decoration:none;letter-spacing:0;text-transform:none;vertical-align:middle'

/**
 * The HTML of a message with the share of clicks next to each of its links, as formatted by `formatShare`. Links are matched by address; the
 * others remain unchanged.
 */
export function annotateLinkClicks(
  html: string,
  links: readonly ReportLink[],
  formatShare: (clickShare: number) => string,
): string {
  const total = links.reduce((sum, { clicks }) => sum + clicks, 0)
  if (total === 0) return html
  const sharesByAddress = new Map(links.map(({ address, clicks }) => [address, clicks / total]))
  const parsedMail = parseMailHtml(html)
  const { page } = parsedMail
  for (const anchor of page.querySelectorAll('a[href]')) {
    const clickShare = sharesByAddress.get(parsedMail.read(anchor.getAttribute('href')))
    if (clickShare === undefined) continue
    anchor.setAttribute('style', `${anchor.getAttribute('style') ?? ''};outline:2px solid #0f5e5c;outline-offset:1px`)
    const badge = page.createElement('span')
    badge.setAttribute('style', BADGE_STYLE)
    badge.textContent = formatShare(clickShare)
    anchor.append(badge)
  }
  return parsedMail.html()
}
