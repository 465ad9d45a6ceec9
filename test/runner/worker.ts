// A process that runs files of tests one after another, as many as the runner sends it: what they load is loaded once. Each is a suite of its own,
// with its own database; what it leaves behind is a failure of it.
import type { HookCallbacks } from 'node:async_hooks'
import { once } from 'node:events'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { leaksSince, type ProcessSnapshot, snapshotProcess } from './leaks.ts'
import type { Order, Report } from './messages.ts'

const REGISTRATION = new URL('registration.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const isOurs = context.parentURL?.includes('/test/runner/') || context.parentURL?.includes('/node_modules/')
    return specifier === 'node:test' && !isOurs ? { url: REGISTRATION, shortCircuit: true } : next(specifier, context)
  },
})

/**
 * node:test follows every promise, so that it knows which test an error belongs to that nothing caught: a tenth of the processor time.
 * `registration.ts` finds the suites of calls without it, and an error that nothing caught fails its file.
 */
const asyncHooks = process.getBuiltinModule('node:async_hooks')
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false } as HookCallbacks)
// It takes the function when it is loaded, which static imports would do before.
const { after, describe } = await import('node:test')
const { forgetPositions, inSuite, suitesBuilt } = await import('./registration.ts')
asyncHooks.createHook = createHook

/** node:test sets the exit code for what a test leaves behind that fails later, and says why only at the end of its process. */
const reportLate = (error: unknown): void => console.error('failed after the test that began it had ended:', error)
process.on('unhandledRejection', reportLate).on('uncaughtExceptionMonitor', reportLate)

const send = (report: Report): void => void process.send?.(report)

/** Runs a file as one suite; resolves, when all its hooks have run, with what its process was before. */
function runFile(file: string): Promise<ProcessSnapshot> {
  return new Promise((resolve) => {
    describe(file, async () => {
      const before = snapshotProcess()
      try {
        await inSuite(() => import(pathToFileURL(join(process.cwd(), file)).href))()
        await suitesBuilt()
      } finally {
        after(() => resolve(before))
      }
    })
  })
}

async function nextOrder(): Promise<Order> {
  const [order] = (await once(process, 'message')) as [Order]
  return order
}

for (let order = await nextOrder(); order.file !== null; order = await nextOrder()) {
  const cpu = process.cpuUsage()
  const before = await runFile(order.file)
  const { user, system } = process.cpuUsage(cpu)
  const leaks = await leaksSince(before, order)
  // What the reporter has not been given yet is given to it first.
  await delay(0)
  forgetPositions()
  send({
    type: 'done',
    cpuMs: Math.round((user + system) / 1000),
    rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
    leaks,
  })
}
process.disconnect?.()
