import assert from 'node:assert/strict'
import { test } from 'node:test'
import { within } from '#test/support/processes/processor-time.ts'
import { truncateAuditChanges } from './bounds.ts'
import { diffAuditSnapshots } from './changes.ts'
import { maskAuditChangeTexts, maskPersonalText } from './masking.ts'

const fields = [
  { id: 3, name: 'Email' },
  { id: 7, name: 'Customer number' },
]

function between(before: object | null, after: object | null, given?: unknown) {
  return diffAuditSnapshots({ before, after, given }, fields)
}

test('changes name only the innermost members that differ', () => {
  assert.deepEqual(
    between(
      { id: 1, name: 'a', settings: { size: 1, mode: 'x' } },
      { id: 1, name: 'a', settings: { size: 2, mode: 'x' } },
    ),
    { '/settings/size': [1, 2] },
  )
  assert.deepEqual(between({ name: 'a' }, { name: 'a' }), {})
})

test('pointers escape "/" and "~"', () => {
  assert.deepEqual(between({ map: { 'a/b~c': 1 } }, { map: { 'a/b~c': 2 } }), { '/map/a~1b~0c': [1, 2] })
})

test('an item inserted into or removed from a list is one change', () => {
  assert.deepEqual(between({ list: [1, 2, 3] }, { list: [1, 9, 2, 3] }), { '/list/1': [null, 9] })
  assert.deepEqual(between({ list: [1, 2, 3] }, { list: [1, 3] }), { '/list/1': [2, null] })
  assert.deepEqual(between({ list: [{ a: 1 }, { a: 2 }] }, { list: [{ a: 1 }, { a: 3 }] }), { '/list/1/a': [2, 3] })
})

test("a created or deleted object is reported by its members, without the service's dates", () => {
  const shown = { id: 1, name: 'a', description: null, creationDate: '2026-01-01T00:00:00.000Z' }
  assert.deepEqual(between(null, shown), { '/id': [null, 1], '/name': [null, 'a'] })
  assert.deepEqual(between(shown, null), { '/id': [1, null], '/name': ['a', null] })
})

test('literals of criteria are masked on identifying fields only', () => {
  const criteria = (value: unknown, age: number) => ({
    criteria: {
      all: [
        { type: 'field', field: 3, operator: 'equals', value },
        { type: 'field', field: 4, operator: 'greater', value: age },
      ],
    },
  })
  assert.deepEqual(between(criteria('ann@shop.example', 3), criteria('bob@shop.example', 4)), {
    '/criteria/all/0/value': ['***', '***'],
    '/criteria/all/1/value': [3, 4],
  })
  assert.deepEqual(between(criteria(['C-1', 'C-2'], 3), criteria(['C-1', 'C-3'], 3)), {
    '/criteria/all/0/value/1': ['***', '***'],
  })
})

test('literals of comparisons, switches, templates and scripts are masked when they use an identifying field', () => {
  const compare = (right: string) => ({
    condition: {
      type: 'compare',
      left: { type: 'path', value: 'row.fields.7' },
      operator: 'equals',
      right: { type: 'literal', value: right },
    },
  })
  assert.deepEqual(between(compare('C-1'), compare('C-2')), { '/condition/right/value': ['***', '***'] })
  const cases = (value: string) => ({
    settings: { value: { type: 'path', value: 'contact.fields["Customer number"]' }, cases: [{ value, next: 'n1' }] },
  })
  assert.deepEqual(between(cases('C-1'), cases('C-2')), { '/settings/cases/0/value': ['***', '***'] })
  assert.deepEqual(between({ html: 'a' }, { html: '{% if contact.fields.7 == "C-1" %}{{ "C-9" }}{% endif %}' }), {
    '/html': ['a', '{% if contact.fields.7 == "***" %}{{ "C-9" }}{% endif %}'],
  })
  assert.deepEqual(
    between({ value: 'a' }, { value: 'const x = "kept";\nif (contact.fields.Email === "x") return 12345' }),
    {
      '/value': ['a', 'const x = "kept";\nif (contact.fields.Email === "***") return ***'],
    },
  )
})

test('secrets are masked, and writing one is reported although its value is never shown', () => {
  assert.deepEqual(
    between(
      { environment: { secrets: { shop: '***' } } },
      { environment: { secrets: { shop: '***' } } },
      { environment: { secrets: { shop: 'hunter2' } } },
    ),
    { '/environment/secrets/shop': ['***', '***'] },
  )
  assert.deepEqual(
    between(
      { providers: [{ type: 'firebase', key: null, fingerprint: 'aa' }] },
      { providers: [{ type: 'firebase', key: null, fingerprint: 'bb' }] },
      { providers: [{ type: 'firebase', key: '{"private":1}' }] },
    ),
    { '/providers/0/fingerprint': ['aa', 'bb'], '/providers/0/key': ['***', '***'] },
  )
  assert.deepEqual(between(null, { secret: 'whsec_1', name: 'a' }), { '/secret': [null, '***'], '/name': [null, 'a'] })
  const header = (value: string) => ({ headers: { Authorization: { type: 'literal', value } } })
  assert.deepEqual(between(header('Bearer 1'), header('Bearer 2')), { '/headers/Authorization/value': ['***', '***'] })
})

test('addresses and numbers are masked in every text, but ids, versions and amounts are not', () => {
  for (const [text, masked] of [
    ['write to ann.o+x@shop.example now', 'write to *** now'],
    ['ann%40shop.example', '***'],
    ['+33 6 12 34 56 78', '***'],
    ['call 0612345678', 'call ***'],
    ['0033612345678', '***'],
    ['33612345678', '***'],
    ['https://me:secret@host.example/x', 'https://***@host.example/x'],
    ['0193c0de-7000-7000-8000-000000000041', '0193c0de-7000-7000-8000-000000000041'],
    ['2026-01-05T10:00:00.000Z', '2026-01-05T10:00:00.000Z'],
    ['width: 1200px; 12345', 'width: 1200px; 12345'],
  ] as const)
    assert.equal(maskPersonalText(text), masked)
})

test("the account's own addresses are not masked", () => {
  assert.deepEqual(maskAuditChangeTexts({ '/content/headers/reply': ['a@b.example', 'c@d.example'] }), {
    '/content/headers/reply': ['a@b.example', 'c@d.example'],
  })
})

test('changes fit into 16 KiB: long values are replaced by their lengths, then excess changes by their number', () => {
  const long = 'x'.repeat(20_000)
  assert.deepEqual(truncateAuditChanges({ '/a': [null, 1], '/html': [null, long] }), {
    kept: { '/a': [null, 1], '/html': [null, { omitted: 20_002 }] },
    omitted: 0,
  })
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`/list/${n}`, [null, n] as const]))
  const { kept, omitted } = truncateAuditChanges(many)
  assert.equal(Object.keys(kept).length + omitted, 2000)
  assert.ok(Buffer.byteLength(JSON.stringify(kept)) <= 16 * 1024)
  assert.ok(omitted > 0)
})

test('masking time grows linearly with the text', () => {
  within(1000, () => {
    maskPersonalText(`${'a.'.repeat(8000)}@`)
    maskPersonalText('1 '.repeat(8000))
    maskPersonalText(`${'://'.repeat(5000)}`)
  })
})
