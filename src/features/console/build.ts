import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContentEncoding } from '../../lib/net/content-encoding.ts'

/** The folder in which scripts/setup.js stores builds of the console. */
export const CONSOLE_BUILDS_DIR = fileURLToPath(new URL('../../../node_modules/.stentor-console', import.meta.url))

const MEDIA_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
}

/** Encodings that files may also be stored in, best first, with the suffixes of their names. */
const ENCODING_SUFFIXES = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** One file of a build: its media type, and the encodings it is also stored in. */
interface ConsoleAsset {
  type: string
  encodings: readonly ContentEncoding[]
}

/** A build of the console: the page, in which `{{nonce}}` stands for that of the request, and its files by name. */
export interface ConsoleBuild {
  hash: string
  page: string
  asset(name: string): ConsoleAsset | undefined
  /** The octets of a file of this build. */
  read(name: string, encoding: ContentEncoding | undefined): Promise<Buffer>
}

/** Loads the build that `current` names. `undefined` if there is none. */
export async function loadConsoleBuild(builds: string): Promise<ConsoleBuild | undefined> {
  try {
    const buildHash = (await readFile(join(builds, 'current'), 'utf8')).trim()
    const buildFolder = join(builds, buildHash)
    const page = await readFile(join(buildFolder, 'index.html'), 'utf8')
    const assetFiles = new Set(await readdir(join(buildFolder, 'assets')))
    const assets = new Map<string, ConsoleAsset>()
    for (const name of assetFiles) {
      const type = MEDIA_TYPES[extname(name)]
      if (type === undefined) continue
      const encodings = ENCODING_SUFFIXES.filter(([, ending]) => assetFiles.has(name + ending)).map(
        ([encoding]) => encoding,
      )
      assets.set(name, { type, encodings })
    }
    const suffixes = new Map<string | undefined, string>(ENCODING_SUFFIXES)
    return {
      hash: buildHash,
      page,
      asset: (name) => assets.get(name),
      read: (name, encoding) => readFile(join(buildFolder, 'assets', name + (suffixes.get(encoding) ?? ''))),
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
