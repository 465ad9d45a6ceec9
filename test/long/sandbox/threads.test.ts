import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { after, describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { sandboxLimits } from '../../../src/scripting/sandbox/limits.ts'
import { createSandbox } from '../../../src/scripting/sandbox/sandbox.ts'
import type { SandboxRunOptions, SandboxRunResult } from '../../../src/scripting/sandbox/types.ts'
import { nativeLoops, scriptOf } from '../../fakes/scripts/attacks.ts'
import { watchThreads } from '../../fakes/threads.ts'
import { eventually } from '../../support/wait.ts'

const threads = watchThreads()
const CORES = 2
const THREADS_PER_CORE = 2

/** A sandbox of its own, and how it runs scripts. */
function opened() {
  const sandbox = createSandbox({ cores: CORES, threadsPerCore: THREADS_PER_CORE })
  after(() => sandbox.close())
  const options: SandboxRunOptions = { account: 1, seed: 'run', input: null, cpuMs: 200, wallMs: 60_000 }
  const run = (statements: string, more: Partial<SandboxRunOptions> = {}): Promise<SandboxRunResult> =>
    sandbox.run({ source: scriptOf(statements) }, { ...options, ...more })
  /** Resolves once a script has run: on a very busy machine no thread may be ready in time at first. */
  const works = (more?: Partial<SandboxRunOptions>) => eventually(async () => endOf(await run('return 1', more)) === 1)
  return { sandbox, run, works }
}

const endOf = (result: SandboxRunResult) => (result.type === 'success' ? result.value : result.error.type)

test('one thread more than the running scripts is started in advance', async () => {
  const { sandbox, run, works } = opened()
  const before = threads.started()
  await works()
  assert.equal(threads.started(), before + 2)
  for (let n = 0; n < 10; n++) assert.equal(endOf(await run('return 2')), 2)
  assert.equal(threads.started(), before + 2)
  await sandbox.close()
})

describe('replacement of a thread', () => {
  const ends: Record<string, [statements: string, end: string]> = {
    'that was killed from outside': [nativeLoops[0]!.statements, 'timeout'],
    'that ran out of memory': ['const kept = []; for (;;) kept.push("x".repeat(1e6) + kept.length)', 'memory'],
    'whose stack was full': ['const deep = () => deep() + 1; return deep()', 'memory'],
    'that ran out of memory in jobs': [
      'const kept = []; const go = async () => { for (;;) { kept.push("x".repeat(1e6) + kept.length); await 0 } }; await go()',
      'memory',
    ],
  }
  for (const [name, [statements, end]] of Object.entries(ends))
    test(name, async () => {
      const { sandbox, run, works } = opened()
      await works()
      const [used] = threads.living()
      assert.equal(endOf(await run(statements, { cpuMs: 1000 })), end)
      await eventually(() => used?.threadId === -1)
      await works({ account: 2 })
      await sandbox.close()
      assert.deepEqual(threads.living(), [])
    })

  test('a thread is reused after a loop that the engine could interrupt', async () => {
    const { sandbox, run, works } = opened()
    await works()
    const started = threads.started()
    assert.equal(endOf(await run('for (;;) {}', { cpuMs: 50 })), 'timeout')
    assert.equal(endOf(await run('throw new Error("e")')), 'script')
    assert.equal(endOf(await run('return 2', { account: 2 })), 2)
    assert.equal(threads.started(), started)
    await sandbox.close()
  })

  test(`a thread is replaced after ${sandboxLimits.runsPerWorker} runs`, async () => {
    const { sandbox, run, works } = opened()
    await works()
    const [used] = threads.living()
    for (let n = 1; n < sandboxLimits.runsPerWorker - 1; n++) assert.equal(endOf(await run(`return ${n}`)), n)
    assert.notEqual(used?.threadId, -1)
    assert.equal(endOf(await run('return "last"')), 'last')
    await eventually(() => used?.threadId === -1)
    await works()
    await sandbox.close()
  })

  test('memory left by a run is zeroed for the next run on the thread', async () => {
    const { sandbox, run, works } = opened()
    await works()
    const fill =
      'const kept = []; for (let n = 0; n < 24; n++) kept.push(new Uint8Array(1e6).fill(0xab)); return kept.length'
    const read = `let found = 0
      for (let n = 0; n < 24; n++) for (const byte of new Uint32Array(new Uint8Array(1e6).buffer)) if (byte !== 0) found++
      return found`
    for (let round = 0; round < 3; round++) {
      assert.equal(endOf(await run(fill, { cpuMs: 30_000 })), 24)
      assert.equal(endOf(await run(read, { cpuMs: 30_000, account: 2 })), 0)
    }
    await sandbox.close()
  })
})

test('a flood of attacks never exceeds the thread limit, and closing the sandbox ends all threads', async () => {
  const { sandbox, run, works } = opened()
  let most = 0
  const flood = Array.from({ length: 40 }, async (_, n) => {
    const { statements } = nativeLoops[n % nativeLoops.length]!
    const result = await run(n % 4 === 0 ? statements : 'for (;;) {}', { account: n % 5, cpuMs: 50 })
    most = Math.max(most, threads.working().length)
    return result.type === 'error' && result.error.type
  })
  for (const end of await Promise.all(flood)) assert.match(String(end), /^(?:timeout|memory|busy)$/)
  assert.ok(most <= CORES * THREADS_PER_CORE, `${most} threads`)
  await works()
  await sandbox.close()
  assert.deepEqual(threads.living(), [])
})

test("the engine's memory stops at 64 MB, whatever its runtime may use", async () => {
  const worker = new Worker(new URL('../../fakes/column-store/confined-engine.ts', import.meta.url))
  const told = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await worker.terminate()
  const { bytes, ended, refused } = told as { bytes: number; ended: string; refused: boolean }
  assert.match(ended, /memory|null/)
  assert.ok(bytes > sandboxLimits.heapBytes && bytes <= 64 * 1024 * 1024, `${bytes} bytes`)
  assert.equal(refused, true)
})

test('a script that ended in time returns its result even if the main thread was busy at its timeout', async () => {
  const { sandbox, run, works } = opened()
  await works()
  // Where the script itself did not end in time, once more.
  await eventually(async () => {
    const running = run('return 2', { wallMs: 1000 })
    // Until the work is with its thread.
    await new Promise(setImmediate)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000 + 2 * sandboxLimits.graceMs)
    return endOf(await running) === 2
  })
  await sandbox.close()
})

test('a script is not ended from outside while other programs leave it little processor time', async (t) => {
  const { sandbox, run } = opened()
  assert.equal(endOf(await run('return 1')), 1)
  const started = threads.started()
  // Its half second of processor time takes several on the clock.
  const others = Array.from({ length: 4 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;) {}']),
  )
  t.after(() => others.forEach((other) => void other.kill('SIGKILL')))
  const result = await run('log("begun"); for (;;) {}', { cpuMs: 500 })
  // One that is ended from outside leaves no log, and its thread is replaced.
  assert.deepEqual([endOf(result), result.logs.length, threads.started()], ['timeout', 1, started])
  await sandbox.close()
})
