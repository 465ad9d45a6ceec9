import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findHostFunctionUses } from '../../../src/scripting/uses-of-functions.ts'
import { startHarness } from '../../support/harness.ts'
import { type GivenWorkflow, workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const stage = workflowStage(harness)

const script = (value: string) => ({ type: 'script', value })

async function runOf(given: GivenWorkflow, data: Record<string, unknown> = {}): Promise<string> {
  const started = await stage.start(await stage.activate(given), { data })
  assert.equal(started.type, 'started')
  return (started as { id: string }).id
}

describe('script expressions in workflow runs', () => {
  const bySum = {
    nodes: [
      {
        id: 'sum',
        type: 'switch',
        default: true,
        settings: {
          value: script('data.items.reduce((sum, {price}) => sum + price, 0) > 100 ? "big" : "small"'),
          cases: [
            { value: 'big', next: 'big' },
            { value: 'small', next: 'small' },
          ],
        },
      },
      { id: 'big', type: 'terminal', settings: { outcome: 'big' } },
      { id: 'small', type: 'terminal', settings: { outcome: 'small' } },
    ],
  }

  test('see the scope of their own run', async () => {
    const workflow = await stage.activate(bySum)
    const prices = Array.from({ length: 120 }, (_, n) => [n, n])
    const ids: string[] = []
    for (const [one = 0, other = 0] of prices) {
      const started = await stage.start(workflow, { data: { items: [{ price: one }, { price: other }] } })
      ids.push((started as { id: string }).id)
    }
    await stage.work()
    const outcomes = await Promise.all(ids.map(async (id) => (await stage.run(id))['outcome']))
    assert.deepEqual(
      outcomes,
      prices.map(([n = 0]) => (2 * n > 100 ? 'big' : 'small')),
    )
  })

  test('fail the node with their message when they throw', async () => {
    const id = await runOf(bySum, { items: null })
    await stage.work()
    const { status, reason } = await stage.run(id)
    assert.equal(status, 'failed')
    assert.match(String(reason), /^script: .*null/)
  })

  test('templates can call the filters of the definition', async () => {
    const id = await runOf(
      {
        scripting: { filters: [{ name: 'twice', value: '(text, glue) => text + glue + text // both' }] },
        nodes: [
          {
            id: 'a',
            type: 'switch',
            default: true,
            settings: {
              value: { type: 'template', value: '{{ data.name | twice: "-" | upcase }}' },
              cases: [{ value: 'ANN-ANN', next: 'end' }],
            },
          },
          { id: 'end', type: 'terminal', settings: { outcome: 'ok' } },
        ],
      },
      { name: 'ann' },
    )
    await stage.work()
    assert.equal((await stage.run(id))['outcome'], 'ok')
  })
})

describe('flaws of workflow scripts', () => {
  const flawsOf = async (workflow: object) => {
    const { status, body } = await harness.call('POST', '/scripting/workflows', { body: { name: 'f', ...workflow } })
    assert.equal(status, 200, JSON.stringify(body))
    const { body: flaws } = await harness.call('GET', `/scripting/workflows/${body.id}/flaws`)
    return { id: body.id as number, flaws: flaws as { type: string; path: string; position?: object }[] }
  }
  const node = (settings: object, more: object = {}) => ({
    nodes: [{ id: 's', type: 'script', default: true, settings }],
    ...more,
  })
  const brief = (flaws: { type: string; path: string; position?: object }[]) =>
    flaws.map(({ type, path, position }) => [type, path, ...(position ? [Object.values(position).join(':')] : [])])

  test('a syntax error has its line and column and prevents activation', async () => {
    const { id, flaws } = await flawsOf(node({ value: 'const a = 1\nexport default (i => {' }))
    assert.deepEqual(
      flaws.map(({ type, path }) => [type, path]),
      [['syntax', '/nodes/0/settings/value']],
    )
    assert.equal((flaws[0]?.position as { line?: number } | undefined)?.line, 2)
    const { status, body } = await harness.call('POST', `/scripting/workflows/${id}/activation`)
    assert.deepEqual([status, body.flaws], [409, flaws])
  })

  test('a module without a default export is reported', async () => {
    const { flaws } = await flawsOf(node({ value: 'export const a = 1; throw new Error("ran")' }))
    assert.deepEqual(brief(flaws), [['missing-export', '/nodes/0/settings/value']])
  })

  test('use of a capability that is not granted is a warning at its place', async () => {
    const value = '// http.fetch\nexport default () => http.fetch("targets.get") ?? my.targets.get'
    const { id, flaws } = await flawsOf(node({ value }))
    assert.deepEqual(brief(flaws), [['missing-capability', '/nodes/0/settings/value', '2:22:10']])
    assert.equal((await harness.call('POST', `/scripting/workflows/${id}/activation`)).status, 204)
    const granted = { scripting: { environment: { capabilities: ['http.fetch'] } } }
    assert.deepEqual((await flawsOf(node({ value }, granted))).flaws, [])
  })

  test('imports, initializers, filters and expressions are checked as well', async () => {
    const scripting = {
      imports: [
        { type: 'source', name: 'good', value: 'export const x = 1' },
        { type: 'source', name: 'bad', value: 'export const' },
      ],
      initializers: [{ name: 'first', value: 'globalThis.a = ;' }],
      filters: [{ name: 'f', value: '(a => ' }],
    }
    const value = 'import {y} from "good"\nimport "none"\nexport default () => 1'
    const { flaws } = await flawsOf({
      scripting,
      nodes: [
        { id: 's', type: 'script', default: true, settings: { value }, next: 'i' },
        { id: 'i', type: 'if', settings: { condition: { type: 'script', value: '1 +\n* 2' } } },
      ],
    })
    const found = flaws.map(({ type, path }) => `${type} ${path}`)
    assert.deepEqual(found, [
      'unknown-reference /nodes/0/settings/value',
      'syntax /nodes/1/settings/condition/value',
      'syntax /scripting/filters/0/value',
      'syntax /scripting/imports/1/value',
      'syntax /scripting/initializers/0/value',
    ])
    assert.deepEqual((flaws[1]?.position as { line?: number } | undefined)?.line, 2)
  })

  test('an import without the requested export is reported', async () => {
    const scripting = { imports: [{ type: 'source', name: 'good', value: 'export const x = 1' }] }
    const { flaws } = await flawsOf(node({ value: 'import {y} from "good"\nexport default () => y' }, { scripting }))
    assert.deepEqual(brief(flaws), [['missing-export', '/nodes/0/settings/value']])
  })

  test('long texts of unclosed quotes and comments are parsed in linear time', () => {
    for (const piece of ["\\'", '/*', '"', "'\n", 'http .'])
      assert.deepEqual(findHostFunctionUses(piece.repeat(128 * 1024)), [], piece)
  })
})

describe('script nodes', () => {
  const node = (value: string, more: object = {}, given: object = {}) => ({
    scripting: given,
    nodes: [
      { id: 's', type: 'script', default: true, settings: { value, into: 'out', ...more }, next: 'end' },
      { id: 'end', type: 'terminal', settings: { outcome: 'end' } },
      { id: 'gold', type: 'terminal', settings: { outcome: 'gold' } },
    ],
  })
  const performed = async (given: GivenWorkflow, data = {}) => {
    const id = await runOf(given, data)
    await stage.work()
    return stage.run(id)
  }

  test('store their value in a variable, with imports, initializers, arguments and environment', async () => {
    const scripting = {
      environment: { variables: { rate: 3 } },
      imports: [{ type: 'source', name: 'lib', value: 'export const twice = (n) => 2 * n' }],
      initializers: [{ name: 'first', value: 'globalThis.one = 1' }],
    }
    const value = `import { twice } from "lib"
      export default async ({ data, arguments: given, environment, contact, stamp }) =>
        ({ n: twice(data.n) + one + environment.rate, given, contact, same: stamp.id === stamp.thread })`
    const given = { arguments: { name: { type: 'template', value: '{{ data.n }}!' } } }
    const { variables, outcome } = await performed(node(value, given, scripting), { n: 5 })
    const out = { n: 14, given: { name: '5!' }, contact: null, same: true }
    assert.deepEqual([outcome, variables], ['end', { out }])
  })

  test('leave by the output they name, and an unknown output is a permanent error', async () => {
    const outputs = { outputs: { gold: 'gold' } }
    const value = 'export default ({ data }) => ({ output: data.label, value: 7 })'
    const gold = await performed(node(value, outputs), { label: 'gold' })
    assert.deepEqual([gold['outcome'], gold['variables']], ['gold', { out: 7 }])
    assert.equal((await performed(node(value, outputs), { label: null }))['outcome'], 'end')
    for (const label of ['silver', 3, undefined, 'constructor']) {
      const { status, reason } = await performed(node(value, outputs), { label })
      assert.equal(status, 'failed')
      assert.match(String(reason), /^result: /)
    }
  })

  test('fail with the type of their error when they throw, never settle, time out or return an invalid value', async () => {
    const failing = [
      ['export default () => { throw new Error("no luck") }', /^script: no luck/],
      ['export default () => new Promise(() => {})', /^script: /],
      ['export default () => { while (true); }', /^timeout: /],
      ['export default () => 1n', /^result: /],
      ['export default () => typeof http + typeof targets', undefined],
    ] as const
    for (const [value, reason] of failing) {
      const run = await performed(node(value))
      if (reason) assert.match(String(run['reason']), reason)
      else assert.deepEqual(run['variables'], { out: 'undefinedundefined' })
    }
  })

  test('random values differ between runs', async () => {
    const value = 'export default () => [Math.random(), crypto.randomUUID()]'
    const [one, other] = [await performed(node(value)), await performed(node(value))]
    assert.notDeepEqual(one['variables'], other['variables'])
  })
})
