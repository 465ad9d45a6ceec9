// `npm run expressions`: judges each regular expression of src and console, so that none takes longer than in proportion to the length of its
// text. Verdicts are kept in scripts/expressions.json by a hash of the expression; `--check` only compares, and judges nothing.

import { hash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getCallSites, parseArgs } from 'node:util'
import { checkSync } from 'recheck'
import { parseAst } from 'rolldown/parseAst'

interface Expression {
  file: string
  line: number
  source: string
  flags: string
}

/** The attack that recheck found: its pieces, each repeated, and what follows them. */
interface Attack {
  pumps: readonly { prefix: string; pump: string }[]
  suffix: string
}

const VERDICTS = 'scripts/expressions.json'
const FILES = ['src/**/*.ts', 'console/**/*.{ts,tsx}']
const RECHECK_MS = 20_000
const [KB, LIMIT_MS, GROWTH] = [1024, 50, 2.5]

/** The expressions that a file writes as literals. */
function expressionsIn(file: string): Expression[] {
  const text = readFileSync(file, 'utf8')
  const found: Expression[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex, start } = node as { type?: string; regex?: { pattern: string; flags: string }; start?: number }
    if (type === 'Literal' && regex) {
      const line = text.slice(0, start).split('\n').length
      found.push({ file, line, source: regex.pattern, flags: regex.flags })
    } else for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

/** The expressions that files make of other texts when they are loaded; those made of what customers write are judged when that is saved. */
async function constructedIn(files: readonly string[]): Promise<Expression[]> {
  const found: Expression[] = []
  const Native = RegExp
  globalThis.RegExp = class extends Native {
    constructor(pattern: RegExp | string, flags?: string) {
      super(pattern, flags)
      const { scriptName = '', lineNumber = 0 } = getCallSites(2)[1] ?? {}
      const file = relative(process.cwd(), scriptName.replace('file://', ''))
      if (files.includes(file)) found.push({ file, line: lineNumber, source: this.source, flags: this.flags })
    }
  } as RegExpConstructor
  const constructing = files.filter(
    (file) => file.endsWith('.ts') && readFileSync(file, 'utf8').includes('new RegExp('),
  )
  for (const file of constructing) await import(pathToFileURL(file).href)
  globalThis.RegExp = Native
  return found
}

const keyOf = ({ source, flags }: Expression): string => hash('sha256', `${source}/${flags}`, 'base64url').slice(0, 12)

/** Processor time of searching all of a text, in milliseconds. */
function searchMs({ source, flags }: Expression, text: string): number {
  const expression = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
  const before = process.cpuUsage()
  text.replace(expression, '')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function attackOf({ pumps, suffix }: Attack, length: number): string {
  const each = pumps.reduce((sum, { pump }) => sum + pump.length, 0)
  const times = Math.max(1, Math.floor(length / Math.max(1, each)))
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix
}

/** An expression whose repetitions are bounded is found vulnerable by its steps, though its time grows with the length alone: it is measured. */
function isLinear(expression: Expression, attack: Attack): boolean {
  const [short, long] = [50, 100].map((kb) => searchMs(expression, attackOf(attack, kb * KB))) as [number, number]
  return long <= LIMIT_MS && long <= GROWTH * Math.max(short, 1)
}

/** Undefined when an expression is safe, otherwise why not. */
function judge(expression: Expression): string | undefined {
  const { source, flags } = expression
  const found = checkSync(source, flags.replace('v', 'u'), { timeout: RECHECK_MS })
  if (found.status === 'safe') return undefined
  if (found.status === 'unknown') return `could not be judged: ${found.error.kind}`
  return isLinear(expression, found.attack) ? undefined : `${found.complexity.summary}: ${found.attack.pattern}`
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const files = FILES.flatMap((pattern) => globSync(pattern)).filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
const expressions = [...files.flatMap(expressionsIn), ...(await constructedIn(files))]
const safe = new Set<string>(JSON.parse(readFileSync(VERDICTS, 'utf8')))
const unknown = expressions.filter((expression) => !safe.has(keyOf(expression)))
const place = ({ file, line, source, flags }: Expression): string => `${file}:${line} /${source.slice(0, 100)}/${flags}`
if (values.check) {
  for (const expression of unknown) console.error(`${place(expression)} is not judged: run npm run expressions`)
  if (unknown.length > 0) process.exitCode = 1
} else {
  for (const expression of unknown) {
    const fault = judge(expression)
    if (fault === undefined) safe.add(keyOf(expression))
    else {
      console.error(`${place(expression)}\n  ${fault}`)
      process.exitCode = 1
    }
  }
  const present = new Set(expressions.map(keyOf))
  writeFileSync(VERDICTS, `${JSON.stringify([...safe].filter((key) => present.has(key)).sort(), undefined, 2)}\n`)
}
