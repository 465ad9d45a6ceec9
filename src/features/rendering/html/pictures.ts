import {
  addFlaw,
  type ContentFindingType,
  type ContentFlaw,
  type ContentPartName,
  computeTextPosition,
} from '../flaws.ts'
import { LIQUID_MASKS_PATTERN, maskTemplateTags, type TemplateTag } from '../templates/template-tags.ts'
import type { HtmlAttribute } from './html-elements.ts'
import { isRelativeTemplateLink, MAX_LINK_NAME_LENGTH } from './mark-address.ts'
import { isVmlElement, readHtmlWithComments } from './outlook-comments.ts'

/** Elements whose `src` is a picture, in addition to those of VML. */
const PICTURE_ELEMENTS = ['img', 'input', 'source', 'amp-img', 'amp-anim']
const STYLE_URL_PATTERN = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^\s"'()]+))/gi
/** Declarations of a style sheet that show a picture, unlike `@import` and `@font-face`. */
const DECLARATION_PATTERN = /(?<![a-z-])(?:background|list-style|content)(?:-[a-z-]{1,20})?\s{0,9}:[^;{}]*/gi
const SVG_ADDRESS_PATTERN = /^[^\s?#]+\.svg\s*(?:[?#]|$)/i

/**
 * Pictures that a recipient does not see: those whose address has no scheme, wherever they are shown, and drawings, which mail readers do
 * not show.
 */
export function findHiddenPictures(
  html: string,
  tags: readonly TemplateTag[],
  part: ContentPartName,
): ContentFlaw<ContentFindingType>[] {
  const findings: ContentFlaw<ContentFindingType>[] = []
  let isInStyle = false

  function findRelative(addresses: readonly string[], start: number): void {
    const address = addresses.find(isRelativeTemplateLink)
    if (address === undefined) return
    const addressText = address.trim().replace(LIQUID_MASKS_PATTERN, '...').slice(0, MAX_LINK_NAME_LENGTH)
    const message = `The picture "${addressText}" does not load in a message. Start its address with https://.`
    addFlaw(findings, { type: 'link-relative', message, part }, () => computeTextPosition(html, start))
  }

  readHtmlWithComments(maskTemplateTags(html, tags), {
    startTag(name, attributes, start) {
      isInStyle = name === 'style'
      for (const attribute of attributes) findRelative(listPictures(name, attribute), attribute.start)
      const pictureAddresses = attributes
        .filter((pictureAttribute) => pictureAttribute.name !== 'srcset')
        .flatMap((pictureAttribute) => listPictures(name, pictureAttribute))
      if (!pictureAddresses.some((address) => SVG_ADDRESS_PATTERN.test(address.trim()))) return
      const message = 'An image is an SVG, which mail clients do not show. Use a PNG, JPEG, GIF or WebP.'
      addFlaw(findings, { type: 'image-svg', message, part }, () => computeTextPosition(html, start))
    },
    endTag() {
      isInStyle = false
    },
    text(text, start) {
      if (!isInStyle) return
      for (const { 0: declaration, index } of text.matchAll(DECLARATION_PATTERN))
        findRelative(listDeclaredPictures(declaration), start + index)
    },
  })
  return findings
}

/** The addresses of pictures in an attribute of an element. */
function listPictures(element: string, { name, value }: HtmlAttribute): string[] {
  if (name === 'src') return PICTURE_ELEMENTS.includes(element) || isVmlElement(element) ? [value] : []
  if (name === 'srcset') return listCandidatePictures(value)
  if (name === 'background' || name === 'poster') return [value]
  return name === 'style' ? listDeclaredPictures(value) : []
}

function listDeclaredPictures(css: string): string[] {
  return [...css.matchAll(STYLE_URL_PATTERN)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
}

/** The addresses of `a.png 1x, b.png 2x`: each begins the value, or follows a comma that ends an address or a descriptor. */
function listCandidatePictures(srcset: string): string[] {
  const addresses: string[] = []
  let isAddress = true
  for (const word of srcset.split(/\s+/).filter((candidateWord) => candidateWord !== '')) {
    const comma = word.indexOf(',')
    const candidate = isAddress ? word : comma < 0 ? '' : word.slice(comma + 1)
    if (candidate !== '') addresses.push(candidate.replace(/(?<!,),+$/, ''))
    isAddress = word.endsWith(',')
  }
  return addresses
}
