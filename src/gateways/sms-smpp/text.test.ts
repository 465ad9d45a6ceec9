import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { smppTags } from './commands.ts'
import { readSmppSettings } from './settings.ts'
import { formatSmppAbsoluteTime, formatSmppRelativeTime, toSubmitSmPdus } from './submit-sm.ts'
import { decodeSmppText, getSmppAlphabet, splitSmppText } from './text.ts'
import { readSmppUserData } from './user-data.ts'

const settings = (more: object = {}) => readSmppSettings({ host: 'x', ...more })

describe('text of an SMPP submission', () => {
  it("has the header of the settings with its message's reference", () => {
    const text = 'a'.repeat(161)
    const heads = (long: string) =>
      splitSmppText({ text, encoding: 'gsm7' }, 0x1234, settings({ long })).map(({ shortMessage, hasHeader }) => [
        hasHeader,
        Buffer.from(shortMessage.subarray(0, 7)).toString('hex'),
        shortMessage.length,
      ])
    assert.deepEqual(heads('udh8'), [
      [true, '05000334020161', 159],
      [true, '05000334020261', 14],
    ])
    assert.deepEqual(heads('udh16'), [
      [true, '06080412340201', 159],
      [true, '06080412340202', 16],
    ])
    assert.deepEqual(heads('sar'), [
      [false, '61616161616161', 153],
      [false, '61616161616161', 8],
    ])
    assert.deepEqual(heads('payload'), [[false, '', 0]])
  })

  it('has different references for ids that differ by a multiple of 1024, like those of slices', () => {
    const reference = (id: number, long: string) => {
      const sms = { id, to: '+33601020304', from: 'SHOP', text: 'a'.repeat(161), encoding: 'gsm7' as const }
      const parts = toSubmitSmPdus(sms, settings({ long }), 0)
      assert.ok(Array.isArray(parts))
      const heads = parts.map(({ fields }) => Buffer.from(fields.shortMessage.subarray(3, long === 'udh8' ? 4 : 5)))
      assert.deepEqual(heads[0], heads[1])
      return heads[0]!.toString('hex')
    }
    for (const long of ['udh8', 'udh16'])
      assert.equal(new Set([1, 2, 3, 4, 70].map((slice) => reference(-(slice * 1024 + 5), long))).size, 5, long)
  })

  it('falls back to UCS-2 instead of losing a character', () => {
    const [part] = splitSmppText({ text: 'aç', encoding: 'gsm7' }, 1, settings())
    assert.deepEqual([part?.dataCoding, Buffer.from(part?.shortMessage ?? []).toString('hex')], [8, '006100e7'])
  })

  it('uses the default alphabet and the data_coding of the settings when it fits', () => {
    const [part] = splitSmppText({ text: '@€é', encoding: 'gsm7' }, 1, settings({ dataCoding: 0xf1 }))
    assert.deepEqual([part?.dataCoding, Buffer.from(part?.shortMessage ?? []).toString('hex')], [0xf1, '001b6505'])
  })
})

describe('text received over SMPP', () => {
  it('is decoded by its data_coding', () => {
    const octets = Buffer.from([0x41, 0x00, 0xe9])
    assert.equal(decodeSmppText(Buffer.from([0x41, 0x00, 0x1b, 0x65]), 0, settings()), 'A@€')
    assert.equal(decodeSmppText(octets, 3, settings()), 'A\0é')
    assert.equal(decodeSmppText(Buffer.from('d83cdf89', 'hex'), 8, settings()), '🎉')
    assert.equal(decodeSmppText(Buffer.from('d83cdf', 'hex'), 8, settings()), '\ufffd')
    assert.equal(decodeSmppText(Buffer.from('pl@in_$'), 1, settings()), 'pl@in_$')
    assert.equal(decodeSmppText(Buffer.from([0x41, 0x00, 0x1b, 0x65]), 1, settings()), 'A@€')
    assert.equal(decodeSmppText(octets, 0, settings({ alphabet: 'latin1' })), 'A\0é')
    const codings = [0x00, 0x01, 0x03, 0x04, 0x08, 0x18, 0x14, 0xf0, 0xf4, 0x10, 0x0e].map((coding) =>
      getSmppAlphabet(coding),
    )
    assert.deepEqual(codings, [
      'default',
      'ascii',
      'latin1',
      'octets',
      'ucs2',
      'ucs2',
      'octets',
      'default',
      'octets',
      'default',
      'default',
    ])
  })

  it('is separated from its header, whatever the header contains', () => {
    const of = (header: number[], esmClass = 0x40) => {
      const { octets, concatenation } = readSmppUserData(
        { esmClass, shortMessage: Buffer.from([...header, 0x48, 0x69]) },
        new Map(),
      )
      return [Buffer.from(octets).toString('latin1'), concatenation]
    }
    assert.deepEqual(of([5, 0, 3, 7, 2, 1]), ['Hi', { reference: 7, total: 2, number: 1 }])
    assert.deepEqual(of([6, 8, 4, 1, 7, 2, 2]), ['Hi', { reference: 263, total: 2, number: 2 }])
    // Ports before the concatenation.
    assert.deepEqual(of([11, 5, 4, 0, 1, 0, 2, 0, 3, 9, 3, 3]), ['Hi', { reference: 9, total: 3, number: 3 }])
    assert.deepEqual(of([0]), ['Hi', undefined])
    assert.deepEqual(of([5, 0, 3, 7, 2, 3]), ['Hi', undefined])
    assert.deepEqual(of([5, 0, 3, 7, 1, 1]), ['Hi', undefined])
    assert.deepEqual(of([5, 0, 9, 7, 2, 1]), ['Hi', undefined])
    assert.deepEqual(of([2, 0, 3]), ['Hi', undefined])
    assert.deepEqual(of([200])[0], '\xc8Hi')
    assert.deepEqual(of([], 0), ['Hi', undefined])
    assert.deepEqual(readSmppUserData({ esmClass: 0x40, shortMessage: Buffer.alloc(0) }, new Map()).octets.length, 0)
  })

  it('is also read from message_payload with sar_* parameters', () => {
    const tlvs = new Map<number, Uint8Array>([
      [smppTags.messagePayload, Buffer.from('Hi')],
      [smppTags.sarReference, Buffer.of(1, 2)],
      [smppTags.sarTotal, Buffer.of(2)],
      [smppTags.sarNumber, Buffer.of(1)],
    ])
    const { octets, concatenation } = readSmppUserData({ esmClass: 0 }, tlvs)
    assert.equal(Buffer.from(octets).toString(), 'Hi')
    assert.deepEqual(concatenation, { reference: 258, total: 2, number: 1 })
    tlvs.set(smppTags.sarNumber, new Uint8Array())
    assert.equal(readSmppUserData({ esmClass: 0 }, tlvs).concatenation, undefined)
  })
})

describe('validity period of an SMPP message', () => {
  it('is written as an SMPP time', () => {
    assert.equal(formatSmppRelativeTime(3600), '000000010000000R')
    assert.equal(formatSmppRelativeTime(90_061), '000001010101000R')
    assert.equal(formatSmppRelativeTime(-5), '000000000100000R')
    assert.equal(formatSmppRelativeTime(1e9), '000030000000000R')
    assert.equal(formatSmppAbsoluteTime(Date.UTC(2026, 2, 20, 8, 1, 2)), '260320080102000+')
  })

  it('is relative, absolute or absent, depending on the settings', () => {
    const now = Date.UTC(2026, 2, 20)
    const sms = {
      id: 1,
      to: '+33601020304',
      from: 'SHOP',
      text: 'x',
      encoding: 'gsm7' as const,
      expiresAt: now + 3600_000,
    }
    const said = (validity: string) => {
      const submissions = toSubmitSmPdus(sms, settings({ validity }), now)
      assert.ok(!('reply' in submissions))
      return submissions[0]?.fields.validity
    }
    assert.deepEqual(['relative', 'absolute', 'none'].map(said), ['000000010000000R', '260320010000000+', ''])
  })

  it('is not sent with a text of more than 255 segments, which is refused', () => {
    const sms = { id: 1, to: '+33601020304', from: 'SHOP', text: 'x'.repeat(153 * 255 + 1), encoding: 'gsm7' as const }
    const refused = toSubmitSmPdus(sms, settings(), 0)
    assert.ok('reply' in refused && refused.stage === 'data')
  })
})
