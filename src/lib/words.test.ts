import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fold } from './text/fold.ts'
import { readName } from './text/names.ts'
import { nearest } from './text/nearest.ts'

suite('words', () => {
  test('fold to the same text when they differ in case only', () => {
    for (const [a, b] of [
      ['Straße', 'STRASSE'],
      ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
      ['ÉCOLE', 'école'],
      ['Ann', 'aNN'],
    ] as const)
      assert.equal(fold(a), fold(b))
    assert.notEqual(fold('a'), fold('á'))
  })

  test('the nearest known word is found', () => {
    assert.equal(nearest('HTP_PORT', ['DATA_DIR', 'HTTP_PORT', 'HTTP_HOST']), 'HTTP_PORT')
    assert.equal(nearest('x', []), undefined)
    // What has its parts is nearer than what has as many letters.
    const settings = ['MODE', 'HTTP_PORT', 'SMTP_IN_PORT', 'DATABASE_POOL', 'DATABASE_URL', 'PUBLIC_URL', 'MASTER_KEY']
    const meant = { PORT: 'HTTP_PORT', DATABSE: 'DATABASE_URL', KEY: 'MASTER_KEY', SMTP_PORT: 'SMTP_IN_PORT' }
    for (const [word, setting] of Object.entries(meant)) assert.equal(nearest(word, settings), setting, word)
    assert.equal(nearest('smpt', ['sms-smpp', 'smtp', 'sms-http']), 'smtp')
    assert.equal(nearest('peple', ['keys', 'people', 'psql']), 'people')
  })

  test('a name is trimmed to NFC and refused when blank, too long or with control characters', () => {
    assert.equal(readName('  Cafe\u0301 ', 100), 'Café')
    assert.throws(() => readName('  ', 100), /\/name: is required/)
    assert.throws(() => readName('x'.repeat(101), 100), /at most 100 characters/)
    assert.throws(() => readName(undefined, 100), /\/name/)
    assert.throws(() => readName('a\u0000b', 100), /control characters/)
  })
})
