// `npm run check`: what finds most mistakes soonest. Its parts are independent of each other and run at once; what a part
// wrote is shown when it fails, and how long each took. `--no-tests` leaves the unit tests out, `--generated` adds the types of
// all projects and the files that are generated: `npm test` runs both so.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { installGenerator } from './generator.ts'

const { values } = parseArgs({
  options: { 'no-tests': { type: 'boolean', default: false }, generated: { type: 'boolean', default: false } },
})

/**
 * Unit tests that only calculate: in one process, since starting one for each file would take longer than the tests. Those of the sandbox
 * count threads and memory of a process of their own: `npm test` has them.
 */
const CALCULATING = [
  'src/{lib,http,channels,sending,features,service}/**/*.test.ts',
  'src/scripting/!(sandbox)/**/*.test.ts',
  'src/*.test.ts',
  'test/documents/contributing.test.ts',
]
/** Unit tests over sockets, which mostly wait: a process for each file. */
const OVER_SOCKETS = ['src/gateways/**/*.test.ts']

const TESTS = ['node', '--test', '--test-reporter=dot', '--test-timeout=600000']

const unitTests: Record<string, string[]> = {
  'tests over sockets': [...TESTS, '--test-concurrency=3', ...OVER_SOCKETS],
  tests: [...TESTS, '--test-isolation=none', ...CALCULATING],
}

const generated: Record<string, string[]> = {
  'types of the console': ['tsc', '-p', 'console', '--checkers', '1'],
  'types of the client': ['tsc', '-p', 'clients/typescript', '--noEmit'],
  'schema of the database': ['node', 'scripts/schema.ts', '--check'],
  'description of the interface': ['node', 'scripts/openapi.ts', '--check'],
  'rules of the description': ['node', 'scripts/openapi-lint.ts'],
  'table of settings': ['node', 'scripts/settings-table.ts', '--check'],
  'notices of third parties': ['node', 'scripts/licences.ts', '--check'],
  'manual page': ['node', 'scripts/man-page.ts', '--check'],
  'client library': ['node', 'scripts/client.ts', '--check'],
  'clients in other languages': ['node', 'scripts/thin-clients.ts', '--check'],
}

const parts: Record<string, string[]> = {
  types: ['tsc', '--checkers', '1'],
  ...(!values['no-tests'] && unitTests),
  words: ['node', 'scripts/words.ts'],
  'lint and format': ['biome', 'check', '.'],
  'import direction': ['depcruise', 'src', '--config', '.dependency-cruiser.cjs'],
  sizes: ['node', 'scripts/sizes.ts', '--check'],
  owners: ['node', 'scripts/owners.ts', '--check'],
  expressions: ['node', 'scripts/expressions.ts', '--check'],
  ...(values.generated && generated),
}

async function run(name: string, [program = '', ...args]: string[]): Promise<boolean> {
  const begun = performance.now()
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  if (code !== 0) process.stdout.write(`${out}${err}`)
  process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'} ${name} (${seconds} s)\n`)
  return code === 0
}

// Two parts use it, and would install it at once.
if (values.generated) installGenerator()

/** So many parts at once: more would only share two cores. */
const LANES = 4

const queue = Object.entries(parts)
let hasFailed = false
async function runLane(): Promise<void> {
  for (let part = queue.shift(); part; part = queue.shift()) if (!(await run(...part))) hasFailed = true
}
await Promise.all(Array.from({ length: LANES }, runLane))
process.exitCode = hasFailed ? 1 : 0
