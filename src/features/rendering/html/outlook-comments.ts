import { type HtmlElementReader, readHtmlElements } from './html-elements.ts'

/** VML elements, which Outlook draws, such as `v:roundrect`. */
const VML_NAME_PATTERN = /^[vo]:/

/** True if an element is VML, by its name in lower case. */
export function isVmlElement(name: string): boolean {
  return VML_NAME_PATTERN.test(name)
}

/** True if the `href` of an element is a link, by its name in lower case. */
export function isLinkElement(name: string): boolean {
  return name === 'a' || name === 'area' || isVmlElement(name)
}

/** The beginning of a conditional comment: `[if mso]>`, `[if (gte mso 9)|(IE)]>`. */
const CONDITION_PATTERN = /^\[if\b[^\]]*\]>/i
const END_OF_COMMENT = '<![endif]'
/** The text after the condition of a comment that hides nothing: `<!--[if !mso]><!-->`, `<!--[if !mso]>-->`. */
const REVEALED_COMMENT_PATTERN = ['', '<!', '<!--']

/**
 * The range of the HTML in a conditional comment, which Outlook shows. `start` and `end` delimit the comment's text. Undefined
 * for ordinary comments, and for those that hide nothing.
 */
export function findConditionalComment(
  html: string,
  start: number,
  end: number,
): { start: number; end: number } | 'unclosed' | undefined {
  const text = html.slice(start, end).trimEnd()
  const condition = CONDITION_PATTERN.exec(text)?.[0]
  if (condition === undefined || REVEALED_COMMENT_PATTERN.includes(text.slice(condition.length).trim()))
    return undefined
  if (!html.startsWith('-->', end) || !text.toLowerCase().endsWith(END_OF_COMMENT)) return 'unclosed'
  return { start: start + condition.length, end: start + text.length - END_OF_COMMENT.length }
}

/** Reads masked HTML as `readHtmlElements` does, together with the HTML in its conditional comments. */
export function readHtmlWithComments(masked: string, reader: Omit<HtmlElementReader, 'comment'>): void {
  readHtmlElements(masked, {
    ...reader,
    comment(start, end) {
      const conditionalComment = findConditionalComment(masked, start, end)
      if (typeof conditionalComment === 'object') readHtmlElements(masked, reader, conditionalComment)
    },
  })
}
