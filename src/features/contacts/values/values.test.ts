import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ContactFieldDefinition, FieldType } from '../fields/field-schemas.ts'
import type { StoredValue } from '../fields/identity.ts'
import { buildLabelIndex } from './list-value.ts'
import {
  compileValueReader,
  formatFieldValue,
  parseFieldValue,
  type ValueFaultKind,
  type ValueReadingOptions,
} from './values.ts'

const titles = buildLabelIndex({
  id: 7,
  name: 'Title',
  ordered: false,
  values: [
    { index: 2, value: 'Ms' },
    { index: 1, value: 'Mr' },
    { index: 4, value: '2' },
  ],
})

const options: ValueReadingOptions = { countries: ['FR'], dateOrder: 'dmy', labels: titles }
const cells: ValueReadingOptions = { ...options, cells: { labelSeparator: '|', decimalMark: 'point' } }

function field(type: FieldType, more: Partial<ContactFieldDefinition> = {}): ContactFieldDefinition {
  return { type, id: 101, name: 'Field', isUnicity: false, isMandatory: false, isCriterion: true, ...more }
}

function accepts(type: FieldType, cases: [unknown, StoredValue | null][], read = options): void {
  for (const [value, ok] of cases)
    assert.deepEqual(parseFieldValue(field(type), value, read), { ok }, `${type} ${JSON.stringify(value)}`)
}

function refuses(type: FieldType, cases: unknown[], fault: ValueFaultKind = 'invalid-value', read = options): void {
  for (const value of cases) {
    const reading = parseFieldValue(field(type), value, read)
    assert.equal('fault' in reading && reading.fault, fault, `${type} ${JSON.stringify(value)}`)
  }
}

const types: FieldType[] = [
  'email',
  'phone',
  'textField',
  'textArea',
  'numeric',
  'date',
  'singleSelectList',
  'multipleSelectList',
]

describe('field values of every type', () => {
  it('are empty for null, undefined, blanks and []', () => {
    for (const type of types)
      accepts(
        type,
        [null, '', '  ', [], undefined].map((value) => [value, null]),
      )
  })

  it('refuse booleans and objects', () => {
    for (const type of types) refuses(type, [true, false, {}, { value: 'x' }])
  })

  it('refuse lists, except for multiple-select fields', () => {
    for (const type of types.slice(0, -1)) refuses(type, [['x'], [['x']]])
  })

  it('cannot be emptied when mandatory', () => {
    const read = compileValueReader(field('textField', { isMandatory: true }), options)
    for (const value of [null, '', '   ', []]) {
      const reading = read(value)
      assert.equal('fault' in reading && reading.fault, 'mandatory-empty')
    }
    assert.deepEqual(read('x'), { ok: 'x' })
  })
})

describe('email values', () => {
  it('keep the local part and convert the domain to lower-case A-labels', () => {
    accepts('email', [
      [' Ann@EXAMPLE.org ', 'Ann@example.org'],
      ['ann@example.org', 'ann@example.org'],
      ['Ünïcode@HÄUSER.example', 'Ünïcode@xn--huser-gra.example'],
      ['ann@xn--huser-gra.example', 'ann@xn--huser-gra.example'],
      ['ann@例え。テスト', 'ann@xn--r8jz45g.xn--zckzah'],
      ['"a b@c"@example.org', '"a b@c"@example.org'],
      ["o'neil+tag@example.org", "o'neil+tag@example.org"],
    ])
  })

  it('refuse anything but a bare address with a dotted domain', () => {
    refuses('email', [
      'ann',
      '@example.org',
      'ann@',
      'a@b',
      'Ann <ann@example.org>',
      'ann@example.org, bob@example.org',
      'two@example.com,three@example.com',
      'a b@example.org',
      '.ann@example.org',
      'a..b@example.org',
      'ann@-example.org',
      'ann@exa_mple.org',
      'ann@example.org.',
      'ann@127.0.0.1',
      'ann@[127.0.0.1]',
      'ann@münchen%41.example',
      'ann@\ud800.example',
      'a\u0000b@example.org',
      12,
    ])
  })

  it('lose what copies and links put around them, and what nobody sees', () => {
    accepts('email', [
      ['\u202aann@example.org\u202c', 'ann@example.org'],
      ['ann\u200b@example\u00ad.org', 'ann@example.org'],
      ['\ufeffann@example.org', 'ann@example.org'],
      ["'ann@example.org", 'ann@example.org'],
      ['mailto:ann@example.org', 'ann@example.org'],
      ["o'neil@example.org", "o'neil@example.org"],
    ])
  })

  it('are refused with the name of a character that nobody sees', () => {
    const reading = parseFieldValue(field('email'), 'a\u0007b@example.org', options)
    assert.match('fault' in reading ? reading.detail : '', /without a name; it contains U\+0007$/)
  })

  it('allow at most 64 octets before the @ and 254 in total', () => {
    const local = 'l'.repeat(64)
    const domain = `${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(57)}.org`
    assert.equal(`${local}@${domain}`.length, 254)
    accepts('email', [[`${local}@${domain}`, `${local}@${domain}`]])
    refuses('email', [`${local}l@example.org`, `${local}@d${domain}`, `${'ü'.repeat(33)}@example.org`])
  })
})

describe('phone values', () => {
  it('are converted to E.164 from national and international forms', () => {
    accepts('phone', [
      ['01 23 45 67 89', '+33123456789'],
      ['+33 (0)1.23.45.67.89', '+33123456789'],
      ['0033-1-23-45-67-89', '+33123456789'],
      ['+44 7400 123456', '+447400123456'],
      [33123456789, '+33123456789'],
      [123456789, '+33123456789'],
    ])
  })

  it('keep 6 to 17 digits, and the plus sign before them, when they are not a valid number', () => {
    accepts('phone', [
      ['07400123456', '07400123456'],
      ['12 34 56', '123456'],
      ['+1 555 123 4567', '+15551234567'],
      ['tel:+1-555-123-4567', '+15551234567'],
      ['001 555 123 4567', '0015551234567'],
      ['12345678901234567', '12345678901234567'],
    ])
  })

  it('lose what copies and spreadsheets put around them, and what nobody sees', () => {
    accepts('phone', [
      ['\u202a+33 1 23 45 67 89\u202c', '+33123456789'],
      ['\u200e01\u200b23456789', '+33123456789'],
      ["'0123456789", '+33123456789'],
      ['\u20190123456789', '+33123456789'],
      ['tel:+33-1-23-45-67-89', '+33123456789'],
      ['TEL:+33123456789;ext=12', '+33123456789'],
      ['\uff0b\uff13\uff13\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19', '+33123456789'],
      ['01\u00a023\u202f45 67 89', '+33123456789'],
      ['01 23 45 67 89 ext. 12', '+33123456789'],
      ['01 23 45 67 89 poste 12', '+33123456789'],
      ['0123456789x12', '+33123456789'],
      ['0123456789 #4', '+33123456789'],
    ])
  })

  it("try the account's countries in order", () => {
    accepts('phone', [['07400123456', '+447400123456']], { ...options, countries: ['FR', 'GB'] })
  })

  it('refuse letters and too few or too many digits', () => {
    refuses('phone', ['abc', '12', '12345', '123456789012345678', '01+23456789', 'x12', 'tel:', '0123456789 x', 1.5])
  })
})

describe('text values', () => {
  it('are trimmed and normalised', () => {
    accepts('textField', [
      ['  Zoe\u0308 ', 'Zoë'],
      ['𝒵oé 👩‍🚀', '𝒵oé 👩‍🚀'],
      ['=HYPERLINK("x")', '=HYPERLINK("x")'],
      [12.5, '12.5'],
      [1e21, '1000000000000000000000'],
    ])
  })

  it('refuse control characters, except line breaks and tabs in a text area', () => {
    refuses('textField', ['a\nb', 'a\tb', 'a\u0000b', 'é\u0085b', 'a\ud800'])
    accepts('textArea', [['a\r\n\tb', 'a\r\n\tb']])
    refuses('textArea', ['a\u0000b', 'a\u001bb', 'é\u0085', 'a\udc00'])
  })

  it('are limited by characters, not code units', () => {
    accepts('textField', [['👩'.repeat(1000), '👩'.repeat(1000)]])
    refuses('textField', ['x'.repeat(1001), '👩'.repeat(1001), 'x'.repeat(5000)], 'too-long')
    accepts('textArea', [['x'.repeat(65_000), 'x'.repeat(65_000)]])
    refuses('textArea', ['x'.repeat(65_001)], 'too-long')
  })
})

describe('number and date values', () => {
  it('accept numbers of up to 15 digits', () => {
    accepts('numeric', [
      [12.1, 12.1],
      ['12.10', 12.1],
      [123456789012345, 123456789012345],
      [-0, 0],
    ])
    refuses('numeric', [1234567890123456, '1234567890123456', '1,5', 'a lot', '1 000'])
  })

  it('accept a decimal comma in cells only', () => {
    accepts('numeric', [['1 234,50', 1234.5]], cells)
    refuses('numeric', ['a lot'], 'invalid-value', cells)
  })

  it("read dates in the account's order", () => {
    accepts('date', [
      ['01/02/2000', '2000-02-01T00:00:00.000Z'],
      ['1990-05-17', '1990-05-17T00:00:00.000Z'],
      [0, '1970-01-01T00:00:00.000Z'],
    ])
    accepts('date', [['01/02/2000', '2000-01-02T00:00:00.000Z']], { ...options, dateOrder: 'mdy' })
    refuses('date', ['31/02/1990', 1.5, 'tomorrow', 1e18])
  })
})

describe('list values', () => {
  it('match labels in any case; a number is matched as a label before an index', () => {
    accepts('singleSelectList', [
      ['mS', 2],
      [' mr ', 1],
      [1, 1],
      [2, 4],
      ['2', 4],
    ])
    refuses('singleSelectList', ['Dr', '1', 3, 1.5], 'unknown-label')
  })

  it('are deduplicated, and a single text is accepted as one value', () => {
    accepts('multipleSelectList', [
      [
        ['MS', 'Mr', 'ms'],
        [1, 2],
      ],
      ['Mr', [1]],
      [1, [1]],
    ])
    refuses('multipleSelectList', [['Mr', 'Dr'], 'Mr|Ms', ['']], 'unknown-label')
    refuses('multipleSelectList', [
      ['Mr', null],
      ['Mr', true],
    ])
  })

  it('are separated by bars in a cell', () => {
    accepts('multipleSelectList', [['mr| MS |', [1, 2]]], cells)
    refuses('multipleSelectList', ['Mr|Chess'], 'unknown-label', cells)
  })

  it('are shown by their labels in the order of the list', () => {
    assert.deepEqual(formatFieldValue('multipleSelectList', [1, 2, 4], titles), ['Ms', 'Mr', '2'])
    assert.deepEqual(formatFieldValue('multipleSelectList', undefined, titles), [])
    assert.equal(formatFieldValue('singleSelectList', 1, titles), 'Mr')
    assert.equal(formatFieldValue('singleSelectList', undefined, titles), null)
    assert.equal(formatFieldValue('numeric', 0), 0)
  })
})

describe('value constraints', () => {
  const cases: [FieldType, { operator: number; value: string }, unknown, unknown][] = [
    ['numeric', { operator: 1, value: '10' }, 10.1, 10],
    ['numeric', { operator: 2, value: '10' }, 9, 10],
    ['numeric', { operator: 3, value: '10' }, 10, 9],
    ['numeric', { operator: 4, value: '10' }, 10, 11],
    ['numeric', { operator: 5, value: '10.0' }, 10, 11],
    ['date', { operator: 3, value: '2000-01-01' }, '01/01/2000', '31/12/1999'],
    ['textField', { operator: 4, value: '2' }, '👩👩', 'abc'],
  ]
  for (const [type, constraint, good, bad] of cases) {
    it(`check a ${type} against operator ${constraint.operator}`, () => {
      const read = compileValueReader(field(type, { constraint }), options)
      assert.ok('ok' in read(good))
      const reading = read(bad)
      assert.equal('fault' in reading && reading.fault, 'constraint')
    })
  }

  it('ignore empty values', () => {
    const read = compileValueReader(field('numeric', { constraint: { operator: 1, value: '10' } }), options)
    assert.deepEqual(read(null), { ok: null })
  })
})
