import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILDS } from './hash.js'

/** What the first load of the console may weigh: script in brotli, level 11. */
export const MOST_BYTES = 200 * 1024

interface Chunk {
  file: string
  name?: string
  imports?: string[]
  dynamicImports?: string[]
}

/** What is loaded before the first screen shows: the page's script, the console of an account, and its home. */
const FIRST = ['index.html', 'app.tsx', 'screens/home/HomePage.tsx']

async function readBuild(): Promise<{ folder: string; chunks: Record<string, Chunk> }> {
  const builds = fileURLToPath(new URL(`../../${BUILDS}`, import.meta.url))
  const folder = join(builds, (await readFile(join(builds, 'current'), 'utf8')).trim())
  return { folder, chunks: JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) }
}

/** The files of script that the first load takes, with their bytes in brotli. */
export async function firstLoad(): Promise<Map<string, number>> {
  const { folder, chunks } = await readBuild()
  const files = new Map<string, number>()
  const add = async (key: string): Promise<void> => {
    const chunk = chunks[key]
    if (!chunk) throw new Error(`the build has no ${key}`)
    if (files.has(chunk.file)) return
    files.set(chunk.file, (await stat(join(folder, `${chunk.file}.br`))).size)
    for (const other of chunk.imports ?? []) await add(other)
  }
  for (const key of FIRST) await add(key)
  return files
}

if (import.meta.main) {
  const files = [...(await firstLoad())].sort(([, a], [, b]) => b - a)
  for (const [file, bytes] of files) process.stdout.write(`${String(bytes).padStart(8)}  ${file}\n`)
  const total = files.reduce((sum, [, bytes]) => sum + bytes, 0)
  process.stdout.write(`${String(total).padStart(8)}  of at most ${MOST_BYTES}\n`)
  if (total > MOST_BYTES) process.exitCode = 1
}
