import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { foldUnicodeCase } from './text/fold.ts'
import { parseResourceName } from './text/names.ts'
import { findNearestWord } from './text/nearest.ts'

suite('words', () => {
  test('fold to the same text when they differ in case only', () => {
    for (const [a, b] of [
      ['Straße', 'STRASSE'],
      ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
      ['ÉCOLE', 'école'],
      ['Ann', 'aNN'],
    ] as const)
      assert.equal(foldUnicodeCase(a), foldUnicodeCase(b))
    assert.notEqual(foldUnicodeCase('a'), foldUnicodeCase('á'))
  })

  test('the nearest known word is found', () => {
    assert.equal(findNearestWord('HTP_PORT', ['DATA_DIR', 'HTTP_PORT', 'HTTP_HOST']), 'HTTP_PORT')
    assert.equal(findNearestWord('x', []), undefined)
    // What has its parts is nearer than what has as many letters.
    const settings = ['MODE', 'HTTP_PORT', 'SMTP_IN_PORT', 'DATABASE_POOL', 'DATABASE_URL', 'PUBLIC_URL', 'MASTER_KEY']
    const meant = { PORT: 'HTTP_PORT', DATABSE: 'DATABASE_URL', KEY: 'MASTER_KEY', SMTP_PORT: 'SMTP_IN_PORT' }
    for (const [word, setting] of Object.entries(meant)) assert.equal(findNearestWord(word, settings), setting, word)
    assert.equal(findNearestWord('smpt', ['sms-smpp', 'smtp', 'sms-http']), 'smtp')
    assert.equal(findNearestWord('peple', ['keys', 'people', 'psql']), 'people')
  })

  test('a name is trimmed to NFC and refused when blank, too long or with control characters', () => {
    assert.equal(parseResourceName('  Cafe\u0301 ', 100), 'Café')
    assert.throws(() => parseResourceName('  ', 100), /\/name: is required/)
    assert.throws(() => parseResourceName('x'.repeat(101), 100), /at most 100 characters/)
    assert.throws(() => parseResourceName(undefined, 100), /\/name/)
    assert.throws(() => parseResourceName('a\u0000b', 100), /control characters/)
  })
})
