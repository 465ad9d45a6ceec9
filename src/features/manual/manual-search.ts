import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Marked } from 'marked'
import MiniSearch from 'minisearch'
import { isSearchableManualPage, type ManualLibrary, type ManualPage } from './manual-library.ts'
import { createHeadingAnchors, readMarkdownText } from './manual-markdown.ts'

/** The options of the index. They are served with it, since a browser needs the same ones to load it. */
const SEARCH_OPTIONS = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['heading', 'page', 'section', 'url', 'text'],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
} as const

/** The part of a page under one heading. */
interface SearchableSection {
  id: number
  heading: string
  page: string
  section: string
  url: string
  text: string
}

const markdown = new Marked()

function splitIntoSections({ label, section = '', url }: ManualPage, text: string): Omit<SearchableSection, 'id'>[] {
  const nextAnchor = createHeadingAnchors()
  const parts: Omit<SearchableSection, 'id'>[] = []
  for (const token of markdown.lexer(text)) {
    if (token.type === 'heading') {
      const anchor = nextAnchor(String(token['text']))
      const address = token['depth'] === 1 ? url : `${url}#${anchor}`
      parts.push({ heading: readMarkdownText(token.tokens ?? []), page: label, section, url: address, text: '' })
    } else {
      const part = parts.at(-1)
      if (part) part.text = `${part.text} ${readMarkdownText([token])}`.trimStart()
    }
  }
  return parts
}

/** Builds the index as JSON. Other work is let through after each page. */
export async function buildManualSearchIndex({ root, pagesBySource }: ManualLibrary): Promise<string> {
  const index = new MiniSearch<SearchableSection>({
    fields: [...SEARCH_OPTIONS.fields],
    storeFields: [...SEARCH_OPTIONS.storeFields],
  })
  let id = 0
  for (const page of pagesBySource.values()) {
    if (!isSearchableManualPage(page)) continue
    const text = await readFile(join(root, page.source), 'utf8')
    for (const part of splitIntoSections(page, text)) index.add({ id: id++, ...part })
    await nextTurn()
  }
  return JSON.stringify({ options: SEARCH_OPTIONS, index })
}
