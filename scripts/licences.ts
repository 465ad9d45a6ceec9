import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type ListedPackage, listPackages } from './licences/packages.ts'
import { EXPLAINED, type Licensed, licensed, MIT_TEXT } from './licences/texts.ts'

/** Writes the notices of third parties; with --check exits 1 when they differ. Throws for a package without a clear licence. */
const FILE = 'THIRD-PARTY-NOTICES'

const HEAD = `Stentor is licensed under the Apache License, Version 2.0: see LICENSE. To run, it installs the packages below, or has them in the
bundle of its console. Each has its own licence, whose text follows the list. This file is written by "npm run licences".`

const RULE = '='.repeat(80)
const titleOf = ({ name, version }: ListedPackage): string => `${name} ${version}`
/** The same words, however they are broken into lines. */
const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

type Noted = ListedPackage & { licence: Licensed }

function line(one: Noted): string {
  const why = EXPLAINED[one.name]?.[1]
  return `${titleOf(one)}: ${one.licence.license}${why === undefined ? '' : ` (${why})`}`
}

function group(packages: readonly Noted[]): string {
  const [first] = packages
  const holders = packages.map((one) =>
    [titleOf(one), ...one.licence.holders.map((holder) => `  ${holder}`)].join('\n'),
  )
  return [RULE, holders.join('\n'), '', first!.licence.text].join('\n')
}

/** The generated part of the client, which the console bundles, holds code of its generator; that package is not installed to run. */
function listCopiedCode(): Noted[] {
  const { dependencies } = JSON.parse(readFileSync('scripts/generate/package.json', 'utf8'))
  const name = '@hey-api/openapi-ts'
  const licence = { license: 'MIT', holders: ['Copyright (c) Hey API'], text: `MIT License\n\n${MIT_TEXT}`, notice: '' }
  return [{ path: '', name, version: dependencies[name], license: 'MIT', isOfOneSystem: false, licence }]
}

const packages: Noted[] = [
  ...listPackages().map((one) => ({ ...one, licence: licensed(one) })),
  ...listCopiedCode(),
].sort((a, b) => (a.name < b.name ? -1 : 1))
const withText = packages.filter(({ licence }) => licence.text !== '')
const groups = [...Map.groupBy(withText, ({ licence }) => wordsOf(licence.text)).values()]
const notices = packages.filter(({ licence }) => licence.notice !== '')
const page = [
  HEAD,
  packages.map(line).join('\n'),
  ...groups.map(group),
  ...notices.map((one) => [RULE, `Notice of ${titleOf(one)}`, '', one.licence.notice].join('\n')),
  '',
].join('\n\n')

if (!parseArgs({ options: { check: { type: 'boolean' } } }).values.check) writeFileSync(FILE, page)
else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== page) {
  process.stderr.write(`${FILE} does not match package-lock.json: run "npm run licences"\n`)
  process.exitCode = 1
}
