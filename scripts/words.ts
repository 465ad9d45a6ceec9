// `npm run words`: finds words that docs/words.txt lists in documents, texts of the console, problems, help and log lines.
import { globSync, readFileSync } from 'node:fs'

/** Documents, without records of decisions, and the page of contributors, who read code. */
const DOCUMENTS = ['*.md', 'docs/**/*.md', 'clients/*/README.md', '.github/**/*.md']
const SCREENS = ['console/**/en.ts']
const SOURCES = ['src/**/*.ts']
const LEFT_OUT = /^docs\/decisions\/|\.test\.ts$|^src\/features\/segments\/search-words\/|\/generated\//

interface WordRule {
  pattern: RegExp
  advice: string
}

interface Sentence {
  file: string
  line: number
  text: string
}

function readRules(): WordRule[] {
  const lines = readFileSync('docs/words.txt', 'utf8').split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [pattern = '', advice = ''] = line.split('\t')
      return { pattern: new RegExp(pattern, 'i'), advice }
    })
}

const listFiles = (patterns: readonly string[]): string[] =>
  globSync(patterns)
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !LEFT_OUT.test(file) && !file.includes('node_modules/'))
    .sort()

/** The lines of a document outside code. */
function readDocument(file: string): Sentence[] {
  let isCode = false
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.startsWith('```')) isCode = !isCode
      const text = line.replaceAll(/`[^`]*`/g, '').replaceAll(/\]\([^)]*\)/g, ']')
      return isCode ? [] : [{ file, line: index + 1, text }]
    })
}

/** A text in quotes, where it ends, or undefined where it ends in another line. */
function readQuoted(line: string, start: number): { text: string; end: number } | undefined {
  const quote = line[start]!
  let text = ''
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === quote) return { text, end: at }
    if (line[at] === '\\') at++
    text += line[at] ?? ''
  }
  return quote === '`' ? { text, end: line.length } : undefined
}

/** The texts of a line of code that are sentences: several words. */
function listTexts(line: string): string[] {
  const texts: string[] = []
  for (let at = 0; at < line.length; at++) {
    if (line.startsWith('//', at) && line[at - 1] !== ':') break
    if (!'\'"`'.includes(line[at]!)) continue
    const quoted = readQuoted(line, at)
    if (!quoted) continue
    if (/^\W{0,3}\p{L}[\p{L},'’-]* \p{L}/u.test(quoted.text)) texts.push(quoted.text)
    at = quoted.end
  }
  return texts
}

/** The sentences in the code of a file, without comments and SQL. */
function readSource(file: string): Sentence[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (/^\s*(?:\/?\*|import\b|export .* from )/.test(line) || line.includes('sql`')) return []
      return listTexts(line).map((text) => ({ file, line: index + 1, text: text.replaceAll(/`[^`]*`/g, '') }))
    })
}

const rules = readRules()
const sentences = [
  ...listFiles(DOCUMENTS).flatMap(readDocument),
  ...listFiles([...SCREENS, ...SOURCES]).flatMap(readSource),
]
const faults = sentences.flatMap(({ file, line, text }) =>
  rules.flatMap(({ pattern, advice }) => {
    const word = pattern.exec(text)?.[0]
    return word === undefined ? [] : [`${file}:${line} "${word.trim()}": ${advice}`]
  }),
)
for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.length > 0) process.exitCode = 1
