import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Problem } from '../../lib/errors/problem.ts'
import { applyJsonPatch } from './json-patch.ts'
import { applyMergePatch } from './patch.ts'

suite('merge patch (RFC 7396)', () => {
  const cases: [target: unknown, patch: unknown, result: unknown][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [['a'], { b: 1 }, { b: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  ]
  for (const [target, patch, result] of cases) {
    test(`merges ${JSON.stringify(patch)} into ${JSON.stringify(target)}`, () => {
      const before = structuredClone(target)
      assert.deepEqual(applyMergePatch(target, patch), result)
      assert.deepEqual(target, before)
    })
  }
})

suite('JSON Patch (RFC 6902)', () => {
  const target = { a: { b: [1, 2] } }

  test('applies operations in order without changing the original', () => {
    const operations = [
      { op: 'add', path: '/a/b/-', value: 3 },
      { op: 'remove', path: '/a/b/0' },
      { op: 'copy', from: '/a/b', path: '/c' },
      { op: 'test', path: '/c/0', value: 2 },
    ]
    assert.deepEqual(applyJsonPatch(target, operations), { a: { b: [2, 3] }, c: [2, 3] })
    assert.deepEqual(target, { a: { b: [1, 2] } })
  })

  test('returns 400 for an unknown path and 409 for a failed test, and changes nothing', () => {
    const change = { op: 'remove', path: '/a/b/0' }
    assert.throws(
      () => applyJsonPatch(target, [change, { op: 'replace', path: '/x/y', value: 1 }]),
      (error) => error instanceof Problem && error.status === 400,
    )
    assert.throws(
      () => applyJsonPatch(target, [change, { op: 'test', path: '/a/b/0', value: 9 }]),
      (error) => error instanceof Problem && error.status === 409,
    )
    assert.deepEqual(target, { a: { b: [1, 2] } })
  })

  const cases: [name: string, target: unknown, operations: object[], result: unknown][] = [
    ['A.1 adds a member', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
    ['A.2 adds an item', { foo: [1, 3] }, [{ op: 'add', path: '/foo/1', value: 2 }], { foo: [1, 2, 3] }],
    ['A.3 removes a member', { baz: 1, foo: 2 }, [{ op: 'remove', path: '/baz' }], { foo: 2 }],
    ['A.4 removes an item', { foo: [1, 2, 3] }, [{ op: 'remove', path: '/foo/1' }], { foo: [1, 3] }],
    ['A.5 replaces', { baz: 1, foo: 2 }, [{ op: 'replace', path: '/baz', value: 3 }], { baz: 3, foo: 2 }],
    [
      'A.6 moves a value',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'A.7 moves an item',
      { foo: [1, 2, 3, 4] },
      [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      { foo: [1, 3, 4, 2] },
    ],
    [
      'A.10 adds an object',
      { foo: 1 },
      [{ op: 'add', path: '/child', value: { a: {} } }],
      { foo: 1, child: { a: {} } },
    ],
    ['A.11 passes over unknown members', {}, [{ op: 'add', path: '/a', value: 1, xyz: 1 }], { a: 1 }],
    ['A.14 reads ~01 as ~1', { '~1': 9 }, [{ op: 'test', path: '/~01', value: 9 }], { '~1': 9 }],
    ['A.16 appends', { foo: [1] }, [{ op: 'add', path: '/foo/-', value: [2] }], { foo: [1, [2]] }],
    ['replaces the whole document', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
    ['an empty name is a name', { '': 1 }, [{ op: 'move', from: '/', path: '/a~1b' }], { 'a/b': 1 }],
  ]
  for (const [name, before, operations, result] of cases) {
    test(name, () => assert.deepEqual(applyJsonPatch(before, operations), result))
  }

  test('returns 400 for an invalid pointer, an unknown path and a prototype, and changes nothing', () => {
    const document = { list: [1, 2], text: 'text', object: {} }
    for (const [operation, detail] of [
      [{ op: 'add', path: 'text', value: 1 }, /JSON pointer/],
      [{ op: 'add', path: 7, value: 1 }, /JSON pointer/],
      [{ op: 'add', path: '/a~2b', value: 1 }, /JSON pointer/],
      [{ op: 'add', path: '/a~', value: 1 }, /JSON pointer/],
      [{ op: 'copy', path: '/a' }, /"from" must be/],
      [{ op: 'move', from: null, path: '/a' }, /"from" must be/],
      [{ op: 'copy', from: 'text', path: '/a' }, /"from" must be/],
      [{ op: 'add', path: '/a' }, /"value" is required/],
      [{ op: 'add', path: '/__proto__/polluted', value: 1 }, /not accepted/],
      [{ op: 'copy', from: '/constructor', path: '/a' }, /not accepted/],
      [{ op: 'copy', from: '/toString', path: '/a' }, /its path does not exist/],
      [{ op: 'replace', path: '/list/length', value: 0 }, /its path does not exist/],
      [{ op: 'add', path: '/list/01', value: 0 }, /its path does not exist/],
      [{ op: 'add', path: '/list/3', value: 0 }, /its path does not exist/],
      [{ op: 'remove', path: '/list/-' }, /its path does not exist/],
      [{ op: 'add', path: '/text/0', value: 0 }, /its path does not exist/],
      [{ op: 'move', from: '/object', path: '/object/a' }, /into itself/],
      [null, /"op" must be/],
    ] as const) {
      assert.throws(
        () => applyJsonPatch(document, [{ op: 'remove', path: '/text' }, operation]),
        (error) =>
          error instanceof Problem &&
          error.status === 400 &&
          error.kind === 'invalid-patch' &&
          detail.test(error.detail) &&
          error.errors?.[0]?.pointer === '/1',
        JSON.stringify(operation),
      )
    }
    assert.deepEqual(document, { list: [1, 2], text: 'text', object: {} })
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
  })

  test('allows at most 100 operations, and no result larger or deeper than a body', () => {
    const add = (count: number) => Array.from({ length: count }, () => ({ op: 'add', path: '/a', value: 1 }))
    assert.deepEqual(applyJsonPatch({}, add(100)), { a: 1 })
    const isRefused = (error: unknown) => error instanceof Problem && error.status === 400
    assert.throws(() => applyJsonPatch({}, add(101)), isRefused)
    const doubling = Array.from({ length: 27 }, (_, n) => ({ op: 'copy', from: '', path: `/${n}` }))
    assert.throws(() => applyJsonPatch({ text: 'x'.repeat(100) }, doubling), /larger than/)
    const big = { text: 'x'.repeat(3_000_000) }
    assert.throws(() => applyJsonPatch(big, Array(4).fill({ op: 'copy', from: '/text', path: '/copy' })), /larger than/)
    const nesting = Array.from({ length: 100 }, (_, n) => ({
      op: 'copy',
      from: '',
      path: '/a'.repeat(2 ** Math.min(n, 12)),
    }))
    assert.throws(() => applyJsonPatch({ a: {} }, nesting), isRefused)
  })

  test('returns 400 for an invalid list of operations and names the first invalid one', () => {
    assert.throws(() => applyJsonPatch(target, {}), /array of operations/)
    assert.throws(
      () =>
        applyJsonPatch(target, [
          { op: 'add', path: '/d', value: 1 },
          { op: 'shout', path: '/a' },
        ]),
      /Operation 1/,
    )
  })
})
