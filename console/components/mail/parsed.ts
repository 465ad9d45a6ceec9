/** Style elements, also one that is never closed. */
const STYLE_ELEMENTS = /<style\b[^<>]*>[\s\S]*?(?:<\/style\s{0,100}>|$)/gi
const STYLE_PLACEHOLDER = /<meta data-style="(\d+)">/g
/** Possible beginnings of event handler names. */
const HANDLER_NAMES = /(?<=[\s"'/])on(?=[a-z]+\s*=)/gi
/** No text has this character: it may be put in, and taken out again, anywhere. */
const GUARD_CHARACTER = '\uFDD0'

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
  const inertHtml = html
    .replaceAll(STYLE_ELEMENTS, (whole) => `<meta data-style="${styles.push(whole) - 1}">`)
    .replaceAll(HANDLER_NAMES, (begin) => GUARD_CHARACTER + begin)
  const page = new DOMParser().parseFromString(inertHtml, 'text/html')
  const removeGuards = (text: string | null | undefined): string => (text ?? '').replaceAll(GUARD_CHARACTER, '')
  return {
    page,
    read: removeGuards,
    html: () =>
      `<!doctype html>${removeGuards(page.documentElement.outerHTML)}`.replaceAll(
        STYLE_PLACEHOLDER,
        (_, place) => styles[Number(place)] ?? '',
      ),
  }
}
