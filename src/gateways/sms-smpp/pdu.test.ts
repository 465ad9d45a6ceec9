import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import { type SmppFields, smppTags } from './commands.ts'
import { createSmppFrameReader, decodeSmppPdu, encodeSmppPdu, MAX_SMPP_PDU_BYTES } from './pdu.ts'
import { smppStatusCodes } from './status.ts'

const submission: SmppFields<'submit_sm'> = {
  serviceType: '',
  sourceTon: 5,
  sourceNpi: 0,
  source: 'SHOP',
  destinationTon: 1,
  destinationNpi: 1,
  destination: '33601020304',
  esmClass: 0,
  protocolId: 0,
  priority: 0,
  scheduled: '',
  validity: '000001000000000R',
  registeredDelivery: 1,
  replace: 0,
  dataCoding: 0,
  defaultMessage: 0,
  shortMessage: Buffer.from('Hi'),
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')

describe('SMPP PDU', () => {
  it('is written octet by octet as SMPP 3.4 defines', () => {
    assert.deepEqual(encodeSmppPdu('enquire_link', { sequence: 1 }, {}), hex('00000010 00000015 00000000 00000001'))
    assert.deepEqual(
      encodeSmppPdu('submit_sm', { sequence: 2 }, submission, new Map([[smppTags.sarTotal, Buffer.of(3)]])),
      hex(`00000047 00000004 00000000 00000002
        00 05 00 ${Buffer.from('SHOP').toString('hex')}00 01 01 ${Buffer.from('33601020304').toString('hex')}00
        00 00 00 00 ${Buffer.from('000001000000000R').toString('hex')}00 01 00 00 00 02 4869 020e0001 03`),
    )
    assert.deepEqual(
      encodeSmppPdu('deliver_sm_resp', { sequence: 3, status: 0x64 }, { messageId: '' }),
      hex('00000010 80000005 00000064 00000003'),
    )
  })

  it('is read as it was written, including unknown parameters', () => {
    const tlvs = new Map([
      [0x1403, Buffer.from('vendor')],
      [smppTags.messagePayload, Buffer.alloc(65_535, 7)],
    ])
    const octets = encodeSmppPdu('submit_sm', { sequence: 0x7fffffff }, submission, tlvs)
    assert.deepEqual(decodeSmppPdu(octets), {
      command: 'submit_sm',
      status: 0,
      sequence: 0x7fffffff,
      fields: submission,
      tlvs,
    })
  })

  it('is not written with fields longer than the protocol allows', () => {
    const wrong: Partial<SmppFields<'submit_sm'>>[] = [
      { source: 'x'.repeat(21) },
      { destination: 'a\0b' },
      { shortMessage: Buffer.alloc(255) },
    ]
    for (const fields of wrong)
      assert.throws(() => encodeSmppPdu('submit_sm', { sequence: 1 }, { ...submission, ...fields }), RangeError)
  })

  it('is a fault with an SMPP status when it is malformed', () => {
    const whole = encodeSmppPdu(
      'deliver_sm',
      { sequence: 9 },
      submission,
      new Map([[smppTags.messageState, Buffer.of(2)]]),
    )
    const cases: [Buffer, number][] = [
      [hex('00000010 00000077 00000000 00000009'), smppStatusCodes.ESME_RINVCMDID],
      [whole.subarray(0, 20), smppStatusCodes.ESME_RINVCMDLEN],
      [whole.subarray(0, 17), smppStatusCodes.ESME_RINVCMDLEN],
      [whole.subarray(0, whole.length - 6), smppStatusCodes.ESME_RINVCMDLEN],
      [whole.subarray(0, whole.length - 2), smppStatusCodes.ESME_RINVOPTPARSTREAM],
      [whole.subarray(0, whole.length - 1), smppStatusCodes.ESME_RINVOPTPARSTREAM],
      [Buffer.concat([whole.subarray(0, 19), Buffer.alloc(40, 'x'), Buffer.of(0)]), smppStatusCodes.ESME_RINVPARLEN],
    ]
    for (const [octets, expected] of cases) {
      const read = decodeSmppPdu(octets)
      assert.ok('fault' in read, octets.toString('hex'))
      assert.deepEqual([read.status, read.sequence], [expected, 9])
    }
  })

  it('is read leniently as a response: without a body, without a final NUL or with garbage after a refusal', () => {
    const answers: [string, number, string][] = [
      ['00000010 80000004 00000000 00000001', 0, ''],
      ['00000012 80000004 00000000 00000001 4142', 0, 'AB'],
      ['00000010 80000004 00000058 00000001', 0x58, ''],
      [`00000060 80000004 0000000b 00000001 ${'41'.repeat(80)}`, 0x0b, ''],
    ]
    for (const [octets, code, messageId] of answers) {
      const read = decodeSmppPdu(hex(octets))
      assert.ok(!('fault' in read) && read.command === 'submit_sm_resp')
      assert.deepEqual([read.status, read.fields.messageId], [code, messageId])
    }
    assert.ok('fault' in decodeSmppPdu(hex(`00000060 80000004 00000000 00000001 ${'41'.repeat(80)}`)))
  })

  it('is either read or a fault for any octets, without an exception', () => {
    const random = seeded(7)
    const octet = () => Math.floor(random() * 256)
    const sound = [
      encodeSmppPdu('deliver_sm', { sequence: 1 }, submission, new Map([[smppTags.messageState, Buffer.of(2)]])),
      encodeSmppPdu('submit_sm_resp', { sequence: 2 }, { messageId: '0123456789' }),
      encodeSmppPdu('bind_transceiver_resp', { sequence: 3 }, { systemId: 'centre' }),
      encodeSmppPdu('unbind', { sequence: 4 }, {}),
    ]
    let faults = 0
    for (let round = 0; round < 20_000; round++) {
      const mutated = Buffer.from(sound[round % sound.length]!)
      for (let n = 0; n < 1 + random() * 4; n++) mutated[4 + Math.floor(random() * (mutated.length - 4))] = octet()
      const cut = random() < 0.3 ? mutated.subarray(0, 16 + Math.floor(random() * (mutated.length - 16))) : mutated
      if ('fault' in decodeSmppPdu(cut)) faults++
    }
    for (let round = 0; round < 5000; round++)
      decodeSmppPdu(Buffer.from(Array.from({ length: 16 + Math.floor(random() * 300) }, octet)))
    assert.ok(faults > 1000 && faults < 20_000)
  })
})

describe('stream of SMPP PDUs', () => {
  const whole = Buffer.concat([
    encodeSmppPdu('enquire_link', { sequence: 1 }, {}),
    encodeSmppPdu('submit_sm', { sequence: 2 }, submission),
    encodeSmppPdu('unbind', { sequence: 3 }, {}),
  ])

  it('is split by PDU length, however it arrives', () => {
    for (const size of [1, 3, 16, 17, whole.length]) {
      const frames: Buffer[] = []
      const read = createSmppFrameReader((frame) => frames.push(Buffer.from(frame)))
      for (let at = 0; at < whole.length; at += size) assert.equal(read(whole.subarray(at, at + size)), undefined)
      assert.equal(frames.length, 3)
      assert.deepEqual(Buffer.concat(frames), whole)
    }
  })

  it('ends at an impossible length before buffering any of it', () => {
    for (const length of [0, 15, MAX_SMPP_PDU_BYTES + 1, 0xffffffff]) {
      const head = Buffer.alloc(16)
      head.writeUInt32BE(length)
      const frames: Buffer[] = []
      const read = createSmppFrameReader((frame) => frames.push(frame))
      assert.match(read(Buffer.concat([whole, head])) ?? '', /^a PDU of \d+ octets$/)
      assert.equal(frames.length, 3)
    }
  })
})
