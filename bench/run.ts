import { existsSync, readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findNearestWord } from '../src/lib/text/nearest.ts'

/** What a benchmark gives: named figures, those that belong together under one name. */
export interface Figures {
  [name: string]: number | Figures
}

/**
 * One benchmark: measures, and compares with its baseline in the same run. Gives its figures, ready to print.
 * `size`: how much of it, where it has a size; its own default otherwise.
 */
export type Benchmark = (report: (line: string) => void, size: number | undefined) => Promise<Figures>

const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''))

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean' }, size: { type: 'string' } },
  allowPositionals: true,
})
const [name = ''] = positionals
const file = new URL(`${name}.bench.ts`, import.meta.url)

if (!existsSync(file)) {
  process.stderr.write(
    `There is no benchmark "${name}". Did you mean "${findNearestWord(name, known)}"? The benchmarks are ${known.join(', ')}.\n`,
  )
  process.exit(2)
}
const { benchmark } = (await import(file.href)) as { benchmark: Benchmark }
const figures = await benchmark(
  (line) => process.stderr.write(`${line}\n`),
  values.size ? Number(values.size) : undefined,
)

/** Figures as lines; those under one name are called by both. */
function print(list: Figures, before = ''): void {
  for (const [figure, value] of Object.entries(list)) {
    if (typeof value === 'number') process.stdout.write(`${(before + figure).padEnd(40)} ${value}\n`)
    else print(value, `${before}${figure}.`)
  }
}

if (values.json) process.stdout.write(`${JSON.stringify({ benchmark: name, ...figures })}\n`)
else print(figures)
