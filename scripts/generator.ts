import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Where generators and checks are that need an older TypeScript than the project's, or none of its packages. */
export const GENERATOR = 'scripts/generate'
const STAMP = `${GENERATOR}/node_modules/.stentor-generate`

/** Installs what is in `scripts/generate/` by its own lock file, when it is not there yet. */
export function installGenerator(): void {
  const hash = createHash('sha256')
    .update(readFileSync(`${GENERATOR}/package-lock.json`))
    .digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: GENERATOR,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`installing the generator in ${GENERATOR} failed`)
  writeFileSync(STAMP, hash)
}
