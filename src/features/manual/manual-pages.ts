import { readFile } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadOnce } from '../../lib/concurrency/load-once.ts'
import { type ManualFrame, renderManualNotFoundPage, renderManualPage, toRelativePageUrl } from './manual-layout.ts'
import { findLinkedManualPage, type ManualLibrary, type ManualPage, readManualLibrary } from './manual-library.ts'
import { type ManualLinkResolver, renderManualArticle } from './manual-markdown.ts'
import { buildManualSearchIndex } from './manual-search.ts'

const ASSETS_FOLDER = join(import.meta.dirname, 'assets')
const ASSET_NAMES = ['manual.css', 'manual.js', 'icon.svg']
const WEB_LINK = /^(?:https?|mailto):/

const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

/** A file of the manual. */
export interface ManualFile {
  type: string
  content: Buffer
}

/** The manual: every file by its path, made when it is read. */
export interface ManualPages {
  has(name: string): boolean
  list(): string[]
  read(name: string): Promise<ManualFile | undefined>
  /** The page for an address that does not exist. `url`: any path of the same depth as the address. */
  notFoundPage(url: string): string
}

/** Links of a document lead to pages and pictures of the manual. Others to files of the program lead nowhere. */
function createLinkResolver(library: ManualLibrary, page: ManualPage): ManualLinkResolver {
  return (href) => {
    if (WEB_LINK.test(href) || href.startsWith('#')) return href
    const [path = '', anchor] = href.split('#', 2)
    const linkedPage = findLinkedManualPage(library, page.source, path)
    const url = linkedPage?.url ?? library.pictures.get(posix.join(posix.dirname(page.source), path))
    if (url === undefined) return undefined
    return toRelativePageUrl(page.url, url) + (anchor === undefined ? '' : `#${anchor}`)
  }
}

async function renderPage(frame: ManualFrame, page: ManualPage): Promise<Buffer> {
  const text = await readFile(join(frame.library.root, page.source), 'utf8')
  const article = renderManualArticle(text, createLinkResolver(frame.library, page))
  return Buffer.from(renderManualPage(frame, page, article))
}

/** The producer of each file, by the path of the file. */
function listProducers(frame: ManualFrame): Map<string, () => Promise<Buffer>> {
  const { root, pagesBySource, pictures } = frame.library
  const readSearchIndex = loadOnce(async () => Buffer.from(await buildManualSearchIndex(frame.library)))
  return new Map<string, () => Promise<Buffer>>([
    ...[...pagesBySource.values()].map((page) => [page.url, () => renderPage(frame, page)] as const),
    ...[...pictures].map(([source, url]) => [url, () => readFile(join(root, source))] as const),
    ...ASSET_NAMES.map((name) => [`assets/${name}`, () => readFile(join(ASSETS_FOLDER, name))] as const),
    ['assets/minisearch.js', () => readFile(fileURLToPath(import.meta.resolve('minisearch')))],
    ['search.json', readSearchIndex],
  ])
}

/** Opens the manual of the program. Rejects with ENOENT where docs/ is not installed. */
export async function openManualPages({
  serviceLinks = [],
}: Partial<Pick<ManualFrame, 'serviceLinks'>> = {}): Promise<ManualPages> {
  const frame: ManualFrame = { library: await readManualLibrary(), serviceLinks }
  const producers = listProducers(frame)
  return {
    has: (name) => producers.has(name),
    list: () => [...producers.keys()],
    async read(name) {
      const produce = producers.get(name)
      const type = MEDIA_TYPES[extname(name)]
      return produce && type !== undefined ? { type, content: await produce() } : undefined
    },
    notFoundPage: (url) => renderManualNotFoundPage(frame, url),
  }
}
