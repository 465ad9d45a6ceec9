import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { smppTags } from './commands.ts'
import { normalizeAnswerId, normalizeReceiptId, parseSmppReceipt } from './receipt.ts'

const none = new Map<number, Uint8Array>()

describe('SMPP delivery receipt', () => {
  it('is read from text in the formats of message centres', () => {
    const cases: [string, [string, string, string | null]][] = [
      [
        'id:A1 sub:001 dlvrd:001 submit date:2603200800 done date:2603200801 stat:DELIVRD err:000 text:x',
        ['A1', 'DELIVRD', null],
      ],
      [
        'id:A1 sub:001 dlvrd:000 submit date:2603200800 done date:2603200801 stat:UNDELIV err:027 text:id:B2 stat:DELIVRD',
        ['A1', 'UNDELIV', '027'],
      ],
      ['id:A1 stat:EXPIRED err:6', ['A1', 'EXPIRED', '006']],
      ['ID: A1 Stat: DELIVERED Err: 1B', ['A1', 'DELIVRD', '1B']],
      ['id:A1 stat:REJECTED err:', ['A1', 'REJECTD', null]],
      ['id:A1 stat:FAILED', ['A1', 'UNDELIV', null]],
      ['id:A1 stat:ENROUTE', ['A1', 'ENROUTE', null]],
      ['id:A1 stat:ACCEPTD', ['A1', 'ACCEPTD', null]],
      ['id:A1 stat:DELETED', ['A1', 'DELETED', null]],
      ['id:A1 stat:WHATEVR', ['A1', 'UNKNOWN', null]],
      ['stat:DELIVRD', ['', 'DELIVRD', null]],
    ]
    for (const [text, expected] of cases) {
      const read = parseSmppReceipt(text, none, 'as-is')
      assert.deepEqual([read?.reference, read?.state, read?.error], expected, text)
    }
  })

  it('is read from its parameters before its text', () => {
    const tlvs = new Map<number, Uint8Array>([
      [smppTags.receiptedMessageId, Buffer.from('B2\0')],
      [smppTags.messageState, Buffer.of(5)],
      [smppTags.networkErrorCode, Buffer.of(3, 0, 31)],
    ])
    const read = parseSmppReceipt('id:A1 stat:DELIVRD err:000', tlvs, 'as-is')
    assert.deepEqual([read?.reference, read?.state, read?.error], ['B2', 'UNDELIV', '031'])
    const states = Array.from(
      { length: 12 },
      (_, state) => parseSmppReceipt('', new Map([[smppTags.messageState, Buffer.of(state)]]), 'as-is')?.state,
    )
    assert.deepEqual(states, [
      'ENROUTE',
      'ENROUTE',
      'DELIVRD',
      'EXPIRED',
      'DELETED',
      'UNDELIV',
      'ACCEPTD',
      'UNKNOWN',
      'REJECTD',
      'UNDELIV',
      'UNKNOWN',
      'UNKNOWN',
    ])
  })

  it('is undefined when the text and parameters contain none', () => {
    assert.equal(parseSmppReceipt('Thank you!', none, 'as-is'), undefined)
    assert.equal(parseSmppReceipt('', none, 'as-is'), undefined)
  })

  it('is stored as one line of at most 2,000 characters', () => {
    const read = parseSmppReceipt(`id:A1\r\nstat:DELIVRD ${'x'.repeat(3000)}`, none, 'as-is')
    assert.equal(read?.diagnostic.length, 2000)
    assert.match(read?.diagnostic ?? '', /^id:A1 stat:DELIVRD x/)
  })

  it('matches its message whichever base the ids are in', () => {
    const pairs: [string, string, 'as-is' | 'hex' | 'dec'][] = [
      ['00A1F3', '00A1F3', 'as-is'],
      ['00a1f3', '0000041459', 'dec'],
      ['A1F3', '41459', 'dec'],
      ['0000041459', 'a1f3', 'hex'],
      ['1234567890123456789012', '42ED123B0BD8203A14', 'hex'],
      // What is no number of its base is compared as it is.
      ['7f3e-11', '7f3e-11', 'dec'],
    ]
    for (const [answer, receipt, setting] of pairs)
      assert.equal(normalizeReceiptId(receipt, setting), normalizeAnswerId(answer, setting), `${answer} ${receipt}`)
    assert.notEqual(normalizeReceiptId('41459', 'as-is'), normalizeAnswerId('A1F3', 'as-is'))
  })
})
