// `npm run release -- 0.2.0 [--dry-run]`: makes the tag, notes, archives and image of a release in build/release/, and publishes nothing.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const ENGINES = ['docker', 'podman']

const { version: declaredVersion } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

/** A reason for which nothing is released, without a stack. */
class ReleaseRefusal extends Error {}

const run = (cwd: string, program: string, ...words: string[]): string =>
  execFileSync(program, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

/** The section of the changelog for a version, without its heading. Throws ReleaseRefusal if it is missing or released. */
function readNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.startsWith(`${version} (`))
  if (!section) throw new ReleaseRefusal(`CHANGELOG.md has no section "## ${version} (unreleased)".`)
  if (!section.startsWith(`${version} (unreleased)\n`)) throw new ReleaseRefusal(`${version} is released already.`)
  return section.slice(section.indexOf('\n')).trim()
}

/** Throws ReleaseRefusal unless what is committed is this version and can be released. */
function assertReleasable(version: string): string {
  if (run('.', 'git', 'status', '--porcelain') !== '')
    throw new ReleaseRefusal('There are changes that are not committed.')
  if (version !== declaredVersion)
    throw new ReleaseRefusal(`package.json has version ${declaredVersion}, not ${version}.`)
  if (run('.', 'git', 'tag', '--list', `v${version}`) !== '') throw new ReleaseRefusal(`The tag v${version} exists.`)
  return readNotes(readFileSync('CHANGELOG.md', 'utf8'), version)
}

/** A clone with the release as its last commit, and its tag. */
function tagRelease(folder: string, version: string, notes: string): string {
  const checkout = join(folder, 'checkout')
  run('.', 'git', 'clone', '--quiet', '--no-local', '.', checkout)
  const changelog = join(checkout, 'CHANGELOG.md')
  const date = new Date().toISOString().slice(0, 10)
  const heading = `## ${version} (`
  writeFileSync(
    changelog,
    readFileSync(changelog, 'utf8').replace(`${heading}unreleased)`, () => `${heading}${date})`),
  )
  for (const name of ['user.name', 'user.email']) {
    const { stdout } = spawnSync('git', ['config', name], { encoding: 'utf8' })
    if (stdout) run(checkout, 'git', 'config', name, stdout.trim())
  }
  run(checkout, 'git', 'commit', '--quiet', '--all', '--message', `Release ${version}`)
  run(checkout, 'git', 'tag', '--annotate', `v${version}`, '--message', `Stentor ${version}\n\n${notes}`)
  return checkout
}

/** The archives of the source and of the client libraries. */
function packArchives(folder: string, checkout: string, version: string): void {
  const archive = (file: string, prefix: string, path: string): string =>
    run(checkout, 'git', 'archive', `--prefix=${prefix}/`, `--output=${join(folder, file)}`, `v${version}${path}`)
  archive(`stentor-${version}.tar.gz`, `stentor-${version}`, '')
  archive(`stentor-client-python-${version}.tar.gz`, 'stentor-client', ':clients/python')
  archive(`stentor-client-php-${version}.zip`, 'stentor-client', ':clients/php')
  // Compiled with the TypeScript of this checkout.
  const client = join(folder, 'typescript')
  cpSync(join(checkout, 'clients/typescript'), client, { recursive: true })
  const path = `${resolve('node_modules/.bin')}:${process.env['PATH']}`
  execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', folder], {
    cwd: client,
    env: { ...process.env, PATH: path, npm_config_dry_run: 'false' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(client, { recursive: true })
}

/** Builds the image and saves it; returns false where no container engine is installed. */
function buildImage(folder: string, checkout: string, version: string): boolean {
  const engine = ENGINES.find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0)
  if (!engine) return false
  const tag = `stentor:${version}`
  run(checkout, engine, 'build', '--file', 'deploy/Containerfile', '--tag', tag, '.')
  run(checkout, engine, 'save', '--output', join(folder, `stentor-${version}-image.tar`), tag)
  return true
}

function writeChecksums(folder: string): void {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const lines = files.map(({ name }) => {
    const hash = createHash('sha256').update(readFileSync(join(folder, name)))
    return `${hash.digest('hex')}  ${name}\n`
  })
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

function release(version: string, isDryRun: boolean): void {
  const notes = assertReleasable(version)
  const folder = resolve('build/release', version)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const checkout = tagRelease(folder, version, notes)
  writeFileSync(join(folder, 'notes.md'), `${notes}\n`)
  packArchives(folder, checkout, version)
  if (!buildImage(folder, checkout, version))
    console.log(`No image: neither ${ENGINES.join(' nor ')} runs on this machine.`)
  writeChecksums(folder)
  if (isDryRun) console.log(`Dry run: ${folder} has what would be released, and nothing else has changed.`)
  else {
    run('.', 'git', 'fetch', '--quiet', checkout, `refs/tags/v${version}:refs/tags/v${version}`)
    run('.', 'git', 'merge', '--quiet', '--ff-only', `v${version}`)
    console.log(`v${version} is tagged here, and ${folder} has its files. To publish it, push the branch and the tag.`)
  }
  rmSync(checkout, { recursive: true })
}

const { values, positionals } = parseArgs({ options: { 'dry-run': { type: 'boolean' } }, allowPositionals: true })
// `npm run release --dry-run` gives the option to npm, which passes it on as a setting.
const isDryRun = values['dry-run'] || process.env['npm_config_dry_run'] === 'true'
const [version = declaredVersion] = positionals
try {
  release(version, isDryRun)
} catch (error) {
  if (!(error instanceof ReleaseRefusal)) throw error
  process.stderr.write(`Nothing is released. ${error.message}\n`)
  process.exitCode = 1
}
