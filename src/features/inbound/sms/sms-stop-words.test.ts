import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSmsStopWord } from './sms-stop-words.ts'

const cases: [string, string | null][] = [
  ['STOP', 'STOP'],
  ['Arrêt svp', 'ARRET'],
  ['stop36111', 'STOP'],
  ['  STOP!', 'STOP'],
  ['"Baja"', 'BAJA'],
  ['12 stop', 'STOP'],
  ['Abmelden.', 'ABMELDEN'],
  ['Stopper', null],
  ['please stop', null],
  ['', null],
  ['👍', null],
]

for (const [text, word] of cases) {
  test(`reads "${text}" as ${word === null ? 'no stop' : `the stop ${word}`}`, () => {
    assert.equal(findSmsStopWord(text), word)
  })
}
