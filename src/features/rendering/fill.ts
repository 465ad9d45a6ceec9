import type { PartMarkers } from './content.ts'
import { detectLinkAddressKind, normalizeLinkAddress, toAsciiHostAddress } from './html/addresses.ts'
import { decodeHtmlAttribute } from './html/html-elements.ts'
import { type MarkerReplacement, toQuotableValue } from './html/mark-address.ts'
import type { RenderFragment } from './html/markers.ts'
import type { MessageLinks } from './message-links.ts'
import { escapeHtml } from './templates/liquid.ts'
import type { TextPiece } from './templates/pieces.ts'

/** Values of one message that replace the markers of its HTML. */
export interface MarkerFilling {
  links: MessageLinks
  pixel: boolean
  honeypot: boolean
  /** Plain text at the top. */
  banner: string | undefined
}

/** Puts the links, the pixel and what is hidden or shown at the top where their markers came out of Liquid. */
export function fillMarkers(
  fragments: readonly RenderFragment[],
  { markers, places }: PartMarkers,
  filling: MarkerFilling,
): TextPiece[] {
  return markers.fill(fragments, (index, inner) => {
    const place = places[index]
    return place === undefined ? '' : fillReplacement(place, inner ?? '', filling)
  })
}

/** Always fit for an attribute value, or for the body. */
function fillReplacement(
  place: MarkerReplacement,
  inner: string,
  { links, pixel, honeypot, banner }: MarkerFilling,
): string {
  switch (place.type) {
    case 'link': {
      const { link, source, travels = false } = place
      if (link.type !== 'redirection') return escapeHtml(links.system(link.type, link.id))
      return links.style.tracking === 'plain' ? source : escapeHtml(links.redirection(link.id, link.url ?? '', travels))
    }
    case 'address':
      return fillDynamicAddress(place, place.bare ? toQuotableValue(inner) : inner, links)
    case 'top':
      return (banner === undefined ? '' : renderBanner(banner)) + (honeypot ? renderHoneypot(links.honeypot()) : '')
    case 'pixel':
      return pixel ? renderPixel(links.pixel()) : ''
  }
}

/** An address that a value made: read as a browser reads it, so that nothing unsafe hides in it. */
function fillDynamicAddress(
  { link }: Pick<Extract<MarkerReplacement, { type: 'address' }>, 'link'>,
  inner: string,
  links: MessageLinks,
): string {
  const target = normalizeLinkAddress(decodeHtmlAttribute(inner))
  const kind = detectLinkAddressKind(target)
  if (kind === 'unsafe') return '#'
  if (kind === 'mirror' || kind === 'unsubscribe') return escapeHtml(links.system(kind, link?.id ?? 0))
  const isOwn = links.ownPrefixes.some((prefix) => target.startsWith(prefix))
  if (kind !== 'web' || link === undefined || isOwn || links.style.tracking === 'plain') {
    const address = toAsciiHostAddress(target)
    return address === target ? inner : escapeHtml(address)
  }
  return escapeHtml(links.redirection(link.id, target, true))
}

function renderPixel(address: string): string {
  return `<img src="${escapeHtml(address)}" width="1" height="1" alt="" style="display:block;border:0">`
}

function renderHoneypot(address: string): string {
  return `<a href="${escapeHtml(address)}" style="display:none" aria-hidden="true" tabindex="-1"></a>`
}

const BANNER_STYLE = 'padding:8px;background:#fff3cd;color:#664d03;font:14px sans-serif;text-align:center'

function renderBanner(text: string): string {
  return `<div style="${BANNER_STYLE}">${escapeHtml(text)}</div>`
}
