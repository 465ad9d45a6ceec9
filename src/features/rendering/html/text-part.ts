import { LIQUID_OUTPUT_MASK, LIQUID_TAG_MASK, maskTemplateTags, type TemplateTag } from '../templates/template-tags.ts'
import { detectLinkAddressKind, toAsciiHostAddress } from './addresses.ts'
import { type HtmlAttribute, readHtmlElements } from './html-elements.ts'
import { createHtmlTextWriter, type TextWriter } from './text-writer.ts'

/** Elements that stand on lines of their own, by the line ends that part them from what is around. */
const PARAGRAPH_ELEMENTS = [
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'dl',
  'table',
  'blockquote',
  'pre',
  'hr',
]
const LINE_ELEMENTS = [
  'address',
  'article',
  'aside',
  'body',
  'center',
  'dd',
  'div',
  'dt',
  'fieldset',
  'figcaption',
  'figure',
]
const OTHER_LINE_ELEMENTS = ['footer', 'form', 'header', 'li', 'main', 'nav', 'section', 'tr']
const BLOCK_ELEMENTS = new Map<string, number>([
  ...PARAGRAPH_ELEMENTS.map((name): [string, number] => [name, 2]),
  ...[...LINE_ELEMENTS, ...OTHER_LINE_ELEMENTS].map((name): [string, number] => [name, 1]),
])
const HIDDEN_ELEMENTS = new Set(['head', 'script', 'style', 'title', 'template'])
/** Tags that print something: where HTML shows no text, they would make some. */
const PRINTING_TAGS_PATTERN = new Set(['cycle', 'echo', 'increment', 'decrement', 'liquid'])
const MASKS_PATTERN = new RegExp(`(?:${LIQUID_OUTPUT_MASK}|${LIQUID_TAG_MASK})+`, 'g')

/** Hands the template tags of a document to the writer, in their order. */
interface TagCursor {
  /** Keeps those that only steer, up to a place: what they stand in is not shown. */
  skipTo(place: number): void
  /** Keeps all tags within a shown text; `write` gets the text between them. */
  writeText(text: string, start: number, write: (text: string) => void): void
  /** The source of those within an attribute's value, put where they stand in its decoded text. */
  valueOf(attribute: HtmlAttribute | undefined): string
}

function createTagCursor(html: string, tags: readonly TemplateTag[], writer: TextWriter): TagCursor {
  let nextTag = 0
  const getTagSource = ({ start, end }: TemplateTag): string => html.slice(start, end)
  const isSteering = ({ type, name }: TemplateTag): boolean => type === 'tag' && !PRINTING_TAGS_PATTERN.has(name)

  function passTo(place: number, use: (tag: TemplateTag) => void): void {
    for (let tag = tags[nextTag]; tag !== undefined && tag.start < place; tag = tags[++nextTag]) use(tag)
  }

  function skipTo(place: number): void {
    passTo(place, (tag) => isSteering(tag) && writer.tag(getTagSource(tag)))
  }

  return {
    skipTo,
    writeText(text, start, write) {
      let textPosition = 0
      for (const { index, 0: maskRun } of text.matchAll(MASKS_PATTERN)) {
        write(text.slice(textPosition, index))
        textPosition = index + maskRun.length
        passTo(start + textPosition, (tag) =>
          isSteering(tag) ? writer.tag(getTagSource(tag)) : writer.output(getTagSource(tag)),
        )
      }
      write(text.slice(textPosition))
    },
    valueOf(attribute) {
      if (attribute?.valueStart === undefined) return ''
      skipTo(attribute.valueStart)
      const innerTags: TemplateTag[] = []
      let usedTags = 0
      passTo(attribute.end, (tag) => innerTags.push(tag))
      return attribute.value.replace(MASKS_PATTERN, (run) => {
        let text = ''
        for (let remainingMasks = run.length; remainingMasks > 0 && usedTags < innerTags.length; ) {
          const tag = innerTags[usedTags++]!
          text += getTagSource(tag)
          remainingMasks -= tag.end - tag.start
        }
        return text
      })
    },
  }
}

/** Hidden elements that are open, from the outside in. Their ends may be many that end nothing. */
function createHiddenElements() {
  const openElements: string[] = []
  const openCounts = new Map<string, number>()
  const count = (name: string, change: number) => openCounts.set(name, (openCounts.get(name) ?? 0) + change)
  return {
    isEmpty: () => openElements.length === 0,
    open(name: string): void {
      if (!HIDDEN_ELEMENTS.has(name)) return
      openElements.push(name)
      count(name, 1)
    },
    /** Ends the innermost one of the name, and those in it. */
    close(name: string): void {
      if (!openCounts.get(name)) return
      for (let endedElement: string | undefined; endedElement !== name; ) {
        endedElement = openElements.pop() ?? name
        count(endedElement, -1)
      }
    },
  }
}

/** Writes text as its elements show it: `pre` keeps its lines, except for a line end at its start. */
function createPreformattedText(writer: TextWriter) {
  let preDepth = 0
  let isBeginning = false
  return {
    open(name: string): void {
      if (name !== 'pre') return
      preDepth++
      isBeginning = true
    },
    close(name: string): void {
      if (name === 'pre') preDepth = Math.max(0, preDepth - 1)
    },
    write(text: string): void {
      if (preDepth === 0) writer.text(text)
      else writer.preformatted(isBeginning ? text.replace(/^\r?\n/, '') : text)
      if (text !== '') isBeginning = false
    },
  }
}

/**
 * Derives the text part of an HTML template: block elements become lines, `pre` keeps its own lines, lists become `- ` lines, links become
 * `text [address]`, images become their alternative text. Template tags are retained. Control tags are retained at any position, so that
 * conditions and loops remain complete.
 */
export function deriveTextPart(html: string, tags: readonly TemplateTag[]): string {
  const writer = createHtmlTextWriter()
  const cursor = createTagCursor(html, tags, writer)
  const hiddenTracker = createHiddenElements()
  const preformatted = createPreformattedText(writer)
  let address: string | undefined

  function closeLink(): void {
    if (address !== undefined) writer.address(address)
    address = undefined
  }

  function writeElement(name: string, attributes: HtmlAttribute[]): void {
    const findAttribute = (attributeName: string): HtmlAttribute | undefined =>
      attributes.find((attribute) => attribute.name === attributeName)
    if (name === 'a') {
      closeLink()
      address = formatAddress(cursor.valueOf(findAttribute('href')), findAttribute('linktype')?.value)
    } else if (name === 'img') writer.text(cursor.valueOf(findAttribute('alt')))
    else if (name === 'br') writer.breakLine()
    else if (name === 'td' || name === 'th') writer.text(' ')
    else writer.endLines(BLOCK_ELEMENTS.get(name) ?? 0)
    if (name === 'li') writer.text('- ')
  }

  readHtmlElements(maskTemplateTags(html, tags), {
    startTag(name, attributes, start, end) {
      cursor.skipTo(start)
      hiddenTracker.open(name)
      if (hiddenTracker.isEmpty()) writeElement(name, attributes)
      preformatted.open(name)
      cursor.skipTo(end)
    },
    endTag(name, start) {
      cursor.skipTo(start)
      hiddenTracker.close(name)
      preformatted.close(name)
      if (!hiddenTracker.isEmpty()) return
      if (name === 'a') closeLink()
      writer.endLines(BLOCK_ELEMENTS.get(name) ?? 0)
    },
    text(text, start) {
      cursor.skipTo(start)
      if (!hiddenTracker.isEmpty()) return cursor.skipTo(start + text.length)
      cursor.writeText(text, start, preformatted.write)
    },
  })
  cursor.skipTo(html.length)
  return writer.result()
}

/** Text in brackets after a link; `undefined` for a link without a target. */
function formatAddress(href: string, linkType: string | undefined): string | undefined {
  const address = href.trim()
  if (linkType?.trim().toLowerCase() === 'form') return `{{ links.form["${address.toUpperCase()}"] }}`
  const kind = detectLinkAddressKind(address)
  if (kind === 'mirror' || kind === 'unsubscribe') return `{{ links.${kind} }}`
  return address === '' || address.startsWith('#') || kind === 'unsafe' ? undefined : toAsciiHostAddress(address)
}
