import { execFile } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const ROOT = join(import.meta.dirname, '../..')
const CLIENT = join(ROOT, 'clients/typescript')

/** Packs the client as `npm pack` does, and unpacks it as a dependency of a program in `user`; gives its files and where it is. */
export async function installClient(directory: string): Promise<{ files: string[]; user: string; installed: string }> {
  // The folder is copied, so that what is built here is not left there.
  const source = join(directory, 'source')
  await mkdir(source)
  for (const file of ['src', 'package.json', 'tsconfig.json', 'README.md', 'LICENSE'])
    await cp(join(CLIENT, file), join(source, file), { recursive: true })
  const path = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}`
  const env = { ...process.env, PATH: path }
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', directory], { cwd: source, env })
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string; files: { path: string }[] }]
  const user = join(directory, 'user')
  const installed = join(user, 'node_modules/@stentor/client')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', join(directory, packed.filename), '--strip-components=1', '-C', installed])
  return { files: packed.files.map(({ path }) => path), user, installed }
}
