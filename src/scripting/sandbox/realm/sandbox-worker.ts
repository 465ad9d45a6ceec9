import { parentPort, workerData } from 'node:worker_threads'
import type { SandboxWork, ThreadCommand, ThreadMessage } from '../messages.ts'
import { findProgramFlaws, findSyntaxErrors } from './checks.ts'
import { confineThread, createQuickJsEngine } from './engine.ts'
import { evaluateInRealm } from './expressions.ts'
import { createProgramRun, type ProgramRun } from './program.ts'
import { createRealm } from './realm.ts'

confineThread()
const realm = createRealm(await createQuickJsEngine(workerData as WebAssembly.Module))
let run: ProgramRun | undefined
let isUsed = false

function post(message: ThreadMessage): void {
  parentPort?.postMessage(message)
}

/** A small script as authors write them, made as a message makes work: code that is optimised for objects made otherwise is given up. */
const WARM_UP: Extract<SandboxWork, { type: 'run' }> = structuredClone({
  type: 'run',
  account: 0,
  source: `export default ({ items }) => {
    const total = items.reduce((sum, { price, count }) => sum + price * count, 0)
    return { total, tier: total > 100 ? 'gold' : 'blue' }
  }`,
  imports: [],
  initializers: [],
  input: '{"items":[{"price":1.5,"count":2},{"price":2.5,"count":3}]}',
  globals: '{}',
  seed: '',
  functions: [],
  contactIds: [],
  cpuMs: 100,
  inRounds: false,
  isFollowed: false,
})
/** So often it is run that the code of this thread is optimised. */
const WARM_UPS = 200

function runWarmUp(): void {
  createProgramRun(realm, WARM_UP, () => undefined).begin()
}

/** Makes use of the time before the first work. */
function warmUp(left: number): void {
  if (isUsed || left === 0) return
  runWarmUp()
  setImmediate(warmUp, left - 1)
}

function perform(work: SandboxWork): void {
  isUsed = true
  if (work.type === 'run') {
    run = createProgramRun(realm, work, post)
    run.begin()
  } else post({ type: 'done', spoilt: isSpoiltBy(work) })
}

/** Does work that waits for nothing. True when the engine has to be thrown away. */
function isSpoiltBy(work: Exclude<SandboxWork, { type: 'run' }>): boolean {
  if (work.type === 'evaluate') return evaluateInRealm(realm, work, post)
  try {
    if (work.type === 'check') post({ type: 'checked', flaws: findProgramFlaws(realm, work) })
    else post({ type: 'parsed', flaws: findSyntaxErrors(realm, work.texts) })
    return false
  } catch {
    return true
  }
}

parentPort?.on('message', (message: ThreadCommand) => {
  if (message.type === 'work') perform(message.work)
  else if (message.type === 'answers') run?.deliver(message.answers)
  else run?.stop()
})
// A first run takes longer than others; this must not count against a script.
runWarmUp()
post({ type: 'ready' })
setImmediate(warmUp, WARM_UPS)
