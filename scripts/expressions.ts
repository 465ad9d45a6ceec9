// `npm run expressions`: judges each regular expression of src and console that is not judged yet, so that none takes longer than in proportion
// to the length of its text (decision 122). Those found linear are kept in scripts/expressions.json, by a hash of the expression; `--check`
// only compares.

import { hash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { getCallSites, parseArgs } from 'node:util'
import { parseSync } from '@swc/core'

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

const JUDGED = 'scripts/expressions.json'
const FILES = ['src/**/*.ts', 'console/**/*.{ts,tsx}']
const RECHECK_MS = 60_000
/** A text of 100 KB takes at most `LIMIT_MS` milliseconds, and at most `GROWTH` times as long as one of 50 KB. */
const [LIMIT_MS, GROWTH] = [100, 2.5]
const LENGTHS = [64, 256, 1024, 4096, 16_384, 51_200, 102_400]

/** Places that make an expression of something when they are called, each with the reason why it takes no longer than in proportion. */
const reasons: Record<string, string> = {
  'src/features/audit/literals.ts': 'names of fields, escaped, after two letters at most',
  'src/features/contacts/values/phone-plan.ts': 'patterns of libphonenumber-js, on a number of at most 40 characters',
  'src/features/events/robots/robots.ts': 'parts of user agents, escaped',
}

/** Patterns that a linear engine runs: src/lib/text/linear-pattern.ts. */
const OF_LINEAR_ENGINE = ['src/gateways/smtp-direct/destination-table.ts']

/**
 * Where a slash may begin an expression: the format of the sources never has it directly after a word, a bracket that closes, or a quote. Files
 * without one are not parsed, which takes most of the time.
 */
const MAY_BEGIN = /(?<![\w'".)\]}`$/*<])\/(?![/*>])/

// biome-ignore lint/suspicious/noExplicitAny: any node of a syntax tree.
type Node = any

/** Reads the expressions that a file contains, also in its schemas, and the lines on which it makes others. */
function readFile(file: string): { expressions: Expression[]; sites: { file: string; line: number }[] } {
  const text = readFileSync(file, 'utf8')
  const [expressions, sites]: [Expression[], { file: string; line: number }[]] = [[], []]
  if (!MAY_BEGIN.test(text) && !/RegExp\(|\bpattern\b/.test(text)) return { expressions, sites }
  // Spans count octets from a start that is known by the first token alone.
  const octets = Buffer.from(`;${text}`)
  const tree: Node = parseSync(octets.toString(), {
    syntax: 'typescript',
    tsx: file.endsWith('.tsx'),
    target: 'esnext',
  })
  const lineOf = ({ span }: Node): number =>
    octets
      .subarray(0, span.start - tree.span.start)
      .toString()
      .split('\n').length
  const visit = (node: Node): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, callee, key, value } = node
    if (type === 'RegExpLiteral')
      expressions.push({ file, line: lineOf(node), source: node.pattern, flags: node.flags })
    if (/^(?:New|Call)Expression$/.test(type) && callee.value === 'RegExp') sites.push({ file, line: lineOf(node) })
    if (type === 'KeyValueProperty' && key.value === 'pattern' && value.type === 'StringLiteral')
      expressions.push({ file, line: lineOf(value), source: value.value, flags: 'u' })
    for (const child of Object.values(node)) visit(child)
  }
  visit(tree)
  return { expressions, sites }
}

/** Loads files, and returns the expressions that they make of other texts meanwhile. */
async function loadMadeExpressions(files: readonly string[]): Promise<Expression[]> {
  const expressions: Expression[] = []
  const Native = RegExp
  globalThis.RegExp = class extends Native {
    constructor(pattern: RegExp | string, flags?: string) {
      super(pattern, flags)
      const { scriptName = '', lineNumber = 0 } = getCallSites(2)[1] ?? {}
      const file = relative(process.cwd(), scriptName.startsWith('file:') ? fileURLToPath(scriptName) : scriptName)
      if (files.includes(file)) expressions.push({ file, line: lineNumber, source: this.source, flags: this.flags })
    }
  } as RegExpConstructor
  for (const file of files) await import(pathToFileURL(file).href)
  globalThis.RegExp = Native
  return expressions
}

/** The expressions of what callers send, as the description of the interface has them. */
function servedPatterns(): Expression[] {
  const expressions: Expression[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, child] of Object.entries(value)) {
      if (name === 'pattern' && typeof child === 'string')
        expressions.push({ file: 'openapi.json', line: 0, source: child, flags: 'u' })
      else visit(child)
    }
  }
  visit(JSON.parse(readFileSync('openapi.json', 'utf8')))
  return expressions
}

const keyOf = ({ source, flags }: Expression): string => hash('sha256', `${source}/${flags}`, 'base64url').slice(0, 12)

/** The alternatives of an expression: they are tried one after another, so that its time is at most the sum of theirs, and each is judged once. */
function alternativesOf(expression: Expression): Expression[] {
  if (/\\[1-9k]/.test(expression.source)) return [expression]
  const alternatives = ['']
  let [depth, isClass] = [0, false]
  for (const [token] of expression.source.matchAll(/\\.|./gs)) {
    if (token === '[') isClass = true
    else if (token === ']') isClass = false
    else if (!isClass && token === '(') depth++
    else if (!isClass && token === ')') depth--
    if (token === '|' && depth === 0 && !isClass) alternatives.push('')
    else alternatives.push(alternatives.pop() + token)
  }
  return alternatives.map((source) => ({ ...expression, source }))
}

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
  let before = 1
  for (const length of LENGTHS) {
    const ms = searchMs(expression, attackOf(attack, length))
    // A short text first, so that a steep one ends soon.
    if (ms > LIMIT_MS || (length === LENGTHS.at(-1) && ms > GROWTH * before)) return false
    before = Math.max(1, ms)
  }
  return true
}

/** The reason why an expression is not linear; undefined when it is. */
function faultOf({ checkSync }: typeof import('recheck'), expression: Expression): string | undefined {
  const { source, flags } = expression
  const verdict = checkSync(source, flags.replace('v', 'u'), { timeout: RECHECK_MS })
  if (verdict.status === 'safe') return undefined
  if (verdict.status === 'unknown') return `could not be judged: ${verdict.error.kind}`
  const { complexity, attack } = verdict
  const isMeasured = complexity.type !== 'exponential' && isLinear(expression, attack)
  return isMeasured ? undefined : `${complexity.summary}: ${attack.pattern}`
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const files = FILES.flatMap((pattern) => globSync(pattern))
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file) && !OF_LINEAR_ENGINE.includes(file))
const read = files.map(readFile)
const sites = read.flatMap((file) => file.sites)
const madeExpressions = await loadMadeExpressions([...new Set(sites.map(({ file }) => file))])
const expressions = [...read.flatMap((file) => file.expressions), ...madeExpressions, ...servedPatterns()]
const place = ({ file, line }: { file: string; line: number }): string => `${file}:${line}`
const complain = (fault: string): void => {
  process.stderr.write(`${fault}\n`)
  process.exitCode = 1
}

const sitesAtLoad = new Set(madeExpressions.map(place))
for (const site of sites)
  if (!sitesAtLoad.has(place(site)) && !(site.file in reasons))
    complain(
      `${place(site)} creates a regular expression in a function: create it when the file is loaded, or use linearPattern`,
    )

const linearKeys = new Set<string>(JSON.parse(readFileSync(JUDGED, 'utf8')))
const isJudged = (expression: Expression): boolean =>
  linearKeys.has(keyOf(expression)) ||
  alternativesOf(expression).every((alternative) => linearKeys.has(keyOf(alternative)))
const unjudged = expressions.filter((expression) => !isJudged(expression))
const describe = (expression: Expression): string =>
  `${place(expression)} /${expression.source.slice(0, 100)}/${expression.flags}`

/** Judges an expression by its alternatives, and as a whole when one of them alone is not linear. */
function judge(recheck: typeof import('recheck'), expression: Expression): void {
  const faultIn = (part: Expression): string | undefined => {
    const fault = linearKeys.has(keyOf(part)) ? undefined : faultOf(recheck, part)
    if (fault === undefined) linearKeys.add(keyOf(part))
    return fault
  }
  const faults = alternativesOf(expression).flatMap((alternative) => faultIn(alternative) ?? [])
  if (faults.length > 0 && faultIn(expression) !== undefined)
    complain(`${describe(expression)}\n  ${faults.join('\n  ')}`)
}

if (values.check)
  for (const expression of unjudged) complain(`${describe(expression)} has not been checked: run "npm run expressions"`)
else {
  const recheck = await import('recheck')
  const present = new Set(expressions.flatMap((expression) => [expression, ...alternativesOf(expression)]).map(keyOf))
  // After each expression, so that an interrupted run keeps its results.
  const save = (): void =>
    writeFileSync(JUDGED, `${JSON.stringify([...linearKeys.intersection(present)].sort(), undefined, 2)}\n`)
  save()
  for (const expression of unjudged) {
    judge(recheck, expression)
    save()
  }
}
