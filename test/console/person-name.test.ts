import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findPersonNameFields, formatPersonName } from '../../console/screens/contacts/person-name.ts'

const field = (id: number, name: string) => ({ id, name })

suite('the name of a person', () => {
  test('is first and last name in this order, whatever their language and spelling', () => {
    const fields = [field(1, 'Email'), field(2, 'NOM'), field(3, 'Prénom'), field(4, 'Name')]
    const nameFields = findPersonNameFields(fields)
    assert.deepEqual(
      nameFields.map(({ id }) => id),
      [3, 2],
    )
    const values = { 2: 'd’Éprémesnil-Llanfair', 3: 'Émilie' }
    assert.equal(formatPersonName(values, nameFields), 'Émilie d’Éprémesnil-Llanfair')
    assert.equal(formatPersonName({ 2: 'Orchard', 3: null }, nameFields), 'Orchard')
  })

  test('is a full name where there are no parts, and nothing without values or fields', () => {
    assert.deepEqual(findPersonNameFields([field(1, 'Full name'), field(2, 'Town')]), [field(1, 'Full name')])
    assert.deepEqual(findPersonNameFields([field(1, 'Email'), field(2, 'Company name')]), [])
    assert.equal(formatPersonName({ 1: '' }, [field(1, 'Name')]), undefined)
  })
})
