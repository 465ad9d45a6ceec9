// Takes the place of `node:test` in files that a worker runs one after another. node:test finds the suite that a call belongs to by
// the promise that was awaited last, which may have been made by an earlier file (a channel that is loaded once, say); here
// the suite is found by the code that calls.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import * as nodeTest from 'node:test'
import { getCallSites } from 'node:util'

type Body = (...args: unknown[]) => unknown
type Register = (...args: unknown[]) => unknown

const scopes = new AsyncLocalStorage<AsyncResource>()
/** Bodies of suites that are being built. */
const building = new Set<Promise<unknown>>()
const positions = new Map<string, string>()

/** The suite or test that runs now is the one that its calls belong to, however they come about. */
function scoped(body: Body): Body {
  const run = function (this: unknown, ...args: unknown[]): unknown {
    return scopes.run(new AsyncResource('test scope'), () => body.apply(this, args))
  }
  // node:test takes a body of two parameters for one with a callback.
  return Object.defineProperty(run, 'length', { value: body.length })
}

/** A suite whose body waits for something is noted until it has been built. */
function noted(body: Body): Body {
  return (...args) => {
    const built = body(...args)
    if (built instanceof Promise) building.add(built)
    return built
  }
}

function inScope(register: Register): Register {
  return (...args) => {
    const scope = scopes.getStore()
    return scope ? scope.runInAsyncScope(register, undefined, ...args) : register(...args)
  }
}

/** `test`, `suite` and their like: their body is the last argument, where they have one. */
function registering(register: Register, prepare: (body: Body) => Body = (body) => body): Register {
  return inScope((...args) => {
    const body = args.at(-1)
    const caller = getCallSites(6).find(({ scriptName }) => /\.test\.tsx?$/.test(scriptName))
    if (caller && typeof args[0] === 'string') positions.set(args[0], `${caller.lineNumber}:${caller.columnNumber}`)
    return register(...(typeof body === 'function' ? [...args.slice(0, -1), scoped(prepare(body as Body))] : args))
  })
}

function registeringEach<Kind extends typeof nodeTest.test | typeof nodeTest.suite>(
  register: Kind,
  prepare?: (body: Body) => Body,
): Kind {
  const { skip, todo, only, expectFailure } = register as unknown as Record<string, Register | undefined>
  const variants = Object.entries({ skip, todo, only, expectFailure }).flatMap(([name, variant]) =>
    variant ? [[name, registering(variant, prepare)] as const] : [],
  )
  return Object.assign(registering(register as unknown as Register, prepare), Object.fromEntries(variants)) as never
}

/** Line and column of the test or suite that was registered last by this title. */
export const positionOf = (title: string): string | undefined => positions.get(title)

/** Runs a file's registrations as those of the suite that is being built. */
export const inSuite = scoped

/** Resolves when all suites have been built: no test runs while a suite still prepares its data. */
export async function suitesBuilt(): Promise<void> {
  for (const suite of building) {
    // Its own error is node's to report.
    await suite.catch(() => undefined)
    building.delete(suite)
  }
}

export const forgetPositions = (): void => positions.clear()

export const test = registeringEach(nodeTest.test)
export const it = registeringEach(nodeTest.it)
export const suite = registeringEach(nodeTest.suite, noted)
export const describe = registeringEach(nodeTest.describe, noted)
export const before = inScope(nodeTest.before as Register) as typeof nodeTest.before
export const after = inScope(nodeTest.after as Register) as typeof nodeTest.after
export const beforeEach = inScope(nodeTest.beforeEach as Register) as typeof nodeTest.beforeEach
export const afterEach = inScope(nodeTest.afterEach as Register) as typeof nodeTest.afterEach
export const { mock, snapshot } = nodeTest
export default test
