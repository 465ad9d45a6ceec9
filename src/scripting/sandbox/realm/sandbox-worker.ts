import { parentPort, workerData } from 'node:worker_threads'
import type { SandboxWork, ThreadCommand, ThreadMessage } from '../messages.ts'
import { findProgramFlaws, findSyntaxErrors } from './checks.ts'
import { confineThread, createQuickJsEngine } from './engine.ts'
import { evaluateInRealm } from './expressions.ts'
import { createProgramRun, type ProgramRun } from './program.ts'
import { createRealm } from './realm.ts'

confineThread()
const realm = createRealm(await createQuickJsEngine(workerData as WebAssembly.Module))
let programRun: ProgramRun | undefined
let isUsed = false

function postToParent(message: ThreadMessage): void {
  parentPort?.postMessage(message)
}

/** A small script as authors write them, made as a message makes work: code that is optimised for objects made otherwise is given up. */
const WARM_UP_WORK: Extract<SandboxWork, { type: 'run' }> = structuredClone({
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
const WARM_UP_RUNS = 200

function runWarmUp(): void {
  createProgramRun(realm, WARM_UP_WORK, () => undefined).begin()
}

/** Makes use of the time before the first work. */
function scheduleWarmUp(remainingRuns: number): void {
  if (isUsed || remainingRuns === 0) return
  runWarmUp()
  setImmediate(scheduleWarmUp, remainingRuns - 1)
}

function performWork(work: SandboxWork): void {
  isUsed = true
  if (work.type === 'run') {
    programRun = createProgramRun(realm, work, postToParent)
    programRun.begin()
  } else postToParent({ type: 'done', spoilt: performImmediateWork(work) })
}

/** Does work that waits for nothing. True when the engine has to be thrown away. */
function performImmediateWork(work: Exclude<SandboxWork, { type: 'run' }>): boolean {
  if (work.type === 'evaluate') return evaluateInRealm(realm, work, postToParent)
  try {
    if (work.type === 'check') postToParent({ type: 'checked', flaws: findProgramFlaws(realm, work) })
    else postToParent({ type: 'parsed', flaws: findSyntaxErrors(realm, work.texts) })
    return false
  } catch {
    return true
  }
}

parentPort?.on('message', (message: ThreadCommand) => {
  if (message.type === 'work') performWork(message.work)
  else if (message.type === 'answers') programRun?.deliver(message.answers)
  else programRun?.stop()
})
// A first run takes longer than others; this must not count against a script.
runWarmUp()
postToParent({ type: 'ready' })
setImmediate(scheduleWarmUp, WARM_UP_RUNS)
