// `npm run test:repeat -- FILE... [--times 20] [--busy 2]`: runs files again and again beside loops that keep the cores busy, and says how often
// each failed, and how.
import { type ChildProcess, spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { describeFailures, hasFailed } from './results.ts'
import { startTestRun } from './suite-run.ts'
import { testFile } from './suites.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '20' }, busy: { type: 'string', default: '2' } },
})
if (positionals.length === 0) {
  console.error('usage: npm run test:repeat -- FILE... [--times 20] [--busy 2]')
  process.exit(2)
}

/** Loops that end with this process, however it ends: each looks whether its parent is still there. */
function startBusyLoops(count: number): ChildProcess[] {
  const loop = `const parent = process.ppid; for (;;) { for (let n = 0; n < 1e8; n++); if (process.ppid !== parent) process.exit() }`
  return Array.from({ length: count }, () => spawn(process.execPath, ['-e', loop], { stdio: 'ignore' }))
}

const times = Number(values.times)
const run = await startTestRun()
const loops = startBusyLoops(Number(values.busy))
try {
  for (const file of positionals) {
    const failures: string[] = []
    for (let time = 1; time <= times; time++) {
      const [result] = await run.run([testFile(file)], { lanes: 1 })
      if (result && hasFailed(result)) failures.push(`run ${time}:\n${describeFailures(result)}`)
      process.stdout.write(result && hasFailed(result) ? 'x' : '.')
    }
    console.log(` ${file}: ${failures.length} of ${times} runs failed`)
    for (const failure of failures) console.log(failure)
    if (failures.length > 0) process.exitCode = 1
  }
} finally {
  for (const loop of loops) loop.kill()
  await run.end()
}
