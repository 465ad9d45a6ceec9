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

const MAX_SHOWN_LENGTH = 100
const MASK_CHARACTERS = new RegExp(`[${LIQUID_OUTPUT_MASK}${LIQUID_TAG_MASK}]+`, 'g')
/** Longer addresses are cut; the checks read only their beginning. */
const TEXT_ADDRESS_PATTERN = /https?:\/\/[^\s<>"'`]{1,2000}/gi
/** Punctuation that ends a sentence or bracket around an address, not the address. */
const TRAILING_PUNCTUATION = /(?<![.,;:!?)\]])[.,;:!?)\]]+$/

/** The template tags of a part; none for one that cannot be parsed, which is reported elsewhere. */
export function parseContentTags(text: string): TemplateTag[] {
  try {
    return scanTemplateTags(text)
  } catch {
    return []
  }
}

/** An address among the masked text of its part. */
function buildContentLink(
  text: string,
  masked: string,
  { part, start }: { part: ContentPartName; start: number },
): Omit<ContentLink, 'written'> {
  const address = masked.replace(MASK_CHARACTERS, 'x')
  return { address, isFixed: address === masked, part, position: () => computeTextPosition(text, start) }
}

function sliceAttributeSource(html: string, { valueStart = 0, end, quoted }: HtmlAttribute): string {
  return (quoted ? html.slice(valueStart + 1, end - 1) : html.slice(valueStart, end)).trim().slice(0, MAX_SHOWN_LENGTH)
}

function findHtmlLinks(html: string, part: ContentPartName): ContentLink[] {
  const foundLinks: ContentLink[] = []
  readHtmlWithComments(maskTemplateTags(html, parseContentTags(html)), {
    startTag(name, attributes) {
      if (!isLinkElement(name)) return
      for (const href of attributes) {
        if (href.name !== 'href' || detectLinkAddressKind(href.value) !== 'web') continue
        const { start } = href
        foundLinks.push({
          ...buildContentLink(html, normalizeLinkAddress(href.value), { part, start }),
          written: sliceAttributeSource(html, href),
        })
      }
    },
  })
  return foundLinks
}

/** Bare addresses; one that `tracked` is given stands within a tag that prints, and is found when it is whole there. */
function findTextLinks(text: string, part: ContentPartName): ContentLink[] {
  const tags = parseContentTags(text)
  const bareLinks = [...maskTemplateTags(text, tags).matchAll(TEXT_ADDRESS_PATTERN)].map(
    ({ 0: addressMatch, index }) => ({ found: addressMatch, index }),
  )
  const printedLinks = tags
    .filter(({ type }) => type === 'output')
    .flatMap(({ start, end }) =>
      [...text.slice(start, end).matchAll(TEXT_ADDRESS_PATTERN)].map(({ 0: addressMatch, index }) => ({
        found: addressMatch,
        index: start + index,
      })),
    )
  return [...bareLinks, ...printedLinks]
    .toSorted((first, right) => first.index - right.index)
    .map(({ found: addressMatch, index }) => {
      const masked = addressMatch.replace(TRAILING_PUNCTUATION, '')
      const sourceText = text.slice(index, index + masked.length).slice(0, MAX_SHOWN_LENGTH)
      return { ...buildContentLink(text, masked, { part, start: index }), written: sourceText }
    })
}

/**
 * The web addresses of a content in order of appearance: links of HTML and AMP, tracked or not, and those in text. Text derived from the
 * HTML has no links of its own, and lines of a header are not searched.
 */
export function findContentLinks({ parts }: ContentSource): ContentLink[] {
  return parts
    .filter(({ isHeader, isDerived }) => !isHeader && !isDerived)
    .flatMap(({ name, template, mode }) =>
      mode === 'html' ? findHtmlLinks(template, name) : findTextLinks(template, name),
    )
}
