import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  estimateSmsCost,
  findNonGsmLetters,
  replaceNonGsmLetters,
  smsSegmentCapacity,
} from '../../console/screens/messages/sms/letters.ts'

suite('letters outside GSM-7', () => {
  const text = 'Déjà là :\nl’été ☀ {{ contact["Prénom’s"] }} ç'

  test('are found with their positions and look-alikes, except within tags', () => {
    assert.deepEqual(findNonGsmLetters(text), [
      { letter: '’', line: 2, column: 2, lookAlike: "'" },
      { letter: '☀', line: 2, column: 7, lookAlike: undefined },
      { letter: 'ç', line: 2, column: 35, lookAlike: 'c' },
    ])
    assert.deepEqual(findNonGsmLetters('plain € letters'), [])
  })

  test('are replaced by their look-alikes, and tags are left alone', () => {
    assert.equal(replaceNonGsmLetters(text), 'Déjà là :\nl\'été ☀ {{ contact["Prénom’s"] }} c')
    assert.equal(replaceNonGsmLetters('{% if a %}’{% endif %}'), "{% if a %}'{% endif %}")
  })

  test('the cost of a text is shown with and without them', () => {
    const { now, plain } = estimateSmsCost(`${'x'.repeat(119)}’`)
    assert.deepEqual(
      [now, plain].map(({ encoding, segments }) => [encoding, segments]),
      [
        ['ucs2', 2],
        ['gsm7', 1],
      ],
    )
    assert.deepEqual([smsSegmentCapacity(now), smsSegmentCapacity(plain)], [134, 160])
  })
})
