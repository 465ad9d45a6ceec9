/** Style elements, also one that is never closed. */
const STYLES = /<style\b[^<>]*>[\s\S]*?(?:<\/style\s{0,100}>|$)/gi
const KEPT = /<meta data-style="(\d+)">/g
/** Where names of event handlers may begin. */
const HANDLERS = /(?<=[\s"'/])on(?=[a-z]+\s*=)/gi
/** No text has this character: it may be put in, and taken out again, anywhere. */
const GUARD = '\uFDD0'

/** The HTML of a mail as a document that loads and runs nothing. */
export interface ParsedMail {
  page: Document
  /** Text or the value of an attribute, as the mail has it. */
  read(text: string | null | undefined): string
  /** The document as HTML again. */
  html(): string
}

/**
 * Parses a mail. The policy of the console's page also counts for documents that it parses, and would report each style element
 * and each event handler: they stand aside meanwhile.
 */
export function parseMailHtml(html: string): ParsedMail {
  const styles: string[] = []
  const inert = html
    .replaceAll(STYLES, (whole) => `<meta data-style="${styles.push(whole) - 1}">`)
    .replaceAll(HANDLERS, (begin) => GUARD + begin)
  const page = new DOMParser().parseFromString(inert, 'text/html')
  const read = (text: string | null | undefined): string => (text ?? '').replaceAll(GUARD, '')
  return {
    page,
    read,
    html: () =>
      `<!doctype html>${read(page.documentElement.outerHTML)}`.replaceAll(
        KEPT,
        (_, place) => styles[Number(place)] ?? '',
      ),
  }
}
