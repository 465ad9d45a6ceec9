import { isIP } from 'node:net'
import { LINK_SHORTENER_HOSTS } from '../../../features/deliverability/shorteners.ts'
import { type ContentLink, parseContentTags } from '../../../features/deliverability/written-links.ts'
import type { ReportedFlaw } from '../../../features/rendering/flaw-schemas.ts'
import { computeTextPosition, MAX_REPORTED_FLAWS } from '../../../features/rendering/flaws.ts'
import { detectLinkAddressKind } from '../../../features/rendering/html/addresses.ts'
import { type HtmlAttribute, readHtmlElements } from '../../../features/rendering/html/html-elements.ts'
import { LIQUID_TAG_MASK, maskTemplateTags } from '../../../features/rendering/templates/template-tags.ts'

/** Something that filters hold against a link. */
interface LinkCheck {
  type: string
  objects: (url: URL) => boolean
  message: (writtenLink: string) => string
}

const linkChecks: readonly LinkCheck[] = [
  {
    type: 'link-insecure',
    objects: ({ protocol }) => protocol === 'http:',
    message: (writtenLink) => `The link ${writtenLink} is not https.`,
  },
  {
    type: 'link-address',
    objects: ({ hostname }) => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0,
    message: (writtenLink) => `The link ${writtenLink} has an IP address as its host. Use a host name.`,
  },
  {
    type: 'link-shortener',
    objects: ({ hostname }) => LINK_SHORTENER_HOSTS.has(hostname.replace(/^www\./, '')),
    message: (writtenLink) => `The link ${writtenLink} hides its destination. Link to the destination directly.`,
  },
]

/** Reports flaws of links, at most a hundred of each kind. A host that comes from a template value is not checked. */
export function checkMailLinks(links: readonly ContentLink[]): ReportedFlaw[] {
  const parsedLinks = links.flatMap((link) => {
    const url = URL.parse(link.address)
    return url ? [{ ...link, url }] : []
  })
  return linkChecks.flatMap(({ type, objects, message }) =>
    parsedLinks
      .filter(({ url }) => objects(url))
      .slice(0, MAX_REPORTED_FLAWS)
      .map(({ written: writtenLink, part, position }) => ({
        type,
        message: message(writtenLink),
        part,
        position: position(),
      })),
  )
}

/** Elements whose text is not shown. */
const HIDDEN_ELEMENTS = ['head', 'title', 'style', 'script', 'noscript', 'template']

/** Text without visible content: blanks, joiners and marks that pad preview lines, and tags that print nothing. */
const INVISIBLE_TEXT = new RegExp(`[\\s\\p{Cf}\\u034f${LIQUID_TAG_MASK}]+`, 'gu')

/** A link of every message, such as those in a footer: what it says is not what the message says. */
function isServiceLink(html: string, { value, valueStart = 0, end }: HtmlAttribute): boolean {
  const kind = detectLinkAddressKind(value)
  return kind === 'mirror' || kind === 'unsubscribe' || /\{\{-?\s*links\./.test(html.slice(valueStart, end))
}

/** HTML that shows images, and no text but that of links to the mirror page and to unsubscribe. */
export function checkImageOnlyMail(html: string): ReportedFlaw[] {
  // A comment prints nothing, though it stands in for text where HTML is read.
  const tags = parseContentTags(html).map((tag) => (tag.name === 'comment' ? { ...tag, type: 'tag' as const } : tag))
  let firstImage: number | undefined
  let hiddenElement = ''
  let hasText = false
  readHtmlElements(maskTemplateTags(html, tags), {
    startTag(name, attributes, start) {
      if (name === 'img') firstImage ??= start
      if (hiddenElement !== '') return
      const isFooter =
        name === 'a' && attributes.some((attribute) => attribute.name === 'href' && isServiceLink(html, attribute))
      if (isFooter || HIDDEN_ELEMENTS.includes(name)) hiddenElement = name
    },
    endTag(name) {
      if (name === hiddenElement) hiddenElement = ''
    },
    text(text) {
      if (hiddenElement === '') hasText ||= text.replace(INVISIBLE_TEXT, '') !== ''
    },
  })
  if (firstImage === undefined || hasText) return []
  const message =
    'The message consists of images only. Many mail clients hide images at first, and spam filters distrust such messages. Add text.'
  return [{ type: 'images-only', message, part: 'html', position: computeTextPosition(html, firstImage) }]
}
