import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  createUuidV7,
  formatActionId,
  formatContactId,
  formatUuid,
  parseActionId,
  parseContactId,
  parseInt32Id,
  parseUuid,
  writeUuidBytes,
} from './ids.ts'

suite('ids', () => {
  test('action ids have six characters in either case and are never unpadded', () => {
    assert.equal(formatActionId(13_285), '000A91')
    assert.equal(parseActionId('000a91'), 13_285)
    for (const text of ['A91', '0000A91', '00-A91', 'ZZZZZZZ', '']) assert.equal(parseActionId(text), undefined, text)
  })

  test('an action id beyond int32 is refused', () => {
    assert.equal(parseActionId(formatActionId(2 ** 31 - 1)), 2 ** 31 - 1)
    assert.equal(parseActionId(formatActionId(2 ** 31)), undefined)
  })

  test('contact ids have eight characters in either case and are never unpadded', () => {
    assert.equal(formatContactId(1), '00000001')
    assert.equal(parseContactId('00000001'), 1)
    assert.equal(parseContactId('zzzzzzzz'), 36 ** 8 - 1)
    for (const text of ['', '1', '12', '0000001', '000000001', '0000 001', 'é'])
      assert.equal(parseContactId(text), undefined, text)
  })

  test('numeric ids range from 1 to int32', () => {
    assert.equal(parseInt32Id('2147483647'), 2147483647)
    for (const text of ['0', '-1', '1.5', '2147483648', '1e3', 'x', ''])
      assert.equal(parseInt32Id(text), undefined, text)
  })

  test('uuids are read in either case and written in lower case', () => {
    const uuid = '019512a0-7c11-7d2e-9a42-0c1de0a5b001'
    assert.equal(parseUuid(uuid.toUpperCase()), uuid)
    assert.equal(parseUuid('019512a07c117d2e9a420c1de0a5b001'), undefined)
    for (const text of [uuid, uuid.toUpperCase()]) {
      const bytes = Buffer.alloc(18)
      writeUuidBytes(text, bytes, 1)
      assert.equal(bytes.toString('hex'), `00${uuid.replaceAll('-', '')}00`)
      assert.equal(formatUuid(bytes.subarray(1, 17)), uuid)
    }
  })

  test('a version 7 uuid contains its time', () => {
    const uuid = createUuidV7(1767258005120)
    assert.match(uuid, /^019b78c9-1e80-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.notEqual(createUuidV7(1), createUuidV7(1))
  })
})
