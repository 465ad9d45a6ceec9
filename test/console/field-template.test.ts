import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Liquid } from 'liquidjs'
import { formatConditionLiquid, parseRowCondition } from '../../console/components/design/model/condition.ts'
import { formatLiquidChip } from '../../console/components/design/model/value.ts'
import {
  formatFieldReference,
  formatFieldTemplate,
  parseFieldTemplate,
} from '../../console/components/expression/field-template.ts'
import { compileContent } from '../../src/features/rendering/compile.ts'

const ODD_NAMES = [
  'Email',
  'First name',
  'Prénom',
  "Date d'anniversaire",
  'Nick "Bo"',
  `Both ' and "`,
  'back\\slash',
  'e-mail',
  '2nd phone',
  'a}}b',
  'a%}b',
  '[x]',
  '生年月日',
  'size',
]

const liquid = new Liquid()

suite('a field that is inserted into a text', () => {
  test('is written plainly if its name is a word, else in brackets', () => {
    assert.equal(formatFieldTemplate('Email'), '{{ contact.Email }}')
    assert.equal(formatFieldTemplate('First name', 'you'), '{{ contact["First name"] | default: "you" }}')
    assert.equal(formatFieldReference('Nick "Bo"'), `contact['Nick "Bo"']`)
    assert.equal(formatFieldReference('id'), 'contact.fields["id"]')
  })

  test('prints its value, or its fallback, whatever its name', () => {
    for (const name of ODD_NAMES) {
      const fallback = `none of "${name}"`
      const values = { [name]: 'value' }
      const print = (template: string, contact: object) => liquid.parseAndRenderSync(template, { contact })
      assert.equal(print(formatFieldTemplate(name), { ...values, fields: values }), 'value', name)
      assert.equal(print(formatFieldTemplate(name, fallback), { [name]: '', fields: { [name]: '' } }), fallback, name)
    }
  })

  test('is read back with its name and fallback, and shown by its name', () => {
    for (const name of [...ODD_NAMES, 'id'])
      for (const fallback of ['', 'you', `"it's" \\`]) {
        const template = formatFieldTemplate(name, fallback)
        assert.deepEqual(parseFieldTemplate(template), { name, fallback }, template)
        assert.equal(formatLiquidChip(template), name)
      }
    assert.equal(parseFieldTemplate('{{ contact.City | upcase }}'), undefined)
    assert.equal(formatLiquidChip('{{ contact.City | upcase }}'), 'City')
    assert.equal(formatLiquidChip('{{ data["a b"] }}'), '{{ data["a b"] }}')
  })

  test('is accepted by the service if the account has it, and an error if not', () => {
    for (const name of ODD_NAMES) {
      const errorsOf = (fieldName: string) =>
        compileContent({
          parts: [{ name: 'html', mode: 'html', template: `<p>${formatFieldTemplate(name, 'you')}</p>` }],
          fields: [{ id: 12, name: fieldName }],
          forms: [],
          culture: 'en-GB',
          analyse: true,
        } as never).errors.map(({ type }) => type)
      assert.deepEqual(errorsOf(name), [], name)
      if (name !== 'size') assert.deepEqual(errorsOf('Other'), ['unknown-field'], name)
    }
  })

  test('compares in the condition of a row, and is read back from it', () => {
    for (const field of ['City', 'First name', 'Prénom', "Date d'anniversaire"]) {
      const condition = { field, test: 'is' as const, value: 'Lyon' }
      assert.deepEqual(parseRowCondition(formatConditionLiquid(condition)), condition)
    }
  })
})
