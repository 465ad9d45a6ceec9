// `npm run test:repeat -- FILE... [--times 20] [--busy 2]`: runs files repeatedly while loops keep the cores busy, and reports how often each
// failed, and how.
import { type ChildProcess, spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { describeFailures, hasFailed } from './results.ts'
import { type RunFiles, withTestRun } from './suite-run.ts'
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

/** Runs a file again and again; gives how it failed, each time it did. */
async function repeat(run: RunFiles, file: string): Promise<string[]> {
  const failures: string[] = []
  for (let time = 1; time <= times; time++) {
    const [result] = await run([testFile(file)], { lanes: 1 })
    const isFailed = result !== undefined && hasFailed(result)
    if (isFailed) failures.push(`run ${time}:\n${describeFailures(result)}`)
    process.stdout.write(isFailed ? 'x' : '.')
  }
  return failures
}

const loops = startBusyLoops(Number(values.busy))
try {
  await withTestRun(async (run) => {
    for (const file of positionals) {
      const failures = await repeat(run, file)
      console.log([` ${file}: ${failures.length} of ${times} runs failed`, ...failures].join('\n'))
      if (failures.length > 0) process.exitCode = 1
    }
  })
} finally {
  for (const loop of loops) loop.kill()
}
