import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'

const MEMORY = new URL('./memory.ts', import.meta.url).href

/** What a program sees of itself once its memory is limited. */
const program = `
  const { restartWithMemoryLimits } = await import('${MEMORY}')
  restartWithMemoryLimits()
  const { pid, execArgv, argv, env } = process
  console.log(JSON.stringify({ pid, options: execArgv.slice(2), words: argv.slice(1), arenas: env.MALLOC_ARENA_MAX }))
`

interface Seen {
  pid: number
  options: string[]
  words: string[]
  arenas: string | undefined
}

async function run(environment: Record<string, string> = {}): Promise<{ seen: Seen; pid: number | undefined }> {
  const started = promisify(execFile)(process.execPath, ['-e', program, 'start', '--role', 'api'], { env: environment })
  const { stdout } = await started
  return { seen: JSON.parse(stdout), pid: started.child.pid }
}

suite('memory limits of the process', {
  skip: process.platform === 'win32' && 'a process cannot be replaced on Windows',
}, () => {
  test('re-execute the program as the same process with the same arguments', async () => {
    const { seen, pid } = await run()
    assert.deepEqual(seen, {
      pid,
      options: ['--max-semi-space-size=8', '--heap-growing-percent=80', '--no-parallel-scavenge'],
      words: ['start', '--role', 'api'],
      arenas: '1',
    })
  })

  test('collect garbage more often in small mode', async () => {
    const { seen } = await run({ STENTOR_MEMORY: 'small' })
    assert.deepEqual(seen.options, ['--max-semi-space-size=8', '--heap-growing-percent=50'])
  })

  test('keep an arena count that the operator has set', async () => {
    assert.equal((await run({ MALLOC_ARENA_MAX: '4' })).seen.arenas, '4')
  })

  test('change nothing when the operator has set the size of young generations', async () => {
    const { seen, pid } = await run({ NODE_OPTIONS: '--max-semi-space-size=16' })
    assert.deepEqual(seen, { pid, options: [], words: ['start', '--role', 'api'] })
  })
})
