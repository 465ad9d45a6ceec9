import { isIP } from 'node:net'
import { SHORTENERS } from '../../../features/deliverability/shorteners.ts'
import { tagsOf, type WrittenLink } from '../../../features/deliverability/written-links.ts'
import type { FlawShown } from '../../../features/rendering/flaw-schemas.ts'
import { FLAW_LIMIT, positionAt } from '../../../features/rendering/flaws.ts'
import { addressKind } from '../../../features/rendering/html/addresses.ts'
import { type Attribute, readElements } from '../../../features/rendering/html/html-elements.ts'
import { maskTags, TAG_MASK } from '../../../features/rendering/templates/template-tags.ts'

/** Something that filters hold against a link. */
interface LinkCheck {
  type: string
  objects: (url: URL) => boolean
  message: (written: string) => string
}

const linkChecks: readonly LinkCheck[] = [
  {
    type: 'link-insecure',
    objects: ({ protocol }) => protocol === 'http:',
    message: (written) => `The link ${written} is not https.`,
  },
  {
    type: 'link-address',
    objects: ({ hostname }) => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0,
    message: (written) => `The link ${written} names its host by an address in digits: give its name.`,
  },
  {
    type: 'link-shortener',
    objects: ({ hostname }) => SHORTENERS.has(hostname.replace(/^www\./, '')),
    message: (written) => `The link ${written} hides where it leads: give the address behind it.`,
  },
]

/** What is to be said of links, at most a hundred of each kind. A host that a value makes is not known. */
export function checkLinks(links: readonly WrittenLink[]): FlawShown[] {
  const read = links.flatMap((link) => {
    const url = URL.parse(link.address)
    return url ? [{ ...link, url }] : []
  })
  return linkChecks.flatMap(({ type, objects, message }) =>
    read
      .filter(({ url }) => objects(url))
      .slice(0, FLAW_LIMIT)
      .map(({ written, part, position }) => ({ type, message: message(written), part, position: position() })),
  )
}

/** Elements whose text is not shown. */
const SILENT = ['head', 'title', 'style', 'script', 'noscript', 'template']

/** What is no text: blanks, joiners and marks that preview lines are padded with, and tags that print nothing. */
const NO_TEXT = new RegExp(`[\\s\\p{Cf}\\u034f${TAG_MASK}]+`, 'gu')

/** A link of every message, such as those in a footer: what it says is not what the message says. */
function isOfService(html: string, { value, valueStart = 0, end }: Attribute): boolean {
  const kind = addressKind(value)
  return kind === 'mirror' || kind === 'unsubscribe' || /\{\{-?\s*links\./.test(html.slice(valueStart, end))
}

/** HTML that shows images, and no text but that of links to the mirror page and to unsubscribe. */
export function checkImagesOnly(html: string): FlawShown[] {
  // A comment prints nothing, though it stands in for text where HTML is read.
  const tags = tagsOf(html).map((tag) => (tag.name === 'comment' ? { ...tag, type: 'tag' as const } : tag))
  let firstImage: number | undefined
  let silent = ''
  let hasText = false
  readElements(maskTags(html, tags), {
    startTag(name, attributes, start) {
      if (name === 'img') firstImage ??= start
      if (silent !== '') return
      const isFooter = name === 'a' && attributes.some((one) => one.name === 'href' && isOfService(html, one))
      if (isFooter || SILENT.includes(name)) silent = name
    },
    endTag(name) {
      if (name === silent) silent = ''
    },
    text(text) {
      if (silent === '') hasText ||= text.replace(NO_TEXT, '') !== ''
    },
  })
  if (firstImage === undefined || hasText) return []
  const message = 'The message is of images only: many readers show none at first, and filters distrust it. Add text.'
  return [{ type: 'images-only', message, part: 'html', position: positionAt(html, firstImage) }]
}
