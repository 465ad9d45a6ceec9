import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import { type Fields, tags } from './commands.ts'
import { createFrameReader, decodePdu, encodePdu, MAX_PDU } from './pdu.ts'
import { status } from './status.ts'

const submission: Fields<'submit_sm'> = {
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
    assert.deepEqual(encodePdu('enquire_link', { sequence: 1 }, {}), hex('00000010 00000015 00000000 00000001'))
    assert.deepEqual(
      encodePdu('submit_sm', { sequence: 2 }, submission, new Map([[tags.sarTotal, Buffer.of(3)]])),
      hex(`00000047 00000004 00000000 00000002
        00 05 00 ${Buffer.from('SHOP').toString('hex')}00 01 01 ${Buffer.from('33601020304').toString('hex')}00
        00 00 00 00 ${Buffer.from('000001000000000R').toString('hex')}00 01 00 00 00 02 4869 020e0001 03`),
    )
    assert.deepEqual(
      encodePdu('deliver_sm_resp', { sequence: 3, status: 0x64 }, { messageId: '' }),
      hex('00000010 80000005 00000064 00000003'),
    )
  })

  it('is read as it was written, including unknown parameters', () => {
    const tlvs = new Map([
      [0x1403, Buffer.from('vendor')],
      [tags.messagePayload, Buffer.alloc(65_535, 7)],
    ])
    const octets = encodePdu('submit_sm', { sequence: 0x7fffffff }, submission, tlvs)
    assert.deepEqual(decodePdu(octets), {
      command: 'submit_sm',
      status: 0,
      sequence: 0x7fffffff,
      fields: submission,
      tlvs,
    })
  })

  it('is not written with fields longer than the protocol allows', () => {
    const wrong: Partial<Fields<'submit_sm'>>[] = [
      { source: 'x'.repeat(21) },
      { destination: 'a\0b' },
      { shortMessage: Buffer.alloc(255) },
    ]
    for (const fields of wrong)
      assert.throws(() => encodePdu('submit_sm', { sequence: 1 }, { ...submission, ...fields }), RangeError)
  })

  it('is a fault with an SMPP status when it is malformed', () => {
    const whole = encodePdu('deliver_sm', { sequence: 9 }, submission, new Map([[tags.messageState, Buffer.of(2)]]))
    const cases: [Buffer, number][] = [
      [hex('00000010 00000077 00000000 00000009'), status.ESME_RINVCMDID],
      [whole.subarray(0, 20), status.ESME_RINVCMDLEN],
      [whole.subarray(0, 17), status.ESME_RINVCMDLEN],
      [whole.subarray(0, whole.length - 6), status.ESME_RINVCMDLEN],
      [whole.subarray(0, whole.length - 2), status.ESME_RINVOPTPARSTREAM],
      [whole.subarray(0, whole.length - 1), status.ESME_RINVOPTPARSTREAM],
      [Buffer.concat([whole.subarray(0, 19), Buffer.alloc(40, 'x'), Buffer.of(0)]), status.ESME_RINVPARLEN],
    ]
    for (const [octets, expected] of cases) {
      const read = decodePdu(octets)
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
      const read = decodePdu(hex(octets))
      assert.ok(!('fault' in read) && read.command === 'submit_sm_resp')
      assert.deepEqual([read.status, read.fields.messageId], [code, messageId])
    }
    assert.ok('fault' in decodePdu(hex(`00000060 80000004 00000000 00000001 ${'41'.repeat(80)}`)))
  })

  it('is either read or a fault for any octets, without an exception', () => {
    const random = seeded(7)
    const octet = () => Math.floor(random() * 256)
    const sound = [
      encodePdu('deliver_sm', { sequence: 1 }, submission, new Map([[tags.messageState, Buffer.of(2)]])),
      encodePdu('submit_sm_resp', { sequence: 2 }, { messageId: '0123456789' }),
      encodePdu('bind_transceiver_resp', { sequence: 3 }, { systemId: 'centre' }),
      encodePdu('unbind', { sequence: 4 }, {}),
    ]
    let faults = 0
    for (let round = 0; round < 20_000; round++) {
      const mutated = Buffer.from(sound[round % sound.length]!)
      for (let n = 0; n < 1 + random() * 4; n++) mutated[4 + Math.floor(random() * (mutated.length - 4))] = octet()
      const cut = random() < 0.3 ? mutated.subarray(0, 16 + Math.floor(random() * (mutated.length - 16))) : mutated
      if ('fault' in decodePdu(cut)) faults++
    }
    for (let round = 0; round < 5000; round++)
      decodePdu(Buffer.from(Array.from({ length: 16 + Math.floor(random() * 300) }, octet)))
    assert.ok(faults > 1000 && faults < 20_000)
  })
})

describe('stream of SMPP PDUs', () => {
  const whole = Buffer.concat([
    encodePdu('enquire_link', { sequence: 1 }, {}),
    encodePdu('submit_sm', { sequence: 2 }, submission),
    encodePdu('unbind', { sequence: 3 }, {}),
  ])

  it('is split by PDU length, however it arrives', () => {
    for (const size of [1, 3, 16, 17, whole.length]) {
      const frames: Buffer[] = []
      const read = createFrameReader((frame) => frames.push(Buffer.from(frame)))
      for (let at = 0; at < whole.length; at += size) assert.equal(read(whole.subarray(at, at + size)), undefined)
      assert.equal(frames.length, 3)
      assert.deepEqual(Buffer.concat(frames), whole)
    }
  })

  it('ends at an impossible length before buffering any of it', () => {
    for (const length of [0, 15, MAX_PDU + 1, 0xffffffff]) {
      const head = Buffer.alloc(16)
      head.writeUInt32BE(length)
      const frames: Buffer[] = []
      const read = createFrameReader((frame) => frames.push(frame))
      assert.match(read(Buffer.concat([whole, head])) ?? '', /^a PDU of \d+ octets$/)
      assert.equal(frames.length, 3)
    }
  })
})
