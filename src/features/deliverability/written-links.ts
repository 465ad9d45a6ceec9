import type { ContentSource } from '../rendering/content.ts'
import { type ContentPartName, computeTextPosition, type TemplatePosition } from '../rendering/flaws.ts'
import { detectLinkAddressKind, normalizeLinkAddress } from '../rendering/html/addresses.ts'
import type { HtmlAttribute } from '../rendering/html/html-elements.ts'
import { isLinkElement, readHtmlWithComments } from '../rendering/html/outlook-comments.ts'
import {
  LIQUID_OUTPUT_MASK,
  LIQUID_TAG_MASK,
  maskTemplateTags,
  scanTemplateTags,
  type TemplateTag,
} from '../rendering/templates/template-tags.ts'

/** A web address in a content. */
export interface ContentLink {
  /** As it was written, template tags too; its beginning when it is long. */
  written: string
  /** Decoded, with a letter for every template tag. */
  address: string
  /** It holds no template tag: it is the same for every message. */
  isFixed: boolean
  part: ContentPartName
  /** Computed only for the few that are reported. */
  position: () => TemplatePosition | null
}

const SHOWN = 100
const MASKS = new RegExp(`[${LIQUID_OUTPUT_MASK}${LIQUID_TAG_MASK}]+`, 'g')
/** Longer addresses are cut; the checks read only their beginning. */
const IN_TEXT = /https?:\/\/[^\s<>"'`]{1,2000}/gi
/** Punctuation that ends a sentence or bracket around an address, not the address. */
const AFTER_ADDRESS = /(?<![.,;:!?)\]])[.,;:!?)\]]+$/

/** The template tags of a part; none for one that cannot be parsed, which is reported elsewhere. */
export function parseContentTags(text: string): TemplateTag[] {
  try {
    return scanTemplateTags(text)
  } catch {
    return []
  }
}

/** An address among the masked text of its part. */
function link(
  text: string,
  masked: string,
  { part, start }: { part: ContentPartName; start: number },
): Omit<ContentLink, 'written'> {
  const address = masked.replace(MASKS, 'x')
  return { address, isFixed: address === masked, part, position: () => computeTextPosition(text, start) }
}

function writtenAs(html: string, { valueStart = 0, end, quoted }: HtmlAttribute): string {
  return (quoted ? html.slice(valueStart + 1, end - 1) : html.slice(valueStart, end)).trim().slice(0, SHOWN)
}

function linksInHtml(html: string, part: ContentPartName): ContentLink[] {
  const links: ContentLink[] = []
  readHtmlWithComments(maskTemplateTags(html, parseContentTags(html)), {
    startTag(name, attributes) {
      if (!isLinkElement(name)) return
      for (const href of attributes) {
        if (href.name !== 'href' || detectLinkAddressKind(href.value) !== 'web') continue
        const { start } = href
        links.push({ ...link(html, normalizeLinkAddress(href.value), { part, start }), written: writtenAs(html, href) })
      }
    },
  })
  return links
}

/** Bare addresses; one that `tracked` is given stands within a tag that prints, and is found when it is whole there. */
function linksInText(text: string, part: ContentPartName): ContentLink[] {
  const tags = parseContentTags(text)
  const bare = [...maskTemplateTags(text, tags).matchAll(IN_TEXT)].map(({ 0: found, index }) => ({ found, index }))
  const printed = tags
    .filter(({ type }) => type === 'output')
    .flatMap(({ start, end }) =>
      [...text.slice(start, end).matchAll(IN_TEXT)].map(({ 0: found, index }) => ({ found, index: start + index })),
    )
  return [...bare, ...printed]
    .toSorted((left, right) => left.index - right.index)
    .map(({ found, index }) => {
      const masked = found.replace(AFTER_ADDRESS, '')
      const written = text.slice(index, index + masked.length).slice(0, SHOWN)
      return { ...link(text, masked, { part, start: index }), written }
    })
}

/**
 * The web addresses of a content in order of appearance: links of HTML and AMP, tracked or not, and those in text. Text
 * that is derived from the HTML has none of its own, and none is looked for in the lines of a header.
 */
export function findContentLinks({ parts }: ContentSource): ContentLink[] {
  return parts
    .filter(({ isHeader, isDerived }) => !isHeader && !isDerived)
    .flatMap(({ name, template, mode }) =>
      mode === 'html' ? linksInHtml(template, name) : linksInText(template, name),
    )
}
