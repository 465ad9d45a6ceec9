// `npm run check`: what finds most mistakes soonest. Its parts are independent of each other and run at once; what a part
// wrote is shown when it fails, and how long each took.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/**
 * Unit tests that only calculate: in one process, since starting one for each file would take longer than the tests. Those of the sandbox
 * count threads and memory of a process of their own: `npm test` has them.
 */
const CALCULATING = [
  'src/{lib,http,channels,outbox}/**/*.test.ts',
  'src/features/!(scripting)/**/*.test.ts',
  'src/features/scripting/!(sandbox)/**/*.test.ts',
  'src/*.test.ts',
  'test/documents/contributing.test.ts',
]
/** Unit tests over sockets, which mostly wait: a process for each file. */
const OVER_SOCKETS = ['src/gateways/**/*.test.ts']

const TESTS = ['node', '--test', '--test-reporter=dot', '--test-timeout=60000']

const parts: Record<string, string[]> = {
  types: ['tsc'],
  'tests over sockets': [...TESTS, '--test-concurrency=3', ...OVER_SOCKETS],
  tests: [...TESTS, '--test-isolation=none', ...CALCULATING],
  'lint and format': ['biome', 'check', '.'],
  'import direction': ['depcruise', 'src', '--config', '.dependency-cruiser.cjs'],
  sizes: ['node', 'scripts/sizes.ts', '--check'],
  owners: ['node', 'scripts/owners.ts', '--check'],
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

const passed = await Promise.all(Object.entries(parts).map(([name, command]) => run(name, command)))
process.exitCode = passed.every(Boolean) ? 0 : 1
