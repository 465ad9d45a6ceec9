import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Problem } from '../lib/problem.ts'
import { jsonPatch, mergePatch } from './patch.ts'

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
    test(`${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () => {
      const before = structuredClone(target)
      assert.deepEqual(mergePatch(target, patch), result)
      assert.deepEqual(target, before)
    })
  }
})

suite('JSON Patch (RFC 6902)', () => {
  const target = { a: { b: [1, 2] } }

  test('applies operations in order and leaves the original alone', () => {
    const operations = [
      { op: 'add', path: '/a/b/-', value: 3 },
      { op: 'remove', path: '/a/b/0' },
      { op: 'copy', from: '/a/b', path: '/c' },
      { op: 'test', path: '/c/0', value: 2 },
    ]
    assert.deepEqual(jsonPatch(target, operations), { a: { b: [2, 3] }, c: [2, 3] })
    assert.deepEqual(target, { a: { b: [1, 2] } })
  })

  test('a path that is not there is 400, a test that fails 409, and nothing is changed', () => {
    assert.throws(
      () => jsonPatch(target, [{ op: 'replace', path: '/x/y', value: 1 }]),
      (error) => error instanceof Problem && error.status === 400,
    )
    assert.throws(
      () => jsonPatch(target, [{ op: 'test', path: '/a/b/0', value: 9 }]),
      (error) => error instanceof Problem && error.status === 409,
    )
  })

  test('what is no list of operations is 400, naming the first that is none', () => {
    assert.throws(() => jsonPatch(target, {}), /array of operations/)
    assert.throws(
      () =>
        jsonPatch(target, [
          { op: 'add', path: '/d', value: 1 },
          { op: 'shout', path: '/a' },
        ]),
      /Operation 1/,
    )
  })
})
