import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseSmsNumber } from '../../../channels/sms/number.ts'
import { parseFictionalPhone } from './fictional-phones.ts'
import { normalizeStoredPhone, parseFieldPhone, parseValidPhone } from './phone-value.ts'

suite('numbers that France reserves for fiction', () => {
  test('are read as other mobile numbers are', () => {
    for (const text of ['+33 6 39 98 00 78', '0033639980078', '33639980078', '06 39 98 00 78'])
      assert.equal(parseValidPhone(text, ['FR']), '+33639980078', text)
    assert.equal(parseFieldPhone('06 39 98 00 78', ['BE', 'FR']), '+33639980078')
    assert.equal(normalizeStoredPhone('33639980078', ['GB']), '+33639980078')
    assert.deepEqual(parseSmsNumber('+33639980078'), { e164: '+33639980078', country: 'FRA' })
  })

  test('are no numbers of other countries, and neither are the numbers next to them', () => {
    assert.equal(parseValidPhone('06 39 98 00 78', ['GB']), undefined)
    for (const text of ['+33639970000', '+33639990000', '+336399800', '+336399800000'])
      assert.equal(parseFictionalPhone(text, 'FR'), undefined, text)
    assert.equal(parseSmsNumber('+33639970000'), undefined)
  })
})
