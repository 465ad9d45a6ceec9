/** What the fake server reads of a PDU. Written apart from the gateway's codec, so that neither hides the other's mistakes. */
export interface RawPdu {
  id: number
  status: number
  sequence: number
  body: Buffer
}

/** A submission as it arrived. */
export interface Submitted {
  /** The id the server gave it. */
  messageId: string
  serviceType: string
  sourceTon: number
  sourceNpi: number
  source: string
  destinationTon: number
  destinationNpi: number
  destination: string
  esmClass: number
  validity: string
  registeredDelivery: number
  dataCoding: number
  shortMessage: Buffer
  tlvs: Map<number, Buffer>
  connection: number
}

export function pdu(id: number, status: number, sequence: number, body: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(16)
  for (const [place, value] of [16 + body.length, id, status, sequence].entries()) head.writeUInt32BE(value, place * 4)
  return Buffer.concat([head, body])
}

export const text = (value: string): Buffer => Buffer.from(`${value}\0`, 'latin1')

export function tlv(tag: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(tag, 0)
  head.writeUInt16BE(value.length, 2)
  return Buffer.concat([head, value])
}

/** Reads a body field by field; throws with what is wrong. */
export function reader(body: Buffer) {
  let at = 0
  return {
    octet(name: string): number {
      const value = body[at++]
      if (value === undefined) throw new Error(`no ${name}`)
      return value
    },
    text(name: string, max: number): string {
      const end = body.indexOf(0, at)
      if (end === -1) throw new Error(`${name} does not end`)
      if (end - at + 1 > max) throw new Error(`${name} is longer than ${max} octets`)
      const value = body.toString('latin1', at, end)
      if (!/^[\x20-\x7e]*$/.test(value)) throw new Error(`${name} is not printable`)
      at = end + 1
      return value
    },
    octets(name: string, length: number): Buffer {
      if (at + length > body.length) throw new Error(`${name} runs over the end`)
      at += length
      return body.subarray(at - length, at)
    },
    isOver: () => at === body.length,
  }
}

type Reader = ReturnType<typeof reader>

export function readTlvs(from: Reader): Map<number, Buffer> {
  const found = new Map<number, Buffer>()
  while (!from.isOver()) {
    const tag = from.octet('tag') * 256 + from.octet('tag')
    if (found.has(tag)) throw new Error(`tag ${tag} comes twice`)
    found.set(tag, from.octets('a parameter', from.octet('length') * 256 + from.octet('length')))
  }
  return found
}

const VALIDITY = /^(|\d{12}(\d\d\d[+-]|000R))$/

/** Reads submit_sm (4.4.1) and throws whatever is not as it says. */
export function readSubmission(body: Buffer): Omit<Submitted, 'messageId' | 'connection'> {
  const from = reader(body)
  const serviceType = from.text('service_type', 6)
  const [sourceTon, sourceNpi] = [from.octet('source_addr_ton'), from.octet('source_addr_npi')]
  const source = from.text('source_addr', 21)
  const [destinationTon, destinationNpi] = [from.octet('dest_addr_ton'), from.octet('dest_addr_npi')]
  const destination = from.text('destination_addr', 21)
  const esmClass = from.octet('esm_class')
  from.octet('protocol_id')
  if (from.octet('priority_flag') > 3) throw new Error('priority_flag is over 3')
  if (from.text('schedule_delivery_time', 17) !== '') throw new Error('schedule_delivery_time is set')
  const validity = from.text('validity_period', 17)
  if (!VALIDITY.test(validity)) throw new Error(`validity_period is "${validity}"`)
  const registeredDelivery = from.octet('registered_delivery')
  if (from.octet('replace_if_present_flag') > 1) throw new Error('replace_if_present_flag is over 1')
  const dataCoding = from.octet('data_coding')
  from.octet('sm_default_msg_id')
  const length = from.octet('sm_length')
  if (length > 254) throw new Error('sm_length is over 254')
  const shortMessage = from.octets('short_message', length)
  const tlvs = readTlvs(from)
  if (length > 0 && tlvs.has(0x0424)) throw new Error('both short_message and message_payload')
  if (dataCoding === 8 && (shortMessage.length - ((esmClass & 0x40) === 0 ? 0 : shortMessage[0]! + 1)) % 2 !== 0)
    throw new Error('UCS-2 of an odd number of octets')
  const common = { serviceType, sourceTon, sourceNpi, source, destinationTon, destinationNpi, destination }
  return { ...common, esmClass, validity, registeredDelivery, dataCoding, shortMessage, tlvs }
}

/** Where a submission stands among the parts of its message: by its header, else by sar_*; alone: 1 of 1. */
export function placeOf({ esmClass, shortMessage, tlvs }: Submitted): { key: string; number: number; total: number } {
  if ((esmClass & 0x40) !== 0) {
    const header = shortMessage.subarray(1, shortMessage[0]! + 1)
    const wide = header[0] === 8 ? 1 : 0
    if (header.length !== 5 + wide || header[1] !== 3 + wide) throw new Error(`header ${header.toString('hex')}`)
    const key = header.subarray(2, 3 + wide).toString('hex')
    return { key, total: header[3 + wide]!, number: header[4 + wide]! }
  }
  const [reference, total, number] = [0x020c, 0x020e, 0x020f].map((tag) => tlvs.get(tag))
  if (reference && total && number) return { key: reference.toString('hex'), total: total[0]!, number: number[0]! }
  return { key: '', total: 1, number: 1 }
}

/** The text's octets without their header. */
export function contentOf({ esmClass, shortMessage, tlvs }: Submitted): Buffer {
  if ((esmClass & 0x40) !== 0) return shortMessage.subarray(shortMessage[0]! + 1)
  return shortMessage.length > 0 ? shortMessage : (tlvs.get(0x0424) ?? Buffer.alloc(0))
}
