import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { Marked, type Token } from 'marked'
import { readMarkdownText } from './manual-markdown.ts'

/** The root of the program that runs: its documents are those of its version. */
const PROGRAM_ROOT = join(import.meta.dirname, '../../..')
const DOCS_FOLDER = 'docs'
const INDEX_SOURCE = 'docs/README.md'
const DECISIONS_FOLDER = 'docs/decisions/'
const PICTURES_FOLDER = 'docs/pictures/'

/** A document that the manual shows. */
export interface ManualPage {
  /** Path of the Markdown file from the root of the program. */
  source: string
  /** Path of the page from the root of the manual. */
  url: string
  /** The page's name in the navigation, or its title where the navigation does not list it. */
  label: string
  /** Title of the section that lists the page; absent when no section does. */
  section?: string
}

/** A section of the navigation: a heading of docs/README.md and the pages that it links to. */
export interface ManualSection {
  title: string
  pages: ManualPage[]
}

/** The documents of the program: pages, pictures and the order in which they are read. */
export interface ManualLibrary {
  root: string
  sections: readonly ManualSection[]
  pagesBySource: ReadonlyMap<string, ManualPage>
  /** Pages in the order of "previous" and "next". */
  sequence: readonly ManualPage[]
  /** Pictures by their path from the root of the program, with their path from the root of the manual. */
  pictures: ReadonlyMap<string, string>
}

function removeDocsFolder(source: string): string {
  return posix.relative(DOCS_FOLDER, source)
}

/** `docs/a/b.md` is `a/b.html`, a README the index of its folder, and `SECURITY.md` `security.html`. */
function toPageUrl(source: string): string {
  if (!source.startsWith(`${DOCS_FOLDER}/`)) return `${posix.basename(source.toLowerCase(), '.md')}.html`
  const { dir, name } = posix.parse(removeDocsFolder(source))
  return posix.join(dir, name === 'README' ? 'index.html' : `${name}.html`)
}

/** Tells whether a page is a decision record. */
export function isDecisionRecordPage({ source }: ManualPage): boolean {
  return source.startsWith(DECISIONS_FOLDER)
}

/** Tells whether the search covers a page: not the list of all documents, nor the reasons of decisions. */
export function isSearchableManualPage(page: ManualPage): boolean {
  return page.source !== INDEX_SOURCE && !isDecisionRecordPage(page)
}

async function listSources(root: string): Promise<string[]> {
  const [rootNames, docsNames] = await Promise.all([
    readdir(root),
    readdir(join(root, DOCS_FOLDER), { recursive: true }),
  ])
  const docsSources = docsNames.map((name) => `${DOCS_FOLDER}/${name.replaceAll('\\', '/')}`)
  return [...rootNames.filter((name) => name.endsWith('.md')), ...docsSources].sort()
}

const markdown = new Marked()

async function readPage(root: string, source: string): Promise<ManualPage> {
  const text = await readFile(join(root, source), 'utf8')
  const titleLine = text.split('\n', 1)[0] ?? ''
  return { source, url: toPageUrl(source), label: readMarkdownText(markdown.lexer(titleLine)).trim() || source }
}

/** The page that a path in a document leads to: a Markdown file, or a folder with a README. */
export function findLinkedManualPage(library: Pick<ManualLibrary, 'pagesBySource'>, source: string, path: string) {
  const target = posix.join(posix.dirname(source), path)
  return library.pagesBySource.get(target) ?? library.pagesBySource.get(posix.join(target, 'README.md'))
}

/** The sections of docs/README.md. A page that several of its links lead to is listed where the first one is. */
function readSections(
  indexText: string,
  pagesBySource: ReadonlyMap<string, ManualPage>,
): { sections: ManualSection[]; listedPages: Set<ManualPage> } {
  const sections: ManualSection[] = []
  const listedPages = new Set<ManualPage>()
  const addLink = (token: Token): void => {
    if (token.type !== 'link') return
    const section = sections.at(-1)
    const page = findLinkedManualPage({ pagesBySource }, INDEX_SOURCE, String(token['href']))
    if (!section || !page || listedPages.has(page)) return
    const label = readMarkdownText(token.tokens ?? [])
    page.label = label.charAt(0).toUpperCase() + label.slice(1)
    page.section = section.title
    section.pages.push(page)
    listedPages.add(page)
  }
  for (const token of markdown.lexer(indexText)) {
    if (token.type === 'heading' && token['depth'] === 2)
      sections.push({ title: readMarkdownText(token.tokens ?? []), pages: [] })
    else markdown.walkTokens([token], addLink)
  }
  return { sections: sections.filter(({ pages }) => pages.length > 0), listedPages }
}

/** Reads which documents there are, their titles and the navigation. Rejects with ENOENT where docs/ is not installed. */
export async function readManualLibrary(root: string = PROGRAM_ROOT): Promise<ManualLibrary> {
  const sources = await listSources(root)
  const pages = await Promise.all(
    sources.filter((source) => source.endsWith('.md')).map((source) => readPage(root, source)),
  )
  const pagesBySource = new Map(pages.map((page) => [page.source, page]))
  const { sections, listedPages } = readSections(await readFile(join(root, INDEX_SOURCE), 'utf8'), pagesBySource)
  const indexPage = pagesBySource.get(INDEX_SOURCE)
  const decisionRecords = pages.filter((page) => isDecisionRecordPage(page) && !listedPages.has(page))
  const pictureSources = sources.filter((source) => source.startsWith(PICTURES_FOLDER))
  return {
    root,
    sections,
    pagesBySource,
    sequence: [...(indexPage ? [indexPage] : []), ...listedPages, ...decisionRecords],
    pictures: new Map(pictureSources.map((source) => [source, removeDocsFolder(source)])),
  }
}
