import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where scripts/setup.js leaves builds of the console. */
export const CONSOLE_BUILDS_DIR = fileURLToPath(new URL('../../../node_modules/.stentor-console', import.meta.url))

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
}

/** Encodings that files may be beside in, best first, with what ends their names. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

export type ContentEncoding = (typeof ENCODINGS)[number][0]

/** One file of a build: its media type, and the encodings that it is there in beside itself. */
interface Asset {
  type: string
  encodings: readonly ContentEncoding[]
}

/** A build of the console: the page, in which `{{nonce}}` stands for that of the request, and its files by name. */
export interface ConsoleBuild {
  hash: string
  page: string
  asset(name: string): Asset | undefined
  /** The octets of a file of this build. */
  read(name: string, encoding: ContentEncoding | undefined): Promise<Buffer>
}

/** The build that `current` names; undefined where there is none. */
export async function loadConsoleBuild(builds: string): Promise<ConsoleBuild | undefined> {
  try {
    const hash = (await readFile(join(builds, 'current'), 'utf8')).trim()
    const folder = join(builds, hash)
    const page = await readFile(join(folder, 'index.html'), 'utf8')
    const files = new Set(await readdir(join(folder, 'assets')))
    const assets = new Map<string, Asset>()
    for (const name of files) {
      const type = TYPES[extname(name)]
      if (type === undefined) continue
      const encodings = ENCODINGS.filter(([, ending]) => files.has(name + ending)).map(([encoding]) => encoding)
      assets.set(name, { type, encodings })
    }
    const endings = new Map<string | undefined, string>(ENCODINGS)
    return {
      hash,
      page,
      asset: (name) => assets.get(name),
      read: (name, encoding) => readFile(join(folder, 'assets', name + (endings.get(encoding) ?? ''))),
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The best encoding that a client takes of those that are there (RFC 9110, 12.5.3); undefined: the file as it is. */
export function chooseContentEncoding(
  accepted: string | undefined,
  there: readonly ContentEncoding[],
): ContentEncoding | undefined {
  const weights = new Map(
    (accepted ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
      const weight = parameters.find((word) => word.startsWith('q='))?.slice(2)
      return [name, weight === undefined ? 1 : Number(weight)] as const
    }),
  )
  return there.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0)
}
