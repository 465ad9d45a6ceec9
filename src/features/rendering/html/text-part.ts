import { LIQUID_OUTPUT_MASK, LIQUID_TAG_MASK, maskTemplateTags, type TemplateTag } from '../templates/template-tags.ts'
import { detectLinkAddressKind, toAsciiHostAddress } from './addresses.ts'
import { type HtmlAttribute, readHtmlElements } from './html-elements.ts'
import { createHtmlTextWriter, type TextWriter } from './text-writer.ts'

/** Elements that stand on lines of their own, by the line ends that part them from what is around. */
const PARAGRAPHS = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'dl', 'table', 'blockquote', 'pre', 'hr']
const LINES = ['address', 'article', 'aside', 'body', 'center', 'dd', 'div', 'dt', 'fieldset', 'figcaption', 'figure']
const MORE_LINES = ['footer', 'form', 'header', 'li', 'main', 'nav', 'section', 'tr']
const BLOCKS = new Map<string, number>([
  ...PARAGRAPHS.map((name): [string, number] => [name, 2]),
  ...[...LINES, ...MORE_LINES].map((name): [string, number] => [name, 1]),
])
const HIDDEN = new Set(['head', 'script', 'style', 'title', 'template'])
/** Tags that print something: where HTML shows no text, they would make some. */
const PRINTING_TAGS = new Set(['cycle', 'echo', 'increment', 'decrement', 'liquid'])
const MASKS = new RegExp(`(?:${LIQUID_OUTPUT_MASK}|${LIQUID_TAG_MASK})+`, 'g')

/** Hands the template tags of a document to the writer, in their order. */
interface TagCursor {
  /** Keeps those that only steer, up to a place: what they stand in is not shown. */
  skipTo(place: number): void
  /** Keeps all tags within a shown text; `write` gets the text between them. */
  writeText(text: string, start: number, write: (text: string) => void): void
  /** The source of those within an attribute's value, put where they stand in its decoded text. */
  valueOf(attribute: HtmlAttribute | undefined): string
}

function tagCursor(html: string, tags: readonly TemplateTag[], writer: TextWriter): TagCursor {
  let next = 0
  const source = ({ start, end }: TemplateTag): string => html.slice(start, end)
  const isSteering = ({ type, name }: TemplateTag): boolean => type === 'tag' && !PRINTING_TAGS.has(name)

  function passTo(place: number, use: (tag: TemplateTag) => void): void {
    for (let tag = tags[next]; tag !== undefined && tag.start < place; tag = tags[++next]) use(tag)
  }

  function skipTo(place: number): void {
    passTo(place, (tag) => isSteering(tag) && writer.tag(source(tag)))
  }

  return {
    skipTo,
    writeText(text, start, write) {
      let at = 0
      for (const { index, 0: run } of text.matchAll(MASKS)) {
        write(text.slice(at, index))
        at = index + run.length
        passTo(start + at, (tag) => (isSteering(tag) ? writer.tag(source(tag)) : writer.output(source(tag))))
      }
      write(text.slice(at))
    },
    valueOf(attribute) {
      if (attribute?.valueStart === undefined) return ''
      skipTo(attribute.valueStart)
      const inside: TemplateTag[] = []
      let taken = 0
      passTo(attribute.end, (tag) => inside.push(tag))
      return attribute.value.replace(MASKS, (run) => {
        let text = ''
        for (let left = run.length; left > 0 && taken < inside.length; ) {
          const tag = inside[taken++]!
          text += source(tag)
          left -= tag.end - tag.start
        }
        return text
      })
    },
  }
}

/** Hidden elements that are open, from the outside in. Their ends may be many that end nothing. */
function hiddenElements() {
  const open: string[] = []
  const counts = new Map<string, number>()
  const count = (name: string, more: number) => counts.set(name, (counts.get(name) ?? 0) + more)
  return {
    isEmpty: () => open.length === 0,
    open(name: string): void {
      if (!HIDDEN.has(name)) return
      open.push(name)
      count(name, 1)
    },
    /** Ends the innermost one of the name, and those in it. */
    close(name: string): void {
      if (!counts.get(name)) return
      for (let ended: string | undefined; ended !== name; ) {
        ended = open.pop() ?? name
        count(ended, -1)
      }
    },
  }
}

/** Writes text as its elements show it: `pre` keeps its lines, except for a line end at its start. */
function preformattedText(writer: TextWriter) {
  let depth = 0
  let isBeginning = false
  return {
    open(name: string): void {
      if (name !== 'pre') return
      depth++
      isBeginning = true
    },
    close(name: string): void {
      if (name === 'pre') depth = Math.max(0, depth - 1)
    },
    write(text: string): void {
      if (depth === 0) writer.text(text)
      else writer.preformatted(isBeginning ? text.replace(/^\r?\n/, '') : text)
      if (text !== '') isBeginning = false
    },
  }
}

/**
 * The text part of an HTML template (rendering.md section 3): block elements as lines, `pre` with its own, lists with `- `, links as
 * `text [address]`, images by their alternative text. Template tags stay; those that only steer stay wherever they
 * stand, so that conditions and loops remain whole.
 */
export function deriveTextPart(html: string, tags: readonly TemplateTag[]): string {
  const writer = createHtmlTextWriter()
  const cursor = tagCursor(html, tags, writer)
  const hidden = hiddenElements()
  const preformatted = preformattedText(writer)
  let address: string | undefined

  function endLink(): void {
    if (address !== undefined) writer.address(address)
    address = undefined
  }

  function show(name: string, attributes: HtmlAttribute[]): void {
    const find = (wanted: string): HtmlAttribute | undefined =>
      attributes.find((attribute) => attribute.name === wanted)
    if (name === 'a') {
      endLink()
      address = addressText(cursor.valueOf(find('href')), find('linktype')?.value)
    } else if (name === 'img') writer.text(cursor.valueOf(find('alt')))
    else if (name === 'br') writer.breakLine()
    else if (name === 'td' || name === 'th') writer.text(' ')
    else writer.endLines(BLOCKS.get(name) ?? 0)
    if (name === 'li') writer.text('- ')
  }

  readHtmlElements(maskTemplateTags(html, tags), {
    startTag(name, attributes, start, end) {
      cursor.skipTo(start)
      hidden.open(name)
      if (hidden.isEmpty()) show(name, attributes)
      preformatted.open(name)
      cursor.skipTo(end)
    },
    endTag(name, start) {
      cursor.skipTo(start)
      hidden.close(name)
      preformatted.close(name)
      if (!hidden.isEmpty()) return
      if (name === 'a') endLink()
      writer.endLines(BLOCKS.get(name) ?? 0)
    },
    text(text, start) {
      cursor.skipTo(start)
      if (!hidden.isEmpty()) return cursor.skipTo(start + text.length)
      cursor.writeText(text, start, preformatted.write)
    },
  })
  cursor.skipTo(html.length)
  return writer.result()
}

/** What stands in brackets after a link; nothing for one that leads nowhere. */
function addressText(href: string, linkType: string | undefined): string | undefined {
  const address = href.trim()
  if (linkType?.trim().toLowerCase() === 'form') return `{{ links.form["${address.toUpperCase()}"] }}`
  const kind = detectLinkAddressKind(address)
  if (kind === 'mirror' || kind === 'unsubscribe') return `{{ links.${kind} }}`
  return address === '' || address.startsWith('#') || kind === 'unsafe' ? undefined : toAsciiHostAddress(address)
}
