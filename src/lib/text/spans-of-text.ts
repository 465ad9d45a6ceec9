/**
 * Replaces each span of a text from an opening to the next closing expression, both with the flag g. An opening without a closing
 * stays, and so does all after it: the text is walked once, however many openings it has.
 */
export function replaceTextSpans(
  text: string,
  openPattern: RegExp,
  close: RegExp,
  replace: (span: string) => string,
): string {
  let replacedText = ''
  let previousEnd = 0
  for (;;) {
    openPattern.lastIndex = previousEnd
    const openMatch = openPattern.exec(text)
    if (!openMatch) break
    close.lastIndex = openMatch.index + openMatch[0].length
    const closeMatch = close.exec(text)
    if (!closeMatch) break
    const spanEnd = closeMatch.index + closeMatch[0].length
    replacedText += text.slice(previousEnd, openMatch.index) + replace(text.slice(openMatch.index, spanEnd))
    previousEnd = spanEnd
  }
  return replacedText + text.slice(previousEnd)
}
