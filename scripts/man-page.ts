import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { renderManPage } from '../src/cli/man-page.ts'
import { commandTable } from '../src/cli/table.ts'
import { listSettings } from '../src/settings.ts'

/** Writes the manual page; with --check exits 1 when it differs. */
const FILE = 'docs/stentor.1'

const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
const page = renderManPage(commandTable, listSettings())
if (!values.check) writeFileSync(FILE, page)
else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== page) {
  process.stderr.write(`${FILE} does not match src/cli/table.ts and src/settings.ts: run "npm run man"\n`)
  process.exitCode = 1
}
