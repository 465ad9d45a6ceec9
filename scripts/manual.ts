// `npm run docs [FOLDER]`: writes the manual, as the service serves it at /manual/, as static files: by default into build/manual.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { openManualPages } from '../src/features/manual/manual-pages.ts'

const DEFAULT_FOLDER = 'build/manual'

const { positionals } = parseArgs({ allowPositionals: true })
const folder = positionals[0] ?? DEFAULT_FOLDER
// Nothing is deleted from a folder of somebody's own.
if (positionals[0] === undefined) await rm(folder, { recursive: true, force: true })

const pages = await openManualPages()

async function write(name: string, content: string | Buffer): Promise<void> {
  const file = join(folder, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

const names = pages.list()
for (const name of names) {
  const file = await pages.read(name)
  if (file) await write(name, file.content)
}
await write('404.html', pages.notFoundPage('404.html'))
process.stdout.write(`${names.length + 1} files in ${folder}\n`)
