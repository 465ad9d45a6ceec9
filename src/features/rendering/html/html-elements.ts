import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { LIQUID_TAG_MASK } from '../templates/template-tags.ts'

/** An attribute of a start tag by its places in the text. */
export interface HtmlAttribute {
  /** Lower case. */
  name: string
  /** The value with its character references decoded; template tags are still masked. */
  value: string
  /** From the first character of the name to after the last of the value, quotes included. */
  start: number
  end: number
  /** The value with its quotes, if it has any; undefined when the attribute has no value. */
  valueStart: number | undefined
  quoted: boolean
}

/** The callbacks of a reader of a document, in order. All places are offsets into the text. */
export interface HtmlElementReader {
  startTag?(name: string, attributes: HtmlAttribute[], start: number, end: number): void
  endTag?(name: string, start: number): void
  /** Text with its character references decoded; also that of `<title>` and `<textarea>`, and the source of scripts. */
  text?(text: string, start: number): void
  /** The range between `<!--` and `-->`, or the end of the text if the comment is unclosed. */
  comment?(start: number, end: number): void
}

/** Template tags may stand before a name, as in `<a {% if x %}href="..."{% endif %}>`; then they are not part of it. */
const LEADING_MASK_PATTERN = new RegExp(`^.*${LIQUID_TAG_MASK}`)
const MASKS_PATTERN = new RegExp(`${LIQUID_TAG_MASK}+`, 'g')

/**
 * Reads masked HTML by the tokenisation rules of WHATWG (comments, raw text, character references, quotes): all of it, or a
 * self-contained `range`. Places are relative to the whole.
 */
export function readHtmlElements(
  whole: string,
  reader: HtmlElementReader,
  range = { start: 0, end: whole.length },
): void {
  const html = whole.slice(range.start, range.end)
  const rangeStart = range.start
  let name = ''
  let tagStart = 0
  let attributes: HtmlAttribute[] = []
  let openAttribute: HtmlAttribute | undefined
  let textEnd = 0

  function closeStartTag(end: number): void {
    reader.startTag?.(name, attributes, rangeStart + tagStart, rangeStart + end + 1)
    attributes = []
  }

  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      name = html.slice(start, end).replace(MASKS_PATTERN, '').toLowerCase()
      tagStart = start - 1
    },
    onopentagend: closeStartTag,
    onselfclosingtag: closeStartTag,
    onclosetag(start, end) {
      reader.endTag?.(
        html.slice(start, end).replace(MASKS_PATTERN, '').toLowerCase(),
        rangeStart + html.lastIndexOf('<', start),
      )
    },
    onattribname(start, end) {
      const attributeText = html.slice(start, end)
      const text = attributeText.replace(LEADING_MASK_PATTERN, '')
      openAttribute = {
        name: text.toLowerCase(),
        value: '',
        start: rangeStart + end - text.length,
        end: rangeStart + end,
        valueStart: undefined,
        quoted: false,
      }
    },
    onattribdata(start, end) {
      if (openAttribute !== undefined) openAttribute.value += html.slice(start, end)
    },
    onattribentity(codePoint) {
      if (openAttribute !== undefined) openAttribute.value += String.fromCodePoint(codePoint)
    },
    onattribend(quote, end) {
      if (openAttribute === undefined) return
      if (quote !== QuoteType.NoValue) {
        openAttribute.valueStart = findValueStart(whole, openAttribute.end)
        openAttribute.quoted = quote !== QuoteType.Unquoted
        openAttribute.end = rangeStart + end
      }
      attributes.push(openAttribute)
      openAttribute = undefined
    },
    ontext(start, end) {
      textEnd = end
      reader.text?.(html.slice(start, end), rangeStart + start)
    },
    ontextentity(codePoint, end) {
      reader.text?.(String.fromCodePoint(codePoint), rangeStart + textEnd)
      textEnd = end
    },
    oncdata() {},
    oncomment(start, end, offset) {
      reader.comment?.(rangeStart + start, rangeStart + end - offset)
    },
    ondeclaration() {},
    onend() {},
    onprocessinginstruction() {},
  }
  const tokenizer = new Tokenizer({}, callbacks)
  tokenizer.write(html)
  tokenizer.end()
}

/** The tokeniser does not say where a value begins: after the name, the equals sign and any blanks. */
function findValueStart(html: string, nameEnd: number): number {
  const separatorPattern = /[\t\n\f\r ]*=[\t\n\f\r ]*/y
  separatorPattern.lastIndex = nameEnd
  return nameEnd + (separatorPattern.exec(html)?.[0].length ?? 0)
}

/** An attribute value as a browser reads it: character references decoded. */
export function decodeHtmlAttribute(value: string): string {
  if (!value.includes('&')) return value
  let decodedValue = ''
  readHtmlElements(`<a x="${value.replaceAll('"', '&quot;')}">`, {
    startTag: (_name, [attribute]) => {
      decodedValue = attribute?.value ?? ''
    },
  })
  return decodedValue
}
