import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sandboxLimits } from './limits.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'
import type { SandboxRunOptions, ScriptHost } from './types.ts'

let sandbox: Sandbox
before(() => {
  sandbox = createSandbox({ cores: 2, threadsPerCore: 4 })
})
after(() => sandbox.close())

const options: SandboxRunOptions = { account: 1, seed: 'run', input: null, cpuMs: 1000, wallMs: 60_000 }

/** What a script answers; throws its error. */
async function valueFrom(source: string, more: Partial<SandboxRunOptions> = {}): Promise<unknown> {
  const result = await sandbox.run({ source }, { ...options, ...more })
  if (result.type === 'error') throw Object.assign(new Error(result.error.message), result.error)
  return result.value
}

/** The error with which a script ends. */
async function errorOf(source: string, more: Partial<SandboxRunOptions> = {}) {
  const result = await sandbox.run({ source }, { ...options, ...more })
  assert.equal(result.type, 'error', JSON.stringify(result))
  return result.type === 'error' ? result.error : assert.fail()
}

const returning = (expression: string) => `export default (input) => (${expression})`

describe('sandbox values', () => {
  test('the result of a sync or async function is awaited', async () => {
    assert.deepEqual(await valueFrom(returning('({ sum: input.a + 1 })'), { input: { a: 1 } }), { sum: 2 })
    assert.equal(await valueFrom('export default async () => { await null; return "later" }'), 'later')
  })

  test('undefined and NaN become null, and a date becomes its text', async () => {
    assert.equal(await valueFrom(returning('undefined')), null)
    assert.deepEqual(await valueFrom(returning('[new Date(0), NaN, undefined]')), [
      '1970-01-01T00:00:00.000Z',
      null,
      null,
    ])
  })

  test('functions, symbols, BigInts and unawaited promises are errors', async () => {
    for (const value of ['() => 1', 'Symbol()', '1n', '({ a: [() => 1] })', '({ a: Promise.resolve(1) })'])
      assert.equal((await errorOf(returning(value))).type, 'result', value)
  })

  test('an error has its position in the script', async () => {
    const error = await errorOf('export default (input) => {\n  return input.a.b\n}', { input: {} })
    assert.deepEqual([error.type, error.position], ['script', { line: 2, column: 17 }])
    assert.equal(error.stack, 'at default (script:2:17)')
  })

  test('imports, initializers and constants are available and run in order', async () => {
    const result = await sandbox.run(
      {
        source: 'import { twice } from "tools"; export default () => [twice(environment.n), globalThis.order]',
        imports: [{ name: 'tools', source: 'export const twice = (n) => n * 2' }],
        initializers: [
          { name: 'first', source: 'globalThis.order = [1]' },
          { name: 'second', source: 'import { twice } from "tools"; globalThis.order.push(twice(1))' },
        ],
      },
      { ...options, globals: { environment: { n: 4 } } },
    )
    assert.deepEqual(result.type === 'success' && result.value, [8, [1, 2]])
  })
})

describe('host calls', () => {
  test('reads are awaited, and writes are collected in order with the ids they return', async () => {
    const host: ScriptHost = { call: async ({ name, args, number }) => ({ name, args, number }) }
    const source = `export default async () => {
      const made = targets.create({ Name: 'Ann' })
      targets.update({ type: 'id', value: made }, { Name: 'Bea' })
      return [made, await targets.get({ type: 'id', value: made })]
    }`
    const result = await sandbox.run(
      { source },
      { ...options, host, capabilities: ['targets.read', 'targets.write'], contactIds: ['000R4M0T'] },
    )
    assert.ok(result.type === 'success', JSON.stringify(result))
    const identification = { type: 'id', value: '000R4M0T' }
    assert.deepEqual(result.value, ['000R4M0T', { name: 'targets.get', args: [identification], number: 3 }])
    assert.deepEqual(result.writes, [
      { name: 'targets.create', args: [{ Name: 'Ann' }], answer: '000R4M0T' },
      { name: 'targets.update', args: [identification, { Name: 'Bea' }], answer: null },
    ])
  })
})

describe('wall time of a script', () => {
  const waiting = `export default async () => {
    for (let n = 0; n < 5; n++) await targets.get({ type: 'id', value: '000R4M0T' })
  }`

  test('limits only its waits: a script that computes for longer succeeds', async () => {
    const computing = 'export default () => { let sum = 0; for (let n = 0; n < 1e6; n++) sum += n; return sum }'
    assert.equal(await valueFrom(computing, { cpuMs: 60_000, wallMs: 1 }), 499_999_500_000)
  })

  test('limits all its waits together', async () => {
    const host: ScriptHost = { call: () => delay(60) }
    const { type, limit } = await errorOf(waiting, { host, capabilities: ['targets.read'], wallMs: 150 })
    assert.deepEqual([type, limit], ['timeout', 'wall'])
  })
})

test('the time until the first thread is ready does not count as waiting for one', async (t) => {
  const cold = createSandbox({ cores: 1, threadsPerCore: 1 })
  const starts = once(process, 'worker')
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const running = cold.run({ source: returning('1') }, options)
  await starts
  for (let waits = 0; waits < 3; waits++) t.mock.timers.tick(sandboxLimits.waitMs)
  const result = await running
  t.mock.timers.reset()
  await cold.close()
  assert.deepEqual(result.type === 'success' && result.value, 1)
})

test('the time until a further thread is ready does not count as waiting for one', async (t) => {
  const cold = createSandbox({ cores: 2, threadsPerCore: 1 })
  const leaving = new AbortController()
  const busy = cold.run(
    { source: returning('(() => { for (;;); })()') },
    { ...options, cpuMs: 60_000, signal: leaving.signal },
  )
  await once(process, 'worker')
  const starts = once(process, 'worker')
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await starts
  const running = cold.run({ source: returning('1') }, { ...options, account: 2 })
  await new Promise(setImmediate)
  for (let waits = 0; waits < 3; waits++) t.mock.timers.tick(sandboxLimits.waitMs)
  const result = await running
  leaving.abort()
  await busy
  t.mock.timers.reset()
  await cold.close()
  assert.deepEqual(result.type === 'success' ? result.value : result.error, 1)
})

describe('expressions evaluated in the sandbox', () => {
  test('each returns its own value or error', async () => {
    const results = await sandbox.evaluate(['data.total * 2', 'data.none.x', '1); (2', 'this === globalThis'], {
      account: 1,
      seed: 'run',
      globals: { data: { total: 21 } },
    })
    const [value, thrown, split] = results
    assert.deepEqual(value, { type: 'success', value: 42 })
    assert.deepEqual(thrown?.type === 'error' && [thrown.error.type, thrown.error.position], [
      'script',
      { line: 1, column: 10 },
    ])
    assert.equal(split?.type, 'error')
  })
})

describe('script checks', () => {
  const check = (source: string, more = {}) => sandbox.check({ source, ...more }, 1)

  test('a syntax error has its line and column', async () => {
    assert.deepEqual(await check('export default (i => {'), [
      {
        type: 'syntax',
        part: 'script',
        name: null,
        position: { line: 1, column: 23 },
        message: "unexpected token in expression: ''",
      },
    ])
  })

  test('a missing default export is found without running the module', async () => {
    const [flaw] = await check('for (;;) {}; export const a = 1')
    assert.deepEqual(flaw, {
      type: 'missing-export',
      part: 'script',
      name: null,
      message: 'The script has no default export.',
    })
  })

  test('a valid script has no flaws, whatever its length and whatever was checked before', async () => {
    for (let length = 0; length < 200; length++) {
      const source = `import { a } from "a"; export default () => a + ${length}${' '.repeat(length)}`
      const imports = [{ name: 'a', source: `import "b"; export { b as a } from "b"${' '.repeat(length)}` }]
      const other = { name: 'b', source: 'export const b = 1' }
      assert.deepEqual(await check(source, { imports: [...imports, other] }), [], String(length))
      await check(length % 2 === 0 ? source : `${source})`)
    }
  })
})

test('built-in functions are always available', async () => {
  const value = await valueFrom(`export default () => [
    crypto.hash('sha256', 'a').slice(0, 8), crypto.hmac('md5', 'k', 'a').length, base64.decode(base64.encode('é')),
    date.format('2026-01-05T10:00:00Z', '%Y-%m-%d %H:%M', 'Europe/Paris'),
    date.add(new Date(0), { unit: 'DAY', value: 1 }), new Date(2026, 6, 1).getTimezoneOffset(),
  ]`)
  assert.deepEqual(value, ['ca978112', 32, 'é', '2026-01-05 11:00', '1970-01-02T00:00:00.000Z', 0])
  assert.equal((await errorOf("export default () => crypto.hash('none', 'a')")).type, 'script')
})

test('dates without a time are the same day in every zone for the functions of dates', async () => {
  const of = (day: string, zone: string) =>
    valueFrom(`export default () => [
      date.format('${day}', '%F %a', '${zone}'), date.add('${day}', { unit: 'MONTH', value: 6 }, '${zone}'),
      date.add('${day}', { unit: 'MONTH', value: 1, type: 'calendar' }, '${zone}'),
    ]`)
  for (const zone of ['America/New_York', 'Pacific/Auckland', 'UTC'])
    for (const day of ['1990-05-17T00:00:00.000Z', '1990-05-17'])
      assert.deepEqual(
        await of(day, zone),
        ['1990-05-17 Thu', '1990-11-17T00:00:00.000Z', '1990-06-01T00:00:00.000Z'],
        `${day} in ${zone}`,
      )
  const moment = '1990-05-17T00:00:00.001Z'
  const evening = ['1990-05-16 Wed', '1990-11-17T01:00:00.001Z', '1990-06-01T04:00:00.000Z']
  assert.deepEqual(await of(moment, 'America/New_York'), evening)
})
