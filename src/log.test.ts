import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const LOG = JSON.stringify(new URL('./log.ts', import.meta.url).href)
const THREAD = `import(${LOG}).then(({ createLogger }) => createLogger({ logLevel: 'info' }).info('of a thread'))`
const MAIN = `new (require('node:worker_threads').Worker)(${JSON.stringify(THREAD)}, { eval: true })`

/** Runs a command in a terminal of its own, and gives what it prints there. */
const TERMINAL = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))'

test('a thread logs readable lines in a terminal, and JSON elsewhere', () => {
  const inTerminal = execFileSync('python3', ['-c', TERMINAL, process.execPath, '-e', MAIN], { encoding: 'utf8' })
  assert.match(inTerminal, /INFO.*of a thread/)
  const elsewhere = execFileSync('/bin/sh', ['-c', '"$0" -e "$1" 2>&1', process.execPath, MAIN], { encoding: 'utf8' })
  assert.equal(JSON.parse(elsewhere).msg, 'of a thread')
})
