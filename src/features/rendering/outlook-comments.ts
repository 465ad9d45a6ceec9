/** Elements of Outlook's drawings, such as `v:roundrect`. */
const VML = /^[vo]:/

/** Whether an element, by its name in small letters, is of Outlook's drawings. */
export function isVml(name: string): boolean {
  return VML.test(name)
}

/** Whether the `href` of an element, by its name in small letters, is a link. */
export function isLinkElement(name: string): boolean {
  return name === 'a' || name === 'area' || isVml(name)
}

/** How the text of a conditional comment begins: `[if mso]>`, `[if (gte mso 9)|(IE)]>`. */
const CONDITION = /^\[if\b[^\]]*\]>/i
const END = '<![endif]'
/** What stands behind the condition of one that hides nothing: `<!--[if !mso]><!-->`, `<!--[if !mso]>-->`. */
const REVEALED = ['', '<!', '<!--']

/**
 * The HTML within a conditional comment, which Outlook shows: `start` and `end` are those of the comment's text. Undefined
 * for ordinary comments, and those that hide nothing.
 */
export function conditionalComment(
  html: string,
  start: number,
  end: number,
): { start: number; end: number } | 'unclosed' | undefined {
  const text = html.slice(start, end).trimEnd()
  const condition = CONDITION.exec(text)?.[0]
  if (condition === undefined || REVEALED.includes(text.slice(condition.length).trim())) return undefined
  if (!html.startsWith('-->', end) || !text.toLowerCase().endsWith(END)) return 'unclosed'
  return { start: start + condition.length, end: start + text.length - END.length }
}
