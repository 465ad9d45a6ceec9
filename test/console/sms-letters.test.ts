import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { costOf, lettersBeyond, roomOf, withLookAlikes } from '../../console/screens/messages/sms/letters.ts'

suite('letters that GSM-7 has not', () => {
  const text = 'Déjà là :\nl’été ☀ {{ contact["Prénom’s"] }} ç'

  test('are found with their places and look-alikes; those of tags are none', () => {
    assert.deepEqual(lettersBeyond(text), [
      { letter: '’', line: 2, column: 2, lookAlike: "'" },
      { letter: '☀', line: 2, column: 7, lookAlike: undefined },
      { letter: 'ç', line: 2, column: 35, lookAlike: 'c' },
    ])
    assert.deepEqual(lettersBeyond('plain € letters'), [])
  })

  test('are replaced where there is something, and tags stay', () => {
    assert.equal(withLookAlikes(text), 'Déjà là :\nl\'été ☀ {{ contact["Prénom’s"] }} c')
    assert.equal(withLookAlikes('{% if a %}’{% endif %}'), "{% if a %}'{% endif %}")
  })

  test('cost what the same text takes more', () => {
    const { now, plain } = costOf(`${'x'.repeat(119)}’`)
    assert.deepEqual(
      [now, plain].map(({ encoding, segments }) => [encoding, segments]),
      [
        ['ucs2', 2],
        ['gsm7', 1],
      ],
    )
    assert.deepEqual([roomOf(now), roomOf(plain)], [134, 160])
  })
})
