import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { GENERATOR, installGenerator } from '../generator.ts'

/** Writes the types of the console's client from openapi.json; with --check exits 1 when the file differs. */
const FILE = 'console/api/operations.d.ts'

function generate(): string {
  const { status, stdout } = spawnSync(process.execPath, [`${GENERATOR}/console-types.mjs`], {
    input: readFileSync('openapi.json'),
    stdio: ['pipe', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error('the types of the console could not be made')
  return stdout
}

const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
installGenerator()
const types = generate()
if (!values.check) writeFileSync(FILE, types)
else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== types) {
  process.stderr.write(`${FILE} is not what openapi.json says: run npm run openapi\n`)
  process.exitCode = 1
}
