import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { BUILDS, hashOfConsole } from './hash.js'

/**
 * Builds the console into node_modules/.stentor-console/{hash}/, with `.br` and `.gz` beside what shrinks, and names it in `current`.
 * It is written beside and renamed: of two builds at once one is kept. Run by scripts/setup.js.
 */
const root = join(import.meta.dirname, '../../')
const builds = join(root, BUILDS)
/** Builds that stay: one that still runs somewhere reads its files from disk. */
const KEPT = 3
const SHRINKS = /\.(js|css|svg|json|txt)$/

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await writeFile(`${file}.br`, await brotli(content, { params }))
  await writeFile(`${file}.gz`, await zip(content, { level: 9 }))
}

async function compressAll(folder: string): Promise<void> {
  const files = await readdir(join(folder, 'assets'))
  await Promise.all(files.filter((file) => SHRINKS.test(file)).map((file) => compress(join(folder, 'assets', file))))
}

/** Puts a finished build where it belongs; one that another process has put there meanwhile is as good. */
async function keep(made: string, hash: string): Promise<void> {
  try {
    await rename(made, join(builds, hash))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EPERM') throw error
    await rm(made, { recursive: true, force: true })
  }
  const note = join(builds, `current.${process.pid}`)
  await writeFile(note, hash)
  await rename(note, join(builds, 'current'))
}

/** Deletes all but the newest builds. */
async function tidy(hash: string): Promise<void> {
  const names = (await readdir(builds)).filter((name) => /^[0-9a-f]{16}$/.test(name) && name !== hash)
  const dated = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(builds, name))).mtimeMs })))
  const old = dated.sort((a, b) => b.at - a.at).slice(KEPT - 1)
  await Promise.all(old.map(({ name }) => rm(join(builds, name), { recursive: true, force: true })))
}

/** Vite reads `#` and `?` in the name of a folder as parts of an address: it is given a link without them. */
const link = /[#?]/.test(root) ? await mkdtemp(join(tmpdir(), 'stentor-console-')) : undefined
if (link !== undefined) await symlink(root, join(link, 'checkout'))

const hash = hashOfConsole(root)
await mkdir(builds, { recursive: true })
const made = await mkdtemp(join(builds, 'building-'))
// The service may run under another account than the one that built this.
await chmod(made, 0o755)
try {
  await build({
    configFile: join(root, 'console/vite.config.ts'),
    ...(link !== undefined && {
      root: join(link, 'checkout/console'),
      resolve: { preserveSymlinks: true },
    }),
    logLevel: 'warn',
    build: { outDir: made, emptyOutDir: true },
  })
  await compressAll(made)
  await keep(made, hash)
  await tidy(hash)
} catch (error) {
  await rm(made, { recursive: true, force: true })
  throw error
} finally {
  if (link !== undefined) await rm(link, { recursive: true, force: true })
}
