import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { loadOnce } from '../../lib/concurrency/load-once.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { type ContentEncoding, chooseContentEncoding } from '../../lib/net/content-encoding.ts'
import type { ManualServiceLink } from './manual-layout.ts'
import type { ManualFile, ManualPages } from './manual-pages.ts'

const publicRoute = { config: { public: true, etag: true }, schema: { hide: true } } as const

/** A page loads nothing but files of the manual. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const MANUAL_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  // The files of the next version have the same addresses.
  'cache-control': 'public, no-cache',
  vary: 'Accept-Encoding',
}

const MAX_CACHED_FILES = 100
/** Addresses below this depth do not exist, and their page would have to link to the root of the manual. */
const MAX_DEPTH = 16

const COMPRESSIBLE_TYPE = /^(?:text\/|application\/json|image\/svg)/
const ENCODINGS: readonly ContentEncoding[] = ['br', 'gzip']
const compressors: Record<ContentEncoding, (content: Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (content) => promisify(gzip)(content),
}

interface CachedManualFile extends ManualFile {
  encoding?: ContentEncoding | undefined
}

/** Reads files in the best encoding that a client accepts. The ones used last stay in memory. */
function createFileReader(): (
  pages: ManualPages,
  name: string,
  accepted: string | undefined,
) => Promise<CachedManualFile | undefined> {
  const cachedFiles = new LRUCache<string, CachedManualFile>({ max: MAX_CACHED_FILES })
  return async (pages, name, accepted) => {
    const encoding = chooseContentEncoding(accepted, ENCODINGS)
    const key = `${encoding ?? ''} ${name}`
    const cachedFile = cachedFiles.get(key)
    if (cachedFile) return cachedFile
    const file = await pages.read(name)
    if (!file) return undefined
    const isEncoded = encoding !== undefined && COMPRESSIBLE_TYPE.test(file.type)
    const encodedFile = isEncoded ? { ...file, encoding, content: await compressors[encoding](file.content) } : file
    cachedFiles.set(key, encodedFile)
    return encodedFile
  }
}

function listServiceLinks(hasConsole: boolean): ManualServiceLink[] {
  const reference = { label: 'API reference', path: 'docs' }
  return hasConsole ? [{ label: 'Console', path: 'console/' }, reference] : [reference]
}

/** Loads the manual with its libraries. */
async function openPages(hasConsole: boolean): Promise<ManualPages> {
  try {
    const { openManualPages } = await import('./manual-pages.ts')
    return await openManualPages({ serviceLinks: listServiceLinks(hasConsole) })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? new Problem(404, 'not-found', 'The manual is not installed: docs/ is missing.')
      : error
  }
}

/** The address, relative to the requested one, of a page that was requested without its ending; absent when there is none. */
function findRedirect(pages: ManualPages, name: string, lastSegment: string): string | undefined {
  if (pages.has(name === '' ? 'index.html' : `${name}/index.html`)) return `${lastSegment}/`
  return pages.has(`${name}.html`) ? `${lastSegment}.html` : undefined
}

/** The manual: the documents of the version that runs. It contains no secrets and needs no key. */
export function manualRoutes(app: HttpApp, { config }: ServiceContext): void {
  const loadPages = loadOnce(() => openPages(config.console))
  const readFile = createFileReader()
  const sendManualFile = async (request: FastifyRequest, reply: FastifyReply) => {
    const pages = await loadPages()
    const segments = (request.url.split('?', 1)[0] ?? '').split('/')
    const lastSegment = segments.at(-1) ?? ''
    const name = (request.params as { '*'?: string })['*'] ?? ''
    const isFolder = lastSegment === ''
    const redirect = isFolder ? undefined : findRedirect(pages, name, lastSegment)
    if (redirect !== undefined) return reply.redirect(redirect, 302)
    const folder = name === '' || name.endsWith('/') ? name : `${name}/`
    const file = await readFile(pages, isFolder ? `${folder}index.html` : name, request.headers['accept-encoding'])
    reply.headers(MANUAL_HEADERS)
    if (file) {
      if (file.encoding !== undefined) reply.header('content-encoding', file.encoding)
      return reply.type(file.type).send(file.content)
    }
    // An empty segment, "manual" and the last segment are no folders of the manual.
    const depth = Math.min(segments.length - 3, MAX_DEPTH)
    const page = pages.notFoundPage(`${'folder/'.repeat(depth)}404.html`)
    return reply.code(404).type('text/html; charset=utf-8').send(page)
  }
  app.get('/manual', publicRoute, sendManualFile)
  app.get('/manual/*', publicRoute, sendManualFile)
}
