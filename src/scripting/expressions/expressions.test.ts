import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { flattenLiquidErrors, unwrapLiquidError } from '../../features/rendering/flaws.ts'
import type { ProblemFault } from '../../lib/errors/problem.ts'
import { compileExpression, createCompileContext } from './compile.ts'
import { evaluateExpression, evaluateExpressionSync, isConditionTrue, needsSandbox } from './evaluate.ts'
import { expressionShape, RUN_EXPRESSION_ROOTS } from './expression.ts'
import type { DefinitionExpression, ExpressionResultType } from './expression-types.ts'
import { parseExpressionPath, readValueAtPath } from './paths.ts'
import type { ScriptEvaluator, ScriptFilterCall } from './scripts-port.ts'

const fields = [
  { id: 1, name: 'Firstname' },
  { id: 12, name: 'Age' },
]
const scope = {
  values: {
    contact: { id: '000R4M0T', Firstname: 'Ann', fields: { 1: 'Ann', Firstname: 'Ann', 12: 30, Age: 30 } },
    data: { total: 10, items: [{ name: 'cup' }, { name: 'jug' }], 'first name': 'x' },
    variables: { code: 'A<B' },
    now: '2026-01-05T10:00:00.000Z',
  },
  zone: 'Europe/Paris',
  now: Date.parse('2026-01-05T10:00:00.000Z'),
}
const nothing: ScriptEvaluator = {
  evaluate: async (source, names) => `${source} of ${Object.keys(names).join()}`,
  filter: async ({ source, input, arguments: given }) => `${source}(${[input, ...given].join()})`,
}

function read(given: unknown, plain = false): { value: DefinitionExpression; faults: ProblemFault[] } {
  const faults: ProblemFault[] = []
  const place = { pointer: '', reading: { faults, strict: false, makeId: () => 'id' } }
  return { value: expressionShape('any', { plain }).read(given, place), faults }
}

const position = (result: ExpressionResultType = 'any') => ({
  result,
  roots: RUN_EXPRESSION_ROOTS,
  allowed: ['literal', 'path', 'template', 'script'] as const,
})

function compile(
  given: DefinitionExpression,
  result?: ExpressionResultType,
  filters: { name: string; value: string }[] = [],
) {
  return compileExpression(given, '/x', position(result), createCompileContext('en-US', filters, fields))
}

const resultOf = (given: DefinitionExpression) => evaluateExpressionSync(compile(given).compiled!, scope)
const path = (value: string): DefinitionExpression => ({ type: 'path', value })
const template = (value: string): DefinitionExpression => ({ type: 'template', value })

suite('expression input', () => {
  test('bare scalars become literals', () => {
    for (const value of ['promo', 1, true, null]) assert.deepEqual(read(value).value, { type: 'literal', value })
  })

  test('an unknown type is refused with the list of known types', () => {
    assert.deepEqual(read({ type: 'jsonata', value: 'x' }).faults, [
      { pointer: '/type', detail: 'must be one of literal, path, template, script' },
    ])
    assert.deepEqual(read({ type: 'script', value: '1' }, true).faults, [
      { pointer: '/type', detail: 'must be one of literal, path, template' },
    ])
  })

  test('objects and arrays are accepted only as literals', () => {
    assert.equal(read([1]).faults.length, 1)
    assert.equal(read({ a: 1 }).faults.length, 1)
    assert.deepEqual(read({ type: 'literal', value: [1, { a: null }] }).value, {
      type: 'literal',
      value: [1, { a: null }],
    })
  })

  test('32 KB are accepted and one more character is refused', () => {
    assert.deepEqual(read({ type: 'path', value: 'x'.repeat(32 * 1024) }).faults, [])
    for (const given of [{ type: 'script', value: 'x'.repeat(32 * 1024 + 1) }, 'x'.repeat(32 * 1024 + 1)])
      assert.equal(read(given).faults.length, 1)
  })
})

suite('path expressions', () => {
  test('have steps by name, index and quoted name', () => {
    assert.deepEqual(parseExpressionPath('contact.fields.12'), ['contact', 'fields', '12'])
    assert.deepEqual(parseExpressionPath('data.items[0].name'), ['data', 'items', '0', 'name'])
    assert.deepEqual(parseExpressionPath(`row["first name"]['it\\'s']`), ['row', 'first name', "it's"])
  })

  test('are null for missing members, and no member is inherited', () => {
    const given: [string, unknown][] = [
      ['contact.fields.12', 30],
      ['contact.Firstname', 'Ann'],
      ['data.items[1].name', 'jug'],
      ['data["first name"]', 'x'],
      ['data.gone.further[3]', null],
      ['data.items.length', null],
      ['data.items[9]', null],
      ['contact.constructor.name', null],
      ['data.__proto__', null],
      ['data.total.toFixed', null],
    ]
    for (const [text, value] of given)
      assert.deepEqual(readValueAtPath(scope.values, parseExpressionPath(text)), value, text)
  })

  test('have at most 32 steps, and a fault reports its column', () => {
    assert.equal(parseExpressionPath(`a${'.b'.repeat(31)}`).length, 32)
    for (const [text, column] of [
      [`a${'.b'.repeat(32)}`, 64],
      ['data..x', 5],
      ['data[x]', 5],
      ['', 1],
      ['1a', 1],
    ] as const) {
      const { compiled, flaws } = compile(path(text))
      assert.equal(compiled, undefined)
      assert.deepEqual(
        [flaws[0]?.type, flaws[0]?.path, flaws[0]?.position?.column],
        ['syntax', '/x/value', column],
        text,
      )
    }
  })
})

suite('template expressions', () => {
  test('print without escaping, and missing values are empty', () => {
    assert.equal(
      resultOf(template('{{ variables.code }}|{{ data.gone }}|{{ contact.Firstname }}|{{ total }}')),
      'A<B||Ann|10',
    )
    assert.equal(resultOf(template("{{ now | date: '%H:%M' }}")), '11:00')
  })

  test('fail beyond 256 KB and for endless loops', () => {
    const long = template(`{% for a in (1..600) %}{{ "${'x'.repeat(500)}" }}{% endfor %}`)
    assert.throws(() => resultOf(long), /256 KB/)
    assert.throws(() =>
      resultOf(template('{% for a in (1..9999) %}{% for b in (1..9999) %}{{ a }}{% endfor %}{% endfor %}')),
    )
  })

  test('report the position of unknown tags and filters, which include cancel and tracked', () => {
    const flawsOf = (text: string) =>
      compile(template(text)).flaws.map(({ type, position: at }) => [type, at?.line, at?.column])
    assert.deepEqual(flawsOf('a\n{{ x | nope }}')[0], ['unknown-filter', 2, 1])
    assert.equal(flawsOf("{{ 'https://a.test' | tracked }}")[0]?.[0], 'unknown-filter')
    assert.equal(flawsOf('{% cancel %}')[0]?.[0], 'syntax')
    assert.equal(flawsOf('{% if x %}')[0]?.[0], 'syntax')
  })

  test('call filters of the definition in the sandbox', async () => {
    const { compiled, flaws } = compile(template('{{ data.total | twice: 2 }}!'), 'any', [
      { name: 'twice', value: 'f' },
    ])
    assert.deepEqual(flaws, [])
    assert.equal(needsSandbox(compiled!), true)
    assert.equal(await evaluateExpression(compiled!, scope, nothing), 'f(10,2)!')
    assert.throws(() => evaluateExpressionSync(compiled!, scope), /sandbox/)
  })

  test('have the same limits when they use a filter of the definition', async () => {
    const tooMuch = {
      '{% assign a = "ab" %}{% for i in (1..40) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}': /20 MB/,
      '{% assign a = "a" | split: "," %}{% for i in (1..40) %}{% assign a = a | push: a %}{% endfor %}{{ a }}': /20 MB/,
      '{% for i in (9007199254740992..9007199254740994) %}{% endfor %}': /ends of a range/,
      '{% for i in (1..1999999) %}{% endfor %}': /200,000/,
    }
    for (const [text, message] of Object.entries(tooMuch)) {
      const { compiled } = compile(template(`${text}{{ 1 | twice }}`), 'any', [{ name: 'twice', value: 'f' }])
      const isLimit = (error: unknown) => message.test(String(flattenLiquidErrors(error).map(unwrapLiquidError)[0]))
      await assert.rejects(evaluateExpression(compiled!, scope, nothing), isLimit, text)
    }
  })
})

suite('templates with filters of the definition', () => {
  const rendered = (filter: ScriptEvaluator['filter']) => {
    const { compiled } = compile(template('{{ 1 | twice }}{{ 2 | twice }}'), 'any', [{ name: 'twice', value: 'f' }])
    return evaluateExpression(compiled!, scope, { ...nothing, filter })
  }
  const isTooLong = (error: unknown) =>
    /longer than 10000 ms/.test(String(flattenLiquidErrors(error).map(unwrapLiquidError)[0]))

  test('may wait for their filters for a minute, even on a busy machine', async (t) => {
    const now = performance.now.bind(performance)
    let ahead = 0
    t.mock.method(performance, 'now', () => now() + ahead)
    const after = (ms: number) => async (call: ScriptFilterCall) => {
      ahead += ms
      return nothing.filter(call)
    }
    assert.equal(await rendered(after(25_000)), 'f(1)f(2)')
    await assert.rejects(rendered(after(60_001)), isTooLong)
  })

  test('compute no longer than 10 s together with their filters', async (t) => {
    const now = performance.now.bind(performance)
    let ahead = 0
    t.mock.method(performance, 'now', () => now() + ahead)
    const computing = (ms: number) => async (call: ScriptFilterCall) => {
      ahead += ms
      call.onSpent?.(ms)
      return nothing.filter(call)
    }
    assert.equal(await rendered(computing(4000)), 'f(1)f(2)')
    await assert.rejects(rendered(computing(10_001)), isTooLong)
  })
})

suite('expression checks', () => {
  test('unknown names are errors in paths and warnings in templates', () => {
    const flawsOf = (given: DefinitionExpression) =>
      compile(given).flaws.map(({ type, severity }) => `${type} ${severity}`)
    assert.deepEqual(flawsOf(path('row.id')), ['unknown-variable error'])
    assert.deepEqual(flawsOf(path('run.nope')), ['unknown-variable error'])
    assert.deepEqual(flawsOf(path('contact.fields.13')), ['unknown-field error'])
    assert.deepEqual(flawsOf(path('contact.constructor.name')), ['unknown-field error'])
    assert.deepEqual(flawsOf(path('contact.fields.Age')), [])
    assert.deepEqual(flawsOf(template('{{ row.id }}')), ['unknown-variable warning'])
    assert.deepEqual(flawsOf(template('{{ contact.fields.13 }}')), ['unknown-field error'])
    assert.deepEqual(flawsOf(template('{% assign row = 1 %}{{ row }}{{ Age }}')), [])
  })

  test('literals must have the type of their position', () => {
    const table: [ExpressionResultType, unknown[], unknown[]][] = [
      ['string', ['a', null], [1, {}]],
      ['number', [1], ['1']],
      ['boolean', [true], ['true']],
      ['condition', [true, 'true', 'false'], ['yes', 1]],
      ['date', ['2026-01-01', 0], ['soon', true]],
      ['object', [{}], [[], 'a']],
      ['list', [[]], [{}]],
      ['identification', [{ type: 'id', value: '000R4M0T' }], [{ type: 'mail' }, 'a']],
    ]
    for (const [result, fine, wrong] of table) {
      for (const value of fine)
        assert.deepEqual(compile({ type: 'literal', value }, result).flaws, [], `${result} ${value}`)
      for (const value of wrong)
        assert.equal(compile({ type: 'literal', value }, result).flaws[0]?.type, 'type-mismatch', `${result} ${value}`)
    }
    assert.equal(compile(template('{}'), 'object').flaws[0]?.type, 'type-mismatch')
  })

  test('a condition holds only for true and the text "true"', () => {
    assert.deepEqual([true, 'true', false, 'false', 1, 'TRUE', null, {}].map(isConditionTrue), [
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ])
  })

  test('scripts receive all names of the scope', async () => {
    const { compiled } = compile({ type: 'script', value: 'data.total * 2' })
    assert.equal(await evaluateExpression(compiled!, scope, nothing), 'data.total * 2 of contact,data,variables,now')
  })
})
