import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type OpenApiDocument, omitWebhooks } from '../src/http/openapi/document.ts'
import { GENERATOR, installGenerator } from './generator.ts'

/** Writes the generated part of the client library from openapi.json; with --check exits 1 when it differs. */
const FOLDER = 'clients/typescript/src/generated'

function generate(folder: string): void {
  const { status, stdout } = spawnSync(process.execPath, [`${GENERATOR}/client.mjs`, folder], {
    input: JSON.stringify(omitWebhooks(JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument)),
    stdio: ['pipe', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`generating the client failed: ${stdout}`)
}

/** The files of a folder, each with its text. */
function textsOf(folder: string): Map<string, string> {
  const files = globSync('**/*.ts', { cwd: folder }).sort()
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

function isSame(made: Map<string, string>, kept: Map<string, string>): boolean {
  return made.size === kept.size && [...made].every(([file, text]) => kept.get(file) === text)
}

const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
installGenerator()
const made = mkdtempSync(join(tmpdir(), 'stentor-client-'))
try {
  generate(made)
  if (!values.check) {
    rmSync(FOLDER, { recursive: true, force: true })
    cpSync(made, FOLDER, { recursive: true })
  } else if (!existsSync(FOLDER) || !isSame(textsOf(made), textsOf(FOLDER))) {
    process.stderr.write(`${FOLDER} does not match openapi.json: run "npm run openapi"\n`)
    process.exitCode = 1
  }
} finally {
  rmSync(made, { recursive: true, force: true })
}
