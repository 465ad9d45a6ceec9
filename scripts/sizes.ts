import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** A source file over this many lines needs a reason: it stands here. */
const REASON_NEEDED = 450
const reasons: Record<string, string> = {}

const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
const sizes = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('database/tables.ts'))
  .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
  .sort((a, b) => b.lines - a.lines)
const tooLong = sizes.filter(({ file, lines }) => lines > REASON_NEEDED && !(file in reasons))

if (!values.check) {
  const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0
  process.stdout.write(
    `${sizes.length} files, ${sizes.reduce((sum, { lines }) => sum + lines, 0)} lines, median ${median}\n`,
  )
  for (const { file, lines } of sizes.slice(0, 12)) process.stdout.write(`${String(lines).padStart(5)}  ${file}\n`)
}
for (const { file, lines } of tooLong) {
  process.stderr.write(`${file} has ${lines} lines: over ${REASON_NEEDED} a file needs a reason in scripts/sizes.ts\n`)
  process.exitCode = 1
}
