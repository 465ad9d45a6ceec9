import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listGrantedFunctions } from '../../../src/scripting/sandbox/functions.ts'
import { sandboxLimits } from '../../../src/scripting/sandbox/limits.ts'
import { measureJsonDepth } from '../../../src/scripting/sandbox/realm/json.ts'
import { createSandbox } from '../../../src/scripting/sandbox/sandbox.ts'
import type {
  SandboxRunOptions,
  SandboxRunResult,
  ScriptHost,
  ScriptHostCall,
  ScriptProgram,
} from '../../../src/scripting/sandbox/types.ts'
import { assertHostUnchanged } from '../../fakes/scripts/host-shape.ts'
import { type HostileScript, hostileScript } from '../../fakes/scripts/hostile-scripts.ts'
import { seeded, seededRun } from '../../fakes/scripts/seeded.ts'
import { watchThreads } from '../../fakes/threads.ts'
import { eventually } from '../../support/wait.ts'

const SCRIPTS = Number(process.env['STENTOR_TEST_SCRIPTS'] ?? 150)
const CORES = 2
const THREADS_PER_CORE = 4
/** What only the service and the script of another account know. */
const CANARY = 'canary-5d1c0a'
/** What would be a place of the service, or code of it. */
const OF_THE_SERVICE = new RegExp(`${CANARY}|file://|\\.ts\\b|node_modules|sandbox-worker|${process.cwd()}/`)
const KNOWN_ERRORS = ['script', 'timeout', 'memory', 'result', 'capability']
/** Generous: the allocator keeps some of what threads gave back, up to about 150 MB after thousands of scripts. */
const GROWTH_BYTES = 250e6

const threads = watchThreads()
const sandbox = createSandbox({ cores: CORES, threadsPerCore: THREADS_PER_CORE })
after(() => sandbox.close())

/** Answers anything after a moment, and watches that no more is asked of it than may be. */
function watchingHost(script: HostileScript): { host: ScriptHost; calls: ScriptHostCall[] } {
  const calls: ScriptHostCall[] = []
  const granted = listGrantedFunctions(script.capabilities)
  let active = 0
  return {
    calls,
    host: {
      async call(call) {
        calls.push(call)
        assert.notEqual(granted.get(call.name)?.kind ?? 'write', 'write', call.name)
        assert.ok(++active <= sandboxLimits.callsAtOnce)
        await new Promise(setImmediate)
        active--
        return { status: 200, headers: {}, body: '{"a":1}', __proto__: null }
      },
    },
  }
}

function assertWithinLimits(result: SandboxRunResult, calls: readonly ScriptHostCall[]): void {
  const text = JSON.stringify(result)
  assert.doesNotMatch(text, OF_THE_SERVICE)
  assert.ok(result.logs.length <= sandboxLimits.logLines + 1, 'lines of the log')
  const logged = result.logs.reduce((sum, line) => sum + Buffer.byteLength(line.text), 0)
  assert.ok(logged <= sandboxLimits.logBytes + 100, 'bytes of the log')
  assert.ok(calls.length <= sandboxLimits.hostCalls, 'calls of the host')
  if (result.type === 'error') {
    assert.ok(KNOWN_ERRORS.includes(result.error.type), result.error.type)
    assert.equal(result.error.limit !== undefined, result.error.type === 'timeout')
    assert.ok(result.error.message.length <= sandboxLimits.messageLength, 'length of the message')
    assert.equal('writes' in result, false)
    return
  }
  const value = JSON.stringify(result.value)
  assert.ok(Buffer.byteLength(value) <= sandboxLimits.resultBytes, 'bytes of the result')
  assert.ok(measureJsonDepth(value) <= sandboxLimits.jsonDepth, 'depth of the result')
  assert.doesNotMatch(value, /"(?:__proto__|constructor)":/)
  assert.ok(calls.length + result.writes.length <= sandboxLimits.hostCalls, 'calls and writes')
}

/** Runs a script, once more where no thread was ready for it in time. */
const runSoon = (program: ScriptProgram, options: SandboxRunOptions): Promise<SandboxRunResult> =>
  eventually(async () => {
    const result = await sandbox.run(program, options)
    return result.type === 'error' && result.error.type === 'busy' ? undefined : result
  })

/** Runs one script by chance, and then one of another account, which knows the canary. */
async function attack(number: number, account: number): Promise<string> {
  const script = hostileScript(seeded(number))
  const { host, calls } = watchingHost(script)
  const { source, imports, initializers, capabilities, input } = script
  try {
    const result = await runSoon(
      { source, imports, initializers },
      {
        account,
        seed: String(number),
        input,
        capabilities,
        host,
        cpuMs: 80,
        wallMs: 400,
        globals: { data: { n: 1 } },
        contactIds: ['000R4M0T', '000R4M0V'],
      },
    )
    assertWithinLimits(result, calls)
    assertHostUnchanged()
    assert.ok(threads.working().length <= CORES * THREADS_PER_CORE, 'threads')
    const other = await runSoon(
      { source: 'export default () => environment.secret' },
      {
        account: 1000 + account,
        seed: 'other',
        input: null,
        cpuMs: 60_000,
        wallMs: 60_000,
        globals: { environment: { secret: CANARY } },
      },
    )
    assert.deepEqual(other.type === 'success' ? other.value : other.error, CANARY)
    return result.type === 'success' ? 'success' : result.error.type
  } catch (error) {
    throw new Error(`script ${number}:\n${JSON.stringify(script, null, 1).replaceAll('\\n', '\n')}`, { cause: error })
  }
}

test('random scripts end cleanly, see nothing of the service and leave nothing behind', async (t) => {
  process.env['STENTOR_CANARY'] = CANARY
  Object.assign(globalThis, { canary: CANARY })
  const random = seededRun(t)
  const first = Math.floor(random() * 2 ** 31)
  // What starts once, such as the compiled engine, is there before memory is measured.
  await attack(first, 0)
  const before = process.memoryUsage().rss
  const ends: Record<string, number> = {}
  let next = 1
  const line = async (account: number) => {
    while (next < SCRIPTS) {
      const end = await attack(first + next++, account)
      ends[end] = (ends[end] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: CORES }, (_, account) => line(account)))
  t.diagnostic(`${threads.started()} threads; ${JSON.stringify(ends)}`)
  await sandbox.close()
  assert.deepEqual(threads.living(), [])
  assert.ok(process.memoryUsage().rss - before < GROWTH_BYTES, 'memory is given back')
})
