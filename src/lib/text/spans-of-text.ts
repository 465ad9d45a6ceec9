/**
 * Replaces each span of a text from an opening to the next closing expression, both with the flag g. An opening without a closing
 * stays, and so does all after it: the text is walked once, however many openings it has.
 */
export function replaceTextSpans(text: string, open: RegExp, close: RegExp, replace: (span: string) => string): string {
  let replaced = ''
  let end = 0
  for (;;) {
    open.lastIndex = end
    const start = open.exec(text)
    if (!start) break
    close.lastIndex = start.index + start[0].length
    const stop = close.exec(text)
    if (!stop) break
    const after = stop.index + stop[0].length
    replaced += text.slice(end, start.index) + replace(text.slice(start.index, after))
    end = after
  }
  return replaced + text.slice(end)
}
