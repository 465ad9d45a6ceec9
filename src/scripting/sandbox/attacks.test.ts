import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scriptStage } from '#test/fakes/scripts/scripts.ts'
import type { ScriptHost } from './types.ts'

const { sandbox, body, run, endOf, assertUnharmed } = scriptStage()

describe('isolation from the service', () => {
  const gone = [
    'process',
    'require',
    'module',
    'fetch',
    'setTimeout',
    'setInterval',
    'WebAssembly',
    'Intl',
    'Buffer',
    'native',
    'http',
    'targets',
    'std',
    'os',
    'scriptArgs',
    'performance',
    'navigator',
  ]
  test('names of host objects are undefined', async () => {
    const types = gone.map((name) => `typeof ${name}`).join(', ')
    assert.deepEqual(
      await endOf(body(`return [${types}]`)),
      gone.map(() => 'undefined'),
    )
  })

  test("constructors lead only to the script's own global object", async () => {
    const escapes = [
      'return globalThis.constructor.constructor("return typeof process")()',
      'return log.constructor("return typeof process")()',
      'return crypto.hash.constructor.constructor("return typeof require")()',
      'return (async () => {}).constructor("return typeof process")()',
      'return (0, eval)("typeof process")',
      'try { crypto.hash("none", "") } catch (error) { return error.constructor.constructor("return typeof process")() }',
    ]
    for (const statements of escapes) assert.equal(await endOf(body(statements)), 'undefined', statements)
  })

  test('only listed modules can be imported, however they are named', async () => {
    const imports = [{ name: 'tools', source: 'export const one = 1' }]
    assert.equal(await endOf(body('return (await import("tools")).one'), {}, { imports }), 1)
    for (const name of [
      'fs',
      'node:fs',
      'script',
      'prelude',
      'import:tools',
      './tools',
      '../../etc/passwd',
      'file:///etc/passwd',
      'std',
      'os',
    ])
      assert.equal(await endOf(body(`return Object.keys(await import("${name}"))`), {}, { imports }), 'script', name)
    assert.equal(await endOf('import fs from "fs"; export default () => 1'), 'script')
  })

  test('errors reveal no path of the service', async () => {
    const faults = [
      'null.x',
      'await import("fs")',
      'JSON.parse("{")',
      'return (() => {}).caller',
      'date.format({}, 1, 2)',
      'crypto.hmac()',
      'throw native',
      'return new Array(-1)',
    ]
    for (const statements of faults) {
      const shown = JSON.stringify(await run(body(statements)))
      assert.doesNotMatch(shown, /\/|file:|\.ts|node_modules|prelude/, shown)
    }
  })

  test('a run sees nothing left by another run or by other expressions of a batch', async () => {
    const leave = body('globalThis.left = 1; Object.prototype.polluted = 1; Array.prototype.push = 1; return 1')
    assert.equal(await endOf(leave), 1)
    for (let n = 0; n < 10; n++)
      assert.equal(await endOf(body('return typeof left + typeof {}.polluted')), 'undefinedundefined')
    const context = { account: 1, seed: 'a', globals: { data: { n: 1 } } }
    const results = await sandbox.evaluate(
      ['globalThis.left = data.n = 2', 'typeof left + data.n', 'data = 3'],
      context,
    )
    assert.deepEqual(results[1], { type: 'success', value: 'undefined1' })
    assert.equal(results[2]?.type, 'error')
  })
})

describe('values that cross the sandbox boundary', () => {
  test('keys that lead to prototypes are dropped on both sides', async () => {
    const source = body('return JSON.parse(\'{"__proto__": {"polluted": 1}, "a": {"constructor": 1, "b": 2}}\')')
    assert.deepEqual(await endOf(source), { a: { b: 2 } })
    const input = JSON.parse('{"__proto__": {"polluted": 1}, "b": 1}') as unknown
    assert.deepEqual(await endOf(body('return [Object.getOwnPropertyNames(input), input.polluted]'), { input }), [
      ['b'],
      null,
    ])
    await assertUnharmed()
  })

  test('hostile results become a clean result or an error', async () => {
    const tricks: Record<string, unknown> = {
      'return { get a() { throw new Error("no") } }': 'result',
      'return new Proxy({ a: 1 }, {})': { a: 1 },
      'return new Proxy({}, { ownKeys() { throw 1 } })': 'result',
      'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy': 'script',
      'return 1n': 'result',
      'BigInt.prototype.toJSON = () => "big"; return 1n': 'big',
      'return Symbol("a")': 'result',
      'return { [Symbol("a")]: 1, b: 2 }': { b: 2 },
      'const a = {}; a.a = a; return a': 'result',
      'return "x".repeat(2e6)': 'result',
      'return new Array(2e5).fill("é€x")': 'result',
      'return { toJSON: () => () => 1 }': 'result',
      'Object.prototype.toJSON = () => "mine"; return { a: 1 }': 'mine',
      'JSON.stringify = () => "[[["; return { a: 1 }': { a: 1 },
      'JSON.parse = Promise.prototype.then = String.prototype.slice = null; return [1]': [1],
      'Array.prototype[Symbol.iterator] = function* () { yield "settle" }; log("a"); return 1': 1,
      'return "\\ud800"': '\ud800',
      'return new Map([[1, 2]])': {},
      'return Object.create(null)': {},
      'return new Error("x")': {},
    }
    for (const [statements, end] of Object.entries(tricks))
      assert.deepEqual(await endOf(body(statements)), end, statements)
    const deep = (levels: number) => body(`let a = 1; for (let n = 0; n < ${levels}; n++) a = [a]; return a`)
    assert.equal(await endOf(deep(101)), 'result')
    assert.notEqual(await endOf(deep(100)), 'result')
    await assertUnharmed()
  })

  test('errors with hostile members become texts', async () => {
    const hostile = [
      'throw { get message() { throw 1 }, get stack() { throw 2 } }',
      'throw Object.assign(new Error("a"), { stack: { toString() { throw 1 } }, message: Symbol() })',
      'throw new Proxy(new Error(), { get() { throw 1 }, getPrototypeOf() { throw 2 } })',
      'throw null',
      'throw undefined',
      'throw Symbol("s")',
      'throw 1n',
      'throw () => 1',
      'throw { name: { toString: () => "x".repeat(1e6) }, message: "y".repeat(1e6), stack: "script:1:1".repeat(1e5) }',
    ]
    for (const statements of hostile) {
      const result = await run(body(statements))
      assert.ok(result.type === 'error' && result.error.type === 'script', JSON.stringify(result))
      assert.ok(result.error.message.length <= 1000 && (result.error.stack ?? '').length < 10_000)
    }
  })

  test('input that is too large or too deep is refused before it crosses', async () => {
    let nested: unknown = 1
    for (let n = 0; n < 200; n++) nested = [nested]
    for (const input of ['x'.repeat(1024 * 1024), nested, { a: 1n }])
      assert.equal(await endOf('export default () => 1', { input }), 'script')
    assert.equal(await endOf(`export default () => 1 // ${'x'.repeat(256 * 1024)}`), 'script')
  })
})

describe('sandbox floods', () => {
  test('logs stop at 200 lines and 64 KB and report it once', async () => {
    const lines = await run(body('for (let n = 0; n < 1e4; n++) log(n)'))
    assert.equal(lines.logs.length, 201)
    assert.match(lines.logs.at(-1)?.text ?? '', /full/)
    const large = await run(
      body('console.error("x".repeat(1e7)); log("after"); log({ toJSON() { throw 1 } }, 1n, Symbol())'),
    )
    assert.equal(large.logs.length, 1, JSON.stringify(large.logs).slice(0, 100))
    assert.ok(JSON.stringify(large.logs).length < 66_000)
  })

  test('a run makes at most 100 calls, 10 of them http.fetch, and 4 at a time', async () => {
    let [active, most, answered] = [0, 0, 0]
    const host: ScriptHost = {
      async call() {
        most = Math.max(most, ++active)
        await new Promise(setImmediate)
        active--
        answered++
        return { status: 200, body: '{"a":1}' }
      },
    }
    const given = { host, capabilities: ['targets.read', 'http.fetch', 'targets.write'] as const }
    const all = (count: number, call: string) =>
      body(`return (await Promise.all(Array.from({ length: ${count} }, () => ${call}))).length`)
    assert.equal(await endOf(all(100, 'targets.get(1)'), given), 100)
    assert.deepEqual([most, answered], [4, 100])
    assert.equal(await endOf(all(101, 'targets.get(1)'), given), 'capability')
    assert.equal(await endOf(all(10, 'http.fetch("https://a.example")'), given), 10)
    assert.equal(await endOf(all(11, 'http.fetch("https://a.example")'), given), 'capability')
    assert.equal(
      await endOf(body('for (let n = 0; n < 101; n++) targets.update(1, {}); return 1'), given),
      'capability',
    )
    assert.deepEqual(await endOf(body('return (await http.fetch("https://a.example")).json()'), given), { a: 1 })
  })

  test('call arguments cross as JSON, and values that are not JSON are an error', async () => {
    const writes = `targets.update(new Proxy({ a: 1 }, {}), { get b() { return 2 }, c: [, undefined, NaN], toJSON: undefined })
      targets.update({ toJSON: () => ({ d: 1 }) }, JSON.parse('{"__proto__": {"e": 1}, "constructor": 1, "f": 1}'))`
    const result = await run(body(writes), { capabilities: ['targets.write'] })
    assert.deepEqual(result.type === 'success' && result.writes.map(({ args }) => args), [
      [{ a: 1 }, { b: 2, c: [null, null, null] }],
      [{ d: 1 }, { f: 1 }],
    ])
    const refused = ['1n', 'Symbol()', '() => 1', 'Promise.resolve()', '{ get a() { throw new Error("no") } }']
    const nested = 'Array.from({ length: 200 }).reduce((a) => [a], 1)'
    for (const value of [...refused, nested, '"x".repeat(2 ** 20)', 'new Proxy({}, { ownKeys() { throw 1 } })']) {
      const source = body(`try { targets.update(${value}) } catch { return "caught" }`)
      assert.equal(await endOf(source, { capabilities: ['targets.write'] }), 'caught', value)
    }
    const large = body('for (let n = 0; n < 9; n++) targets.update("x".repeat(9e5))')
    assert.equal(await endOf(large, { capabilities: ['targets.write'] }), 'capability')
  })

  test('host results cross as JSON and host errors as text', async () => {
    const answers: Record<string, () => unknown> = {
      clean: () => JSON.parse('{"__proto__": {"polluted": 1}, "a": 1}'),
      circular: () => {
        const a: Record<string, unknown> = {}
        return (a['a'] = a)
      },
      large: () => 'x'.repeat(3 * 1024 * 1024),
      functions: () => ({ a: () => 1, b: 2 }),
      broken: () => {
        throw new Error('of the service, at /srv/secret')
      },
    }
    const host: ScriptHost = { call: async ({ args: [name] }) => answers[String(name)]?.() }
    const source = body(`const shown = {}
      for (const name of ${JSON.stringify(Object.keys(answers))})
        shown[name] = await targets.get(name).catch((error) => error.message)
      return [shown, "polluted" in {}]`)
    assert.deepEqual(await endOf(source, { host, capabilities: ['targets.read'] }), [
      {
        clean: { a: 1 },
        circular: 'The response is not JSON.',
        large: 'The response is larger than 2097152 bytes.',
        functions: { b: 2 },
        broken: 'The call failed.',
      },
      false,
    ])
  })

  test('a write is unavailable without its capability and is discarded when the script throws', async () => {
    const stolen = body('Map.prototype.set = Array.prototype.map = () => 1; return typeof targets')
    assert.equal(await endOf(stolen), 'undefined')
    const thrown = await run(body('targets.update(1, {}); throw new Error("no")'), { capabilities: ['targets.write'] })
    assert.equal('writes' in thrown, false)
  })
})

describe('prototypes in the sandbox', () => {
  test('changed by a script before or while it runs affect nothing outside it', async () => {
    const changes = [
      'Object.prototype.then = (go) => go("stolen")',
      'Object.defineProperty(Object.prototype, "value", { set() { throw 1 }, get() { return 1 } })',
      'Object.setPrototypeOf(globalThis, { native: 1 }); Object.setPrototypeOf(Object.prototype, null)',
      'Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(Promise.prototype)',
      'Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => 1',
      'Promise = Map = Error = TypeError = String = JSON = Reflect = Object = undefined',
      'Promise.prototype.then = Promise.prototype.constructor = function () { return 1 }',
      'Error.prepareStackTrace = () => ({ toString() { throw 1 } }); Error.stackTraceLimit = 1e9',
      'for (const name of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[name] } catch {}',
    ]
    for (const change of changes) {
      const initializers = [{ name: 'first', source: change }]
      for (const result of [
        await run('export default () => 1', {}, { initializers }),
        await run(body(`${change}; return 1`)),
        await run(body(`${change}; throw new RangeError("mine")`)),
      ])
        assert.ok(result.type === 'success' || result.error.type === 'script', JSON.stringify(result))
      await assertUnharmed()
    }
  })
})

describe('time in the sandbox', () => {
  test('is in whole milliseconds and in UTC, without ways to wait for it', async () => {
    const source = body(`const start = Date.now()
      return [Number.isInteger(start), new Date(0).toString(), new Date(2026, 6, 1).toISOString(),
        typeof performance, typeof Atomics, typeof queueMicrotask, typeof setImmediate, typeof Temporal]`)
    const gone = Array.from({ length: 5 }, () => 'undefined')
    assert.deepEqual(await endOf(source), [
      true,
      'Thu Jan 01 1970 00:00:00 GMT+0000',
      '2026-07-01T00:00:00.000Z',
      ...gone,
    ])
  })

  test('does not reveal the zone of the machine', async () => {
    const before = process.env['TZ']
    process.env['TZ'] = 'Asia/Tokyo'
    assert.notEqual(new Date(0).getHours(), 0)
    const source = body(
      'return [new Date(0).getHours(), new Date(0).toString(), new Date("2026-07-01T00:00").toISOString()]',
    )
    assert.deepEqual(await endOf(source), [0, 'Thu Jan 01 1970 00:00:00 GMT+0000', '2026-07-01T00:00:00.000Z'])
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })
})

describe('randomness in the sandbox', () => {
  test('follows from the seed of the run', async () => {
    const source = body('return [Math.random(), crypto.randomUUID(), crypto.randomUUID()]')
    const [first, again, other] = [await endOf(source), await endOf(source), await endOf(source, { seed: 'other' })]
    assert.deepEqual(first, again)
    assert.notDeepEqual(first, other)
    assert.match(
      String((first as string[])[1]),
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })
})
