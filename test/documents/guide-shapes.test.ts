import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { differences, isText } from '../support/guides/shape.ts'

suite('JSON shown in a guide', () => {
  test('must have the same members and values as the real answer, except ids and instants', () => {
    const shown = { id: '019512a0-7c11-7d2e-9a42-0c1de0a5b001', at: '2026-03-01T09:00:00.000Z', state: 20, none: null }
    const other = { ...shown, id: '019b78c9-0a80-70fa-807f-3375bd03d3e7', at: '2027-01-01T00:00:00.123Z' }
    assert.deepEqual(differences(shown, other), [])
    assert.deepEqual(differences(shown, { ...other, state: 30 }), ['/state is 30, not 20'])
    assert.deepEqual(differences(shown, { ...other, state: '20' }), ['/state is "20", not 20'])
    assert.deepEqual(differences(shown, { ...other, none: {} }), ['/none is {}, not null'])
    assert.deepEqual(differences(shown, { ...other, at: 'now' }), [`/at is "now", not "${shown.at}"`])
    const { state: _, ...less } = other
    assert.deepEqual(differences(shown, less), ['/state is missing'])
    assert.deepEqual(differences(shown, { ...other, more: 1 }), ['/more is not in the guide'])
  })

  test('may leave out members and values with "…"', () => {
    assert.deepEqual(differences({ a: 1, '…': '…' }, { a: 1, b: 2 }), [])
    assert.deepEqual(differences({ a: 1, '…': '…' }, { b: 2 }), ['/a is missing'])
    assert.deepEqual(differences({ a: '…' }, { a: [1, { b: 2 }] }), [])
    assert.deepEqual(differences([1, '…'], [1, 2, 3]), [])
    assert.deepEqual(differences([1, 2, '…'], [1]), [' has 1 items'])
    assert.deepEqual(differences([1], [1, 2]), [' has 2 items'])
    assert.deepEqual(differences([{ a: 'x…z' }], [{ a: 'xyz' }]), [])
    assert.deepEqual(differences([{ a: 'x…z' }], [{ a: 'xy' }]), ['/0/a is "xy", not "x…z"'])
  })
})

test('text shown in a guide must match line by line, except for marked gaps', () => {
  assert.ok(isText('a\nb\n', 'a \nb'))
  assert.ok(!isText('a\nb', 'a\nb\nc'))
  assert.ok(!isText('a', 'b'))
  assert.ok(isText('; … (1)\n', '; any (1)\n'))
  assert.ok(!isText('; … (1)\n', '; any 1\n'))
  assert.ok(isText('a\n…\nz\n', 'a\nz\n'))
  assert.ok(isText('a\n…\nz\n', 'a\nb\nc\nz\n'))
  assert.ok(!isText('a\n…\nz\n', 'a\nb\n'))
})
