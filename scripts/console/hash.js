// Plain JavaScript: scripts/setup.js runs it with the machine's own Node.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where builds of the console are kept, one folder a hash, and `current`, a file that names the one to serve. */
export const BUILDS = join('node_modules', '.stentor-console')

/** What a build is made of, beside the libraries that the lock file names. */
const SOURCES = ['console', join('clients', 'typescript', 'src'), join('scripts', 'console')]
/** What it shares with the service. */
const SHARED = [join('src', 'lib', 'text', 'gsm.ts'), join('src', 'lib', 'text', 'sms.ts')]

function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(root, path) : [path]
    })
}

/** The hash of everything that the console is built from: 16 hex digits. */
export function hashOfConsole(root) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const file of [...SOURCES.flatMap((folder) => filesBelow(root, folder)), ...SHARED])
    hash.update(`\0${file.replaceAll('\\', '/')}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

/** Whether the build of this hash is there, and the one that is served. */
export function isCurrent(root, hash) {
  const current = join(root, BUILDS, 'current')
  return (
    existsSync(current) && readFileSync(current, 'utf8') === hash && existsSync(join(root, BUILDS, hash, 'index.html'))
  )
}
